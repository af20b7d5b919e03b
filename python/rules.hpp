// Games written in Python: an object with players, start, to_move, moves, play, over and score or
// gain becomes a game of the catalog, with every search. A state of Python travels as bytes inside
// our state (marshal for plain values, pickle for the rest), so that copying it is copying bytes,
// nothing has to be counted or freed, and threads share nothing but the GIL. The newest states are
// also kept as objects, a fixed number of them.
// Chosen: a state of more than kBytes bytes is refused; an index into a table of objects would have
// no bound in a long search, for nobody says when a copy of it dies.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/game.hpp"
#include "python/common.hpp"

namespace polymax::python {

class Rulebook;  // the object of Python with what is remembered of it

class Rules {
 public:
  static constexpr About about{"a game written in Python", 1, "docs/python.md"};
  static constexpr Points default_points = Points::score;

  struct Options {
    std::shared_ptr<Rulebook> book;
    static Fields fields() { return {}; }
    friend bool operator==(const Options&, const Options&) = default;  // the very same object
  };

  struct State {
    static constexpr std::size_t kBytes = 2032;

    std::uint64_t hash = 0;
    std::int16_t to_move = 0;
    bool over = false, pickled = false;
    std::uint16_t size = 0;
    std::uint16_t played = 0;
    std::array<char, kBytes> bytes{};

    friend bool operator==(const State& a, const State& b);
  };

  struct Move {
    std::uint32_t number = 0;  // of the game's moves, in the order in which they were met
    friend bool operator==(const Move&, const Move&) = default;
  };

  explicit Rules(const Options& options);

  int players() const;
  State start(std::uint64_t seed) const;
  int to_move(const State& state) const { return state.to_move; }
  void moves(const State& state, MoveList<Rules>& out) const;
  void play(State& state, Move move) const;
  bool over(const State& state) const { return state.over; }
  Scores score(const State& state) const;
  Scores gain(const State& state) const;
  int played(const State& state) const { return state.played; }
  int max_length() const;
  std::uint64_t hash(const State& state) const { return state.hash; }
  std::string move_text(const State& state, Move move) const;
  Drawing draw(const State& state) const;

  // Of a game that says it has them; Error for others.
  PlaneShape planes() const;
  void write_planes(const State& state, std::span<std::uint64_t> bits) const;
  int move_planes() const;  // 0: the game does not say where moves lie
  MovePlace move_place(const State& state, Move move) const;
  std::optional<State> give_turn(const State& state, int seat) const;
  Scores estimate(const State& state) const;  // zeros when the game has none

 private:
  std::shared_ptr<Rulebook> book_;
};

// Throws Error that says what is missing.
std::shared_ptr<const AnyGame> open_rules(const py::object& rules, const py::object& points);
bool rules_have_planes(const py::object& rules);

}  // namespace polymax::python
