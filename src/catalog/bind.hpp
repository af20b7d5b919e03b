// Puts one game type behind AnyGame. A generated bind_<game>.cpp calls entry_of<Rules>() for each
// game.
#pragma once

#include <cassert>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "catalog/any.hpp"
#include "catalog/bind_learn.hpp"
#include "catalog/bind_match.hpp"
#include "catalog/bind_player.hpp"
#include "catalog/catalog.hpp"
#include "catalog/common_keys.hpp"

namespace polymax::catalog {

// A position `ply` moves below the root: adds the sequences of k moves from the root that go
// through it to counts[k-1], for every k beyond ply.
template <Game G>
void count_sequences(const G& game, const typename G::State& state, std::size_t ply,
                     std::vector<MoveList<G>>& lists, std::vector<std::uint64_t>& counts) {
  auto& moves = lists[ply];
  moves.clear();
  game.moves(state, moves);
  counts[ply] += moves.size();
  if (ply + 1 == counts.size()) return;
  for (const auto& move : moves) {
    typename G::State next = state;
    game.play(next, move);
    count_sequences(game, next, ply + 1, lists, counts);
  }
}

template <Game G>
class BoundGame final : public AnyGame {
 public:
  BoundGame(std::string name, typename G::Options options, Points points)
      : game_(std::make_shared<const G>(options)),
        name_(std::move(name)),
        spec_(spec_with(options, points)),
        gain_spec_(spec_with(options, Points::gain)),
        points_(points) {}

  const std::string& name() const override { return name_; }
  const std::string& spec() const override { return spec_; }
  const About& about() const override { return about_; }
  int players() const override { return game_->players(); }
  Points points() const override { return points_; }
  std::optional<NetPurpose> networks() const override {
    if constexpr (Learnable<G>) return network::purpose_of(*game_, spec_, points_);
    return std::nullopt;
  }
  int max_length() const override { return game_->max_length(); }

  std::optional<PlaneShape> planes() const override {
    if constexpr (Learnable<G>) return game_->planes();
    return std::nullopt;
  }

  int move_planes() const override {
    if constexpr (MoveMapped<G>) return game_->move_planes();
    return 0;
  }

  std::unique_ptr<AnyMatch> start(std::uint64_t seed) const override {
    return std::make_unique<BoundMatch<G>>(game_, points_, game_->start(seed), seed);
  }

  std::unique_ptr<AnyPlayer> player(const Spec& asked, std::uint64_t seed) const override {
    std::optional<SearchPlan<G>> plan;
    each_search([&]<class Tag>(Tag) {
      if constexpr (OffersSearch<Tag, G>)
        if (asked.name == Tag::name) plan = plan_search<G, typename Tag::template type<G>>(asked);
    });
    if (plan) return make_player(*plan, seed);
    if (auto other = outside_player(*this, asked, seed)) return other;
    fail_not_offered(asked, "search", name_, offered_searches<G>(), searches());
  }

  Perft perft(const AnyMatch& from, int depth) const override {
    const auto& state = dynamic_cast<const BoundMatch<G>&>(from).state();
    assert(depth >= 1);
    const auto plies = static_cast<std::size_t>(depth);
    Perft out;
    out.sequences.resize(plies);
    std::vector<MoveList<G>> lists(plies);
    game_->moves(state, lists[0]);
    out.sequences[0] = lists[0].size();
    for (const auto& move : lists[0]) {
      const std::uint64_t before = out.sequences.back();
      if (plies > 1) {
        typename G::State next = state;
        game_->play(next, move);
        count_sequences(*game_, next, 1, lists, out.sequences);
      }
      out.divided.emplace_back(game_->move_text(state, move),
                               plies > 1 ? out.sequences.back() - before : 1);
    }
    return out;
  }

  RandomPlay random_play(std::uint64_t seed, const RandomPlayLimit& limit) const override {
    return play_randomly(*game_, seed, limit);
  }

  learn::Subject subject() const override {
    if constexpr (Learnable<G>)
      return subject_of(*game_, points_, spec_);
    else
      fail_no_planes();
  }

  std::optional<learn::Lesson> self_play(std::shared_ptr<const LoadedNet> net, const Spec& asked,
                                         const Budget& budget, std::uint64_t seed,
                                         ResolvedPositions* resolved) const override {
    if constexpr (Learnable<G>) {
      std::optional<std::optional<learn::Lesson>> out;
      each_search([&]<class Tag>(Tag) {
        if constexpr (OffersSearch<Tag, G>) {
          using S = typename Tag::template type<G>;
          if constexpr (Teaching<S, G>)
            if (asked.name == Tag::name)
              out = lesson_of<S>(std::move(net), asked, budget, seed, resolved);
        }
      });
      if (!out)
        fail_at(asked, asked.at,
                "the search '" + asked.name + "' does not make learning data; descent does");
      return *out;
    } else {
      fail_no_planes();
    }
  }

  learn::Samples random_samples(std::uint64_t seed,
                                const learn::RandomMatches& asked) const override {
    if constexpr (Learnable<G>)
      return catalog::random_samples(*game_, points_, seed, asked,
                                     asked.turned ? turns().get() : nullptr);
    else
      fail_no_planes();
  }

 private:
  [[noreturn]] void fail_no_planes() const {
    throw Error("the game '" + name_ +
                "' has no planes for networks: there is nothing to learn with");
  }

  // Made when they are first asked for, and shared by all matches. Throws Error when the game has
  // none.
  std::shared_ptr<const MoverTurns> turns() const {
    std::call_once(turns_once_, [&] { turns_ = mover_turns(*game_); });
    if (!turns_)
      throw Error("'" + spec_ + "' has a seat that no symmetry of the game makes seat 1");
    return turns_;
  }

  template <class S>
  std::optional<learn::Lesson> lesson_of(std::shared_ptr<const LoadedNet> net, const Spec& asked,
                                         const Budget& budget, std::uint64_t seed,
                                         ResolvedPositions* resolved) const {
    Rng rng(seed);
    const auto turns = net->net().turned ? this->turns() : nullptr;
    network::Eval<G> evaluator(*game_, std::move(net), turns);
    const auto state = game_->start(rng.next());
    S search(Task<G>{game_.get(), points_, evaluator, rng.next(), resolved},
             read_settings<typename S::Params>(asked));
    const EvaluatorRef<G> ref(evaluator);
    return play_lesson(*game_, points_, search, budget, state, turns.get(), &ref);
  }

  std::unique_ptr<AnyPlayer> make_player(const SearchPlan<G>& plan, std::uint64_t seed) const {
    const Spec chosen = plan.eval.value_or(word("zero"));
    const auto offered = offered_evaluators<G>();
    if (std::ranges::find(offered, chosen.name, &Entry::name) == offered.end())
      fail_not_offered(chosen, "evaluator", name_, offered, evaluators());
    const bool wins = plan.aim == Aim::win;
    const Points points = wins ? Points::gain : points_;
    auto evaluator =
        make_evaluator<G>(chosen, {game_.get(), points, seed, wins ? gain_spec_ : spec_});
    Spec canonical = plan.settings;
    if (wins) canonical.arguments.push_back({"aim", 0, word("win")});
    if (plan.eval) canonical.arguments.push_back({"eval", 0, evaluator.spec});
    return std::make_unique<BoundPlayer<G>>(game_, points, plan, std::move(evaluator),
                                            canonical.text(), seed);
  }

  std::string spec_with(const typename G::Options& options, Points points) const {
    Spec out = write_settings(name_, options);
    if (points != G::default_points)
      out.arguments.push_back(
          {"points", 0, word(std::string(kPointsNames[static_cast<std::size_t>(points)]))});
    return out.text();
  }

  std::shared_ptr<const G> game_;
  std::string name_, spec_, gain_spec_;  // gain_spec_: the same game with points=gain
  About about_ = G::about;
  Points points_;
  mutable std::once_flag turns_once_;
  mutable std::shared_ptr<const MoverTurns> turns_;
};

template <Game G>
GameEntry entry_of(const char* name) {
  GameEntry out{{name, G::about, describe_settings<typename G::Options>()},
                offered_searches<G>(),
                offered_evaluators<G>(),
                [](const Spec& asked) -> std::unique_ptr<const AnyGame> {
                  Spec own = asked;
                  Points points = G::default_points;
                  if (const auto given = take_argument(own, "points"))
                    points = read_common<PointsSetting>(asked, *given).points;
                  const auto options = read_settings<typename G::Options>(own, {"points"});
                  try {
                    return std::make_unique<BoundGame<G>>(asked.name, options, points);
                  } catch (const Error& error) {
                    fail_at(asked, asked.at, error.what());
                  }
                }};
  auto points = describe_settings<PointsSetting>();
  points[0].preset = kPointsNames[static_cast<std::size_t>(G::default_points)];
  out.entry.settings.push_back(points[0]);
  return out;
}

}  // namespace polymax::catalog
