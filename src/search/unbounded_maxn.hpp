// Unbounded Max^n with completion and safe decision: best-first search in which every seat
// maximises its own component (Cohen-Solal, Study and Improvement of Search Algorithms in
// Multi-Player Perfect-Information Games, section 3). Differs: resolution and stale edges, see
// tree/completion.hpp and tree/best_first_engine.hpp; literal=on, refresh=off is the published
// algorithm.
#pragma once

#include "tree/best_first_search.hpp"

namespace polymax::unbounded_maxn {

template <Game G>
class Search : public BestFirstSearch<G> {
 public:
  using Params = BestFirstParams;

  static constexpr About about{"Unbounded Max^n with completion", 1,
                               "https://arxiv.org/abs/2604.17378"};

  explicit Search(const Task<G>& task, const Params& params = {})
      : BestFirstSearch<G>(task, params, Others::each_for_itself) {}
};

}  // namespace polymax::unbounded_maxn
