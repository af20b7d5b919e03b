// Unbounded Best-First Minimax with completion and safe decision (Korf, Chickering 1996;
// Cohen-Solal 2020) for two zero-sum seats. With more seats all others are one coalition that
// minimises the points of the seat to move at the root (Paranoid), which the Max^n paper names as
// future work. Chosen: the tree is thrown away when another seat thinks, since all its values are
// from the first one's view.
#pragma once

#include "tree/best_first_search.hpp"

namespace polymax::unbounded_minimax {

template <Game G>
class Search : public BestFirstSearch<G> {
 public:
  using Params = BestFirstParams;

  static constexpr About about{
      "Unbounded Minimax with completion; more seats: all against the mover", 1,
      "https://arxiv.org/abs/2008.01188"};

  explicit Search(const Task<G>& task, const Params& params = {})
      : BestFirstSearch<G>(task, params, Others::coalition) {}
};

}  // namespace polymax::unbounded_minimax
