// One game with its options behind virtual calls, and its evaluators. States are bytes of a size
// that the rules tell, moves are the bytes of the game's moves: what is written against this
// (matches, players, and by boxed.hpp all searches) is compiled once, not for every game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/any.hpp"
#include "core/evaluator.hpp"
#include "core/game.hpp"
#include "core/mover_turns.hpp"
#include "core/rng.hpp"

namespace polymax {

// The bytes of a move, zeros behind them.
struct MoveCode {
  std::uint64_t bits = 0;
  friend bool operator==(const MoveCode&, const MoveCode&) = default;
};

// States of one size, one after the other.
struct StateRow {
  const std::byte* first = nullptr;
  std::size_t stride = 0, count = 0;
};

// An evaluator of a game (core/evaluator.hpp). Any number of threads.
class AnyEvaluator {
 public:
  virtual ~AnyEvaluator() = default;
  virtual void evaluate(StateRow states, std::span<Scores> out) = 0;
  virtual bool knows_moves() const = 0;
  virtual void evaluate(StateRow states, std::span<Scores> out, MovePriors& priors) = 0;
  virtual bool samples() const = 0;
  virtual Scores sample(const std::byte* state, Rng& rng) = 0;
  virtual std::optional<Bounds> bounds() const = 0;
};

// What a game can besides (core/game.hpp): a set of these.
struct Can {
  static constexpr unsigned kSkipTurns = 1, kEstimate = 2, kPlanes = 4, kMovePlaces = 8, kTurn = 16,
                            kAll = 31;
};

template <Game G>
constexpr unsigned abilities_of() {
  return (TurnSkipping<G> ? Can::kSkipTurns : 0) | (Estimating<G> ? Can::kEstimate : 0) |
         (Learnable<G> ? Can::kPlanes : 0) | (MoveMapped<G> ? Can::kMovePlaces : 0) |
         (Symmetric<G> ? Can::kTurn : 0);
}

// A pointer to a state is one to state_bytes() bytes, aligned for everything.
class AnyRules {
 public:
  AnyRules(std::size_t state_bytes, std::size_t move_bytes, unsigned can)
      : state_bytes_(state_bytes), move_bytes_(move_bytes), can_(can) {}
  virtual ~AnyRules() = default;

  std::size_t state_bytes() const { return state_bytes_; }
  std::size_t move_bytes() const { return move_bytes_; }
  unsigned abilities() const { return can_; }
  bool can(unsigned what) const { return (can_ & what) == what; }

  // Whether states and moves of the other rules are ones of these: the same game with the same
  // settings.
  virtual bool same_rules(const AnyRules& other) const = 0;

  // The contract of a game.
  virtual const About& about() const = 0;
  virtual int players() const = 0;
  virtual int max_length() const = 0;
  virtual void start(std::uint64_t seed, std::byte* out) const = 0;
  virtual int to_move(const std::byte* state) const = 0;
  virtual void moves(const std::byte* state, List<MoveCode>& out) const = 0;
  virtual void play(std::byte* state, MoveCode move) const = 0;
  virtual bool over(const std::byte* state) const = 0;
  virtual Scores score(const std::byte* state) const = 0;
  virtual Scores gain(const std::byte* state) const = 0;
  virtual int played(const std::byte* state) const = 0;
  virtual std::uint64_t hash(const std::byte* state) const = 0;
  virtual std::string move_text(const std::byte* state, MoveCode move) const = 0;
  virtual Drawing draw(const std::byte* state) const = 0;
  virtual bool same(const std::byte* a, const std::byte* b) const = 0;

  // What it can besides; never called where it cannot.
  virtual bool give_turn(const std::byte* state, int seat, std::byte* out) const = 0;
  virtual Scores estimate(const std::byte* state) const = 0;
  virtual PlaneShape planes() const = 0;
  virtual void write_planes(const std::byte* state, std::span<std::uint64_t> bits) const = 0;
  virtual int move_planes() const = 0;  // 0 where it cannot
  virtual MovePlace move_place(const std::byte* state, MoveCode move) const = 0;
  virtual std::vector<Symmetry> symmetries() const = 0;  // empty where it cannot

  // Many at once. The positions after these moves, `stride` bytes from one to the next; over[i]:
  // whether the i-th of them is.
  virtual void play_each(const std::byte* parent, std::span<const MoveCode> moves,
                         std::byte* children, std::size_t stride, std::uint8_t* over) const = 0;
  virtual void hash_each(StateRow states, std::uint64_t* out) const = 0;

  // What is quick only when it knows the game's type.
  virtual Perft perft(const std::byte* from, int depth) const = 0;
  virtual RandomPlay random_play(std::uint64_t seed, const RandomPlayLimit& limit) const = 0;

  // What its networks are, for a game of this spec and points; none: no planes.
  virtual std::optional<NetPurpose> networks(const std::string& spec, Points points) const = 0;

  // The evaluator of a spec that names an offered one; `canonical` becomes its spec.
  struct EvaluatorFor {
    Points points{};
    std::uint64_t seed = 0;
    std::string spec{};  // of the game
  };
  virtual std::unique_ptr<AnyEvaluator> evaluator(const Spec& asked, const EvaluatorFor& setup,
                                                  Spec& canonical) const = 0;
  // Values positions by so many random games.
  virtual std::unique_ptr<AnyEvaluator> random_games(Points points, std::uint64_t seed,
                                                     int games) const = 0;
  // Of a game with planes. turns: those of the game where others have them already, or null.
  virtual std::unique_ptr<AnyEvaluator> network(std::shared_ptr<const LoadedNet> net,
                                                std::shared_ptr<const MoverTurns> turns) const = 0;

 private:
  std::size_t state_bytes_, move_bytes_;
  unsigned can_;
};

}  // namespace polymax
