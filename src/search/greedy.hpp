// One ply: plays the move whose position is worth most to the mover; finished positions count
// exactly. Ties are broken by the seed.
#pragma once

#include <vector>

#include "core/rng.hpp"
#include "core/searcher.hpp"
#include "tree/expansion.hpp"
#include "tree/meter.hpp"

namespace polymax::greedy {

template <Game G>
class Search {
 public:
  using Params = NoSettings;

  static constexpr About about{"best position after one move", 1, ""};

  explicit Search(const Task<G>& task, Params = {}) : task_(task), rng_(task.seed) {}

  Verdict<G> think(const typename G::State& root, const Budget& budget) {
    Meter meter(budget);
    children_.expand(task_, root, meter);
    const std::size_t chosen = choose(task_.game->to_move(root));
    Verdict<G> out;
    for (std::size_t i = 0; i < children_.moves.size(); ++i)
      out.children.push_back({children_.moves[i], children_.values[i], 0, children_.over[i] != 0});
    out.best = children_.moves[chosen];
    out.value = children_.values[chosen];
    out.pv = {out.best};
    out.cost = meter.cost(1, 0);
    return out;
  }

  void advance(const typename G::Move&) {}

 private:
  std::size_t choose(int mover) {
    std::vector<std::size_t> best;
    for (std::size_t i = 0; i < children_.values.size(); ++i) {
      const float lead =
          best.empty() ? 1 : children_.values[i][mover] - children_.values[best[0]][mover];
      if (lead > 0) best.clear();
      if (lead >= 0) best.push_back(i);
    }
    return best[rng_.below(static_cast<std::uint32_t>(best.size()))];
  }

  Task<G> task_;
  Rng rng_;
  Expansion<G> children_;
};

}  // namespace polymax::greedy
