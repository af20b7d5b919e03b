#include "python/rules.hpp"

#include "catalog/bind.hpp"
#include "catalog/boxed_kit.hpp"
#include "catalog/common_keys.hpp"
#include "python/rulebook.hpp"

namespace polymax::python {

static_assert(polymax::Game<Rules> && MoveMapped<Rules> && TurnSkipping<Rules> &&
              Estimating<Rules>);
static_assert(sizeof(Rules::State) == 2048);

Rules::Rules(const Options& options) : book_(options.book) {}

int Rules::players() const {
  return book_->players();
}

int Rules::max_length() const {
  return book_->max_length();
}

Rules::State Rules::start(std::uint64_t seed) const {
  const Gil gil;
  return book_->start(seed);
}

void Rules::moves(const State& state, MoveList<Rules>& out) const {
  const Gil gil;
  book_->moves(state, out);
}

void Rules::play(State& state, Move move) const {
  const Gil gil;
  state = book_->play(state, move);
}

Scores Rules::score(const State& state) const {
  const Gil gil;
  return book_->scores(book_->has("score") ? "score" : "gain", state);
}

Scores Rules::gain(const State& state) const {
  const Gil gil;
  if (!book_->has("gain")) return leaders_win(book_->scores("score", state), players());
  const Scores out = book_->scores("gain", state);
  for (int p = 0; p < players(); ++p)
    if (out[p] != -1 && out[p] != 0 && out[p] != 1)
      book_->fail("gain() is to give -1, 0 or 1 for each seat");
  return out;
}

std::string Rules::move_text(const State& state, Move move) const {
  const Gil gil;
  return book_->move_text(state, move);
}

Drawing Rules::draw(const State& state) const {
  const Gil gil;
  Drawing out;
  out.notes = book_->lines(state);
  return out;
}

PlaneShape Rules::planes() const {
  if (book_->shape().planes == 0)
    throw Error("the game '" + book_->name() +
                "' has no planes for networks: there is nothing to learn with");
  return book_->shape();
}

void Rules::write_planes(const State& state, std::span<std::uint64_t> bits) const {
  planes();
  const Gil gil;
  book_->write_planes(state, bits);
}

int Rules::move_planes() const {
  return book_->move_planes();
}

MovePlace Rules::move_place(const State& state, Move move) const {
  const Gil gil;
  return book_->move_place(state, move);
}

std::optional<Rules::State> Rules::give_turn(const State& state, int seat) const {
  const Gil gil;
  return book_->give_turn(state, seat);
}

Scores Rules::estimate(const State& state) const {
  if (state.over) return {};
  const Gil gil;
  return book_->has("estimate") ? book_->scores("estimate", state) : Scores{};
}

bool rules_have_planes(const py::object& rules) {
  return py::hasattr(rules, "planes") && !rules.attr("planes").is_none();
}

std::shared_ptr<const AnyGame> open_rules(const py::object& rules, const py::object& points) {
  auto book = std::make_shared<Rulebook>(rules);
  Points chosen = Rules::default_points;
  if (!points.is_none()) {
    Spec spec = Spec::parse("game");
    spec.arguments.push_back({"points", 0, Spec::parse(std::string(py::str(points)))});
    chosen = read_settings<catalog::PointsSetting>(spec).points;
  }
  const std::string name = book->name();
  static const catalog::BoxedKit<sizeof(Rules::State)> kit;
  return catalog::make_game(catalog::binding_of<Rules>(name),
                            catalog::open_rules_of<Rules>(name, Rules::Options{std::move(book)}),
                            chosen, &kit);
}

}  // namespace polymax::python
