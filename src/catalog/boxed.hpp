// A game behind virtual calls (any_rules.hpp) as a type: searches are templates over games, and
// this is the one they are compiled for, once for every size of box that states lie in. A box is
// somewhat larger than the state in it. A position costs a few virtual calls when it is expanded,
// none for each child but what a search asks of single ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/any_rules.hpp"
#include "core/searcher.hpp"

namespace polymax::catalog {

// kCan: what the type says that its games can. Searches run on boxes of games that can everything;
// what a game cannot is known when it runs.
template <std::size_t kBytes, unsigned kCan = Can::kAll>
class Boxed {
 public:
  struct State {
    alignas(16) std::array<std::byte, kBytes> bytes;
    State() {}  // NOLINT: bytes are written when there is a position; until then nobody reads them
    // Of all bytes. Games say by same() whether two positions are the same.
    friend bool operator==(const State&, const State&) = default;
  };
  using Move = MoveCode;
  struct Options {
    const AnyRules* rules = nullptr;
    static Fields fields() { return {}; }
  };

  static constexpr About about{"a game in boxes", 1, ""};
  static constexpr Points default_points = Points::gain;

  explicit Boxed(const Options& options)
      : rules_(options.rules),
        players_(rules_->players()),
        estimates_(rules_->can(Can::kEstimate)) {}

  int players() const { return players_; }
  int max_length() const { return rules_->max_length(); }
  State start(std::uint64_t seed) const {
    State out;
    rules_->start(seed, out.bytes.data());
    return out;
  }
  int to_move(const State& state) const { return rules_->to_move(at(state)); }
  void moves(const State& state, List<Move>& out) const { rules_->moves(at(state), out); }
  void play(State& state, Move move) const { rules_->play(state.bytes.data(), move); }
  bool over(const State& state) const { return rules_->over(at(state)); }
  Scores score(const State& state) const { return rules_->score(at(state)); }
  Scores gain(const State& state) const { return rules_->gain(at(state)); }
  int played(const State& state) const { return rules_->played(at(state)); }
  std::uint64_t hash(const State& state) const { return rules_->hash(at(state)); }
  std::string move_text(const State& state, Move move) const {
    return rules_->move_text(at(state), move);
  }
  Drawing draw(const State& state) const { return rules_->draw(at(state)); }

  std::optional<State> give_turn(const State& state, int seat) const
      requires((kCan & Can::kSkipTurns) != 0) {
    std::optional<State> out(std::in_place);
    if (!rules_->give_turn(at(state), seat, out->bytes.data())) out.reset();
    return out;
  }
  Scores estimate(const State& state) const requires((kCan & Can::kEstimate) != 0) {
    return rules_->estimate(at(state));
  }
  PlaneShape planes() const requires((kCan & Can::kPlanes) != 0) { return rules_->planes(); }
  void write_planes(const State& state, std::span<std::uint64_t> bits) const
      requires((kCan & Can::kPlanes) != 0) {
    rules_->write_planes(at(state), bits);
  }
  int move_planes() const requires((kCan & Can::kMovePlaces) != 0) { return rules_->move_planes(); }
  MovePlace move_place(const State& state, Move move) const
      requires((kCan & Can::kMovePlaces) != 0) {
    return rules_->move_place(at(state), move);
  }
  std::vector<Symmetry> symmetries() const requires((kCan & Can::kTurn) != 0) {
    return rules_->symmetries();
  }

  // What boxed games tell besides (tree/boxable.hpp).
  bool same(const State& a, const State& b) const { return rules_->same(at(a), at(b)); }
  bool estimates() const { return estimates_; }
  std::size_t move_bytes() const { return rules_->move_bytes(); }
  void play_each(const State& parent, std::span<const Move> moves, State* children,
                 std::uint8_t* over) const {
    rules_->play_each(at(parent), moves, reinterpret_cast<std::byte*>(children), sizeof(State),
                      over);
  }
  void hash_each(std::span<const State> states, std::uint64_t* out) const {
    rules_->hash_each(row(states), out);
  }

  static StateRow row(std::span<const State> states) {
    return {states.data()->bytes.data(), sizeof(State), states.size()};
  }

 private:
  static const std::byte* at(const State& state) { return state.bytes.data(); }

  const AnyRules* rules_;
  int players_;
  bool estimates_;
};

// An evaluator for boxes. Does not own the other one.
template <std::size_t kBytes>
class BoxedEvaluator {
 public:
  using G = Boxed<kBytes>;
  using States = std::span<const typename G::State>;

  explicit BoxedEvaluator(AnyEvaluator& of) : of_(&of) {}

  void evaluate(States states, std::span<Scores> out) { of_->evaluate(G::row(states), out); }
  bool knows_moves() const { return of_->knows_moves(); }
  void evaluate(States states, std::span<Scores> out, MovePriors& priors) {
    of_->evaluate(G::row(states), out, priors);
  }
  bool samples() const { return of_->samples(); }
  Scores sample(const typename G::State& state, Rng& rng) {
    return of_->sample(state.bytes.data(), rng);
  }
  std::optional<Bounds> bounds() const { return of_->bounds(); }

 private:
  AnyEvaluator* of_;
};

}  // namespace polymax::catalog
