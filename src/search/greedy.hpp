// One ply: plays the move whose position is worth most to the mover; finished positions count exactly. Ties are broken
// by the seed.
#pragma once

#include <vector>

#include "core/rng.hpp"
#include "core/searcher.hpp"

namespace polymax::greedy {

template <Game G>
class Search {
 public:
  using Params = NoSettings;

  static constexpr About about{"best position after one move", 1, ""};

  explicit Search(const Task<G>& task, Params = {}) : task_(task), rng_(task.seed) {}

  Verdict<G> think(const typename G::State& root, const Budget&) {
    Verdict<G> out;
    expand(root, out);
    const int mover = task_.game->to_move(root);
    std::vector<std::size_t> best;
    for (std::size_t i = 0; i < out.children.size(); ++i) {
      const float lead = best.empty() ? 1 : out.children[i].value[mover] - out.children[best[0]].value[mover];
      if (lead > 0) best.clear();
      if (lead >= 0) best.push_back(i);
    }
    const auto& chosen = out.children[best[rng_.below(static_cast<std::uint32_t>(best.size()))]];
    out.best = chosen.move;
    out.value = chosen.value;
    out.pv = {out.best};
    out.depth = 1;
    return out;
  }

  void advance(const typename G::Move&) {}

 private:
  // All children of the root; the unfinished ones are valued in one batch.
  void expand(const typename G::State& root, Verdict<G>& out) {
    moves_.clear();
    open_.clear();
    open_child_.clear();
    task_.game->moves(root, moves_);
    for (const auto& move : moves_) {
      typename G::State next = root;
      task_.game->play(next, move);
      const bool over = task_.game->over(next);
      out.children.push_back({move, over ? terminal_points(*task_.game, next, task_.points) : Scores{}, 0, over});
      if (over) continue;
      open_child_.push_back(out.children.size() - 1);
      open_.push_back(next);
    }
    values_.resize(open_.size());
    if (!open_.empty()) task_.evaluator.evaluate(open_, values_);
    for (std::size_t i = 0; i < open_.size(); ++i) out.children[open_child_[i]].value = values_[i];
    out.nodes = out.children.size();
    out.evaluations = open_.size();
  }

  Task<G> task_;
  Rng rng_;
  MoveList<G> moves_;
  std::vector<typename G::State> open_;
  std::vector<std::size_t> open_child_;
  std::vector<Scores> values_;
};

}  // namespace polymax::greedy
