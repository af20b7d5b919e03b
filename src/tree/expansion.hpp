// All children of one position with their values: finished ones exactly, the others by the
// evaluator, in one call (child batching) or one by one; the values are the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/searcher.hpp"
#include "tree/child_values.hpp"
#include "tree/meter.hpp"
#include "tree/slices.hpp"

namespace polymax {

// Values: where what needs no game is kept.
template <Game G, class Values = ChildValues>
class Expansion : public Values {
 public:
  using Values::cut;
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

  // Values of all listed positions but the known ones, unless `until` interrupts it (then `cut`
  // says so). Returns how many the evaluator was asked for.
  std::size_t value(const Task<G>& task, bool batch = true, const Meter* until = nullptr) {
    std::size_t done = 0;
    value_by(task,
             [&](auto from, auto to) { done = evaluate(task.evaluator, from, to, batch, until); });
    return done;
  }

  // The same, where `ask(states, values)` is who values them.
  template <class Ask>
  std::size_t value_by(const Task<G>& task, const Ask& ask) {
    open_index_.clear();
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (over[i])
        values[i] = terminal_points(*task.game, states[i], task.points);
      else if (!known[i])
        open_index_.push_back(i);
    }
    if (open_index_.size() < states.size()) return value_these(open_index_, ask);
    ask(std::span<const typename G::State>(states), std::span<Scores>(values));
    return states.size();
  }

  // Those alone.
  template <class Ask>
  std::size_t value_these(const std::vector<std::size_t>& chosen, const Ask& ask) {
    open_.clear();
    for (const std::size_t i : chosen) open_.push_back(states[i]);
    open_values_.resize(open_.size());
    if (!open_.empty())
      ask(std::span<const typename G::State>(open_), std::span<Scores>(open_values_));
    for (std::size_t i = 0; i < open_.size(); ++i) values[chosen[i]] = open_values_[i];
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
    cut = false;
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
  // In one call, or in slices where somebody may interrupt. Returns how many got a value.
  std::size_t evaluate(const EvaluatorRef<G>& evaluator, std::span<const typename G::State> from,
                       std::span<Scores> to, bool batch, const Meter* until) {
    const bool slices = until && until->interruptible();
    std::size_t done = 0;
    while (done < from.size() && !cut) {
      const std::size_t most = !batch ? 1 : slices ? slices_.size() : from.size();
      const std::size_t count = std::min(most, from.size() - done);
      const auto call = [&] {
        evaluator.evaluate(from.subspan(done, count), to.subspan(done, count));
      };
      slices ? slices_.value(count, call) : call();
      done += count;
      cut = slices && done < from.size() && until->interrupted();
    }
    return done;
  }

  std::vector<typename G::State> open_;
  std::vector<std::size_t> open_index_;
  std::vector<Scores> open_values_;
  Slices slices_;
};

}  // namespace polymax
