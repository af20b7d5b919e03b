// One ply: plays the move whose position is worth most to the mover; finished positions count
// exactly. Ties are broken by the seed. When it is interrupted, the best of those that were valued.
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
    const int mover = task_.game->to_move(root);
    Verdict<G> out;
    for (std::size_t i = 0; i < children_.moves.size(); ++i)
      out.children.push_back({children_.moves[i], children_.values[i], 0, children_.over[i] != 0});
    hide_left(out, mover);
    const auto& chosen = out.children[choose(out, mover)];
    out.best = chosen.move;
    out.value = chosen.value;
    out.pv = {out.best};
    out.cost = meter.cost(1, 0);
    return out;
  }

  void advance(const typename G::Move&) {}

 private:
  // The worst of those that were valued stands for those that were not.
  void hide_left(Verdict<G>& out, int mover) const {
    for (const std::size_t i : children_.left) out.children[i].bound = true;
    const typename Verdict<G>::Child* worst = nullptr;
    for (const auto& child : out.children)
      if (!child.bound && (worst == nullptr || child.value[mover] < worst->value[mover]))
        worst = &child;
    for (const std::size_t i : children_.left) out.children[i].value = worst->value;
  }

  std::size_t choose(const Verdict<G>& out, int mover) {
    std::vector<std::size_t> best;
    for (std::size_t i = 0; i < out.children.size(); ++i) {
      const auto& child = out.children[i];
      if (child.bound) continue;
      const float lead = best.empty() ? 1 : child.value[mover] - out.children[best[0]].value[mover];
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
