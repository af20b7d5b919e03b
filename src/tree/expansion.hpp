// All children of one position with their values: finished ones exactly, the others by the
// evaluator, in one call (child batching) or one by one; the values are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/searcher.hpp"
#include "tree/child_values.hpp"
#include "tree/meter.hpp"

namespace polymax {

// Values: where what needs no game is kept.
template <Game G, class Values = ChildValues>
class Expansion : public Values {
 public:
  using Values::known;
  using Values::over;
  using Values::values;
  MoveList<G> moves;
  std::vector<typename G::State> states;  // in the order of moves

  // Replaces what was here; keeps the memory.
  void expand(const Task<G>& task, const typename G::State& parent, Meter& meter,
              bool batch = true) {
    list(*task.game, parent);
    meter.visited(moves.size());
    meter.evaluated(value(task, batch));
  }

  // Values of all listed positions but the known ones. Returns how many the evaluator was asked
  // for.
  std::size_t value(const Task<G>& task, bool batch = true) {
    open_index_.clear();
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (over[i])
        values[i] = terminal_points(*task.game, states[i], task.points);
      else if (!known[i])
        open_index_.push_back(i);
    }
    if (open_index_.size() == states.size()) {
      evaluate(task.evaluator, states, values, batch);
      return states.size();
    }
    open_.clear();
    for (const std::size_t i : open_index_) open_.push_back(states[i]);
    open_values_.resize(open_.size());
    evaluate(task.evaluator, open_, open_values_, batch);
    for (std::size_t i = 0; i < open_.size(); ++i) values[open_index_[i]] = open_values_[i];
    return open_.size();
  }

  // Moves and positions only.
  void list(const G& game, const typename G::State& parent) {
    clear();
    append(game, parent);
  }

  void clear() {
    moves.clear();
    states.clear();
    values.clear();
    over.clear();
    known.clear();
  }

  // Moves and positions of one more parent.
  void append(const G& game, const typename G::State& parent) {
    const std::size_t before = moves.size();
    game.moves(parent, moves);
    states.resize(moves.size(), parent);
    values.resize(moves.size());
    over.resize(moves.size());
    known.resize(moves.size());
    for (std::size_t i = before; i < moves.size(); ++i) {
      game.play(states[i], moves[i]);
      over[i] = game.over(states[i]);
    }
  }

 private:
  static void evaluate(const EvaluatorRef<G>& evaluator, std::span<const typename G::State> from,
                       std::span<Scores> to, bool batch) {
    if (from.empty()) return;
    if (batch) return evaluator.evaluate(from, to);
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = evaluator.evaluate(from[i]);
  }

  std::vector<typename G::State> open_;
  std::vector<std::size_t> open_index_;
  std::vector<Scores> open_values_;
};

}  // namespace polymax
