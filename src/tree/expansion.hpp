// All children of one position with their values: finished ones exactly, the others by the
// evaluator, in one call (child batching), in slices or one by one; the values are the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/searcher.hpp"
#include "tree/boxable.hpp"
#include "tree/child_values.hpp"
#include "tree/meter.hpp"
#include "tree/slices.hpp"

namespace polymax {

// How positions are handed to an evaluator.
struct Pace {
  bool batch = true;             // together, else one by one
  const Meter* until = nullptr;  // may interrupt: then in slices, one at least
  int first = -1;  // seat: what it may hope for most comes first where there are several slices

  bool in_slices() const { return until != nullptr && until->interruptible(); }
};

// Values: where what needs no game is kept.
template <Game G, class Values = ChildValues>
class Expansion : public Values {
 public:
  using Values::known;
  using Values::left;
  using Values::over;
  using Values::values;
  MoveList<G> moves;
  std::vector<typename G::State> states;  // in the order of moves

  // Replaces what was here; keeps the memory. May be interrupted by the meter, as value() is.
  void expand(const Task<G>& task, const typename G::State& parent, Meter& meter) {
    list(*task.game, parent);
    meter.visited(moves.size());
    meter.evaluated(value(task, {.until = &meter, .first = task.game->to_move(parent)}));
  }

  // Values of all listed positions but the known ones; `left` names those that are still without
  // one when it is interrupted. Returns how many the evaluator was asked for.
  std::size_t value(const Task<G>& task, const Pace& pace = {}) {
    const auto ask = [&](auto from, auto to) { task.evaluator.evaluate(from, to); };
    return value_by(task, ask, pace);
  }

  // The same, where `ask(states, values)` is who values them.
  template <class Ask>
  std::size_t value_by(const Task<G>& task, const Ask& ask, const Pace& pace) {
    open_index_.clear();
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (over[i])
        values[i] = terminal_points(*task.game, states[i], task.points);
      else if (!known[i])
        open_index_.push_back(i);
    }
    const bool sorts = pace.in_slices() && pace.first >= 0 && open_index_.size() > slices_.size();
    if (sorts) sort_open(*task.game, pace.first);
    if (sorts || open_index_.size() < states.size()) return value_these(open_index_, ask, pace);
    return note_left(open_index_,
                     hand_over(std::span(std::as_const(states)), std::span(values), ask, pace));
  }

  // Those alone.
  template <class Ask>
  std::size_t value_these(const std::vector<std::size_t>& chosen, const Ask& ask,
                          const Pace& pace) {
    open_.clear();
    for (const std::size_t i : chosen) open_.push_back(states[i]);
    open_values_.resize(open_.size());
    const std::size_t done =
        hand_over(std::span(std::as_const(open_)), std::span(open_values_), ask, pace);
    for (std::size_t i = 0; i < done; ++i) values[chosen[i]] = open_values_[i];
    return note_left(chosen, done);
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
    left.clear();
  }

  // Moves and positions of one more parent.
  void append(const G& game, const typename G::State& parent) {
    const std::size_t before = moves.size();
    game.moves(parent, moves);
    values.resize(moves.size());
    over.resize(moves.size());
    known.resize(moves.size());
    append_children(game, parent, moves.span().subspan(before), states, over.data() + before);
  }

 private:
  using States = std::span<const typename G::State>;

  // Returns how many got a value.
  template <class Ask>
  std::size_t hand_over(States from, std::span<Scores> to, const Ask& ask, const Pace& pace) {
    const bool slices = pace.in_slices();
    const std::size_t most = !pace.batch ? 1 : from.size();
    std::size_t done = 0;
    while (done < from.size() && !(slices && done > 0 && pace.until->interrupted())) {
      const std::size_t fits = slices ? std::min(most, slices_.size()) : most;
      const std::size_t count = std::min(fits, from.size() - done);
      const auto call = [&] { ask(from.subspan(done, count), to.subspan(done, count)); };
      slices ? slices_.value(count, call) : call();
      done += count;
    }
    return done;
  }

  std::size_t note_left(const std::vector<std::size_t>& chosen, std::size_t done) {
    left.assign(chosen.begin() + static_cast<std::ptrdiff_t>(done), chosen.end());
    return done;
  }

  // By the game's own guess of what the seat gets, where it has one; equal ones in their order.
  void sort_open(const G& game, int seat) {
    if constexpr (Estimating<G>) {
      if (!estimates(game)) return;
      guesses_.resize(states.size());
      for (const std::size_t i : open_index_) guesses_[i] = game.estimate(states[i])[seat];
      std::ranges::stable_sort(open_index_, std::ranges::greater(),
                               [this](std::size_t i) { return guesses_[i]; });
    }
  }

  std::vector<typename G::State> open_;
  std::vector<std::size_t> open_index_;
  std::vector<Scores> open_values_;
  std::vector<float> guesses_;
  Slices slices_;
};

}  // namespace polymax
