// The smallest and the largest value that an evaluator gives to the positions of some matches with
// random moves, finished ones included. Depends on the task's seed alone, unless time runs out:
// then the matches so far must do.
#pragma once

#include <cstdint>
#include <vector>

#include "core/random_game.hpp"
#include "core/rng.hpp"
#include "core/searcher.hpp"
#include "tree/meter.hpp"

namespace polymax {

template <Game G>
Bounds sample_bounds(const Task<G>& task, int matches, const Meter& meter) {
  const G& game = *task.game;
  Rng rng(mix64(~task.seed));
  MoveList<G> moves;
  std::vector<typename G::State> states;
  std::vector<Scores> values;
  Bounds out;
  for (int i = 0; i == 0 || (i < matches && !meter.spent()); ++i) {
    typename G::State state = game.start(rng.next());
    states.clear();
    finish_randomly(game, state, moves, rng,
                    [&](const auto& met, const auto&) { states.push_back(met); });
    values.resize(states.size());
    task.evaluator.evaluate(states, values);
    values.push_back(terminal_points(game, state, task.points));
    for (const auto& value : values)
      for (int p = 0; p < game.players(); ++p) out.take(static_cast<double>(value[p]));
  }
  return out;
}

}  // namespace polymax
