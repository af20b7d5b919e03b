// What is known of one game written in Python: its functions, the moves met so far, and the newest
// states as objects. Every function is called with the GIL. What Python raises goes on as it is;
// an answer that is no answer is an Error that names the function.
#pragma once

#include <string>
#include <vector>

#include "python/rules.hpp"

namespace polymax::python {

class Rulebook {
 public:
  using State = Rules::State;
  using Move = Rules::Move;

  // Throws Error when something is missing.
  explicit Rulebook(const py::object& rules);
  ~Rulebook();
  Rulebook(const Rulebook&) = delete;
  Rulebook& operator=(const Rulebook&) = delete;

  const std::string& name() const { return name_; }
  int players() const { return players_; }
  int max_length() const { return max_length_; }
  bool has(const char* function) const;
  const PlaneShape& shape() const { return shape_; }
  int move_planes() const { return move_planes_; }

  State start(std::uint64_t seed);
  void moves(const State& state, MoveList<Rules>& out);
  State play(const State& state, Move move);
  std::string move_text(const State& state, Move move);
  Scores scores(const char* function, const State& state);
  void write_planes(const State& state, std::span<std::uint64_t> bits);
  MovePlace move_place(const State& state, Move move);
  std::optional<State> give_turn(const State& state, int seat);
  std::vector<std::string> lines(const State& state);

  [[noreturn]] void fail(const std::string& what) const;

 private:
  static constexpr std::size_t kKept = 1024;  // states as objects; a power of two
  static constexpr std::size_t kMaxMoves = 1 << 24, kMostHere = 1'000'000;

  struct Kept {
    State state;
    PyObject* object = nullptr;
  };

  int number(const char* attribute, int low, int high) const;
  void look_at_planes();
  void must_differ(std::span<const Move> moves);
  py::object object_of(const State& state);
  State state_of(const py::object& object, int played);
  void pack(const py::object& object, State& into);
  void keep(const State& state, const py::object& object);
  Kept& place(const State& state) { return kept_[state.hash & (kKept - 1)]; }
  std::uint64_t content_hash(const py::object& object, const State& state);

  py::object rules_;
  std::string name_;
  int players_ = 0, max_length_ = 0, move_planes_ = 0;
  PlaneShape shape_;
  py::object dumps_, loads_;
  py::dict numbers_;                // move -> number
  std::vector<py::object> moves_;   // number -> move
  std::vector<std::uint64_t> met_;  // the list in which a move was met last
  std::uint64_t meeting_ = 0;
  std::vector<Kept> kept_;
};

}  // namespace polymax::python
