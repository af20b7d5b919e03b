// Knows nothing: every unfinished position is worth 0 to everybody.
#pragma once

#include <algorithm>
#include <span>

#include "core/evaluator.hpp"

namespace polymax::zero {

template <Game G>
class Eval {
 public:
  using Params = NoSettings;

  static constexpr About about{"0 for every seat", 1, ""};

  explicit Eval(const EvaluatorSetup<G>&, Params = {}) {}

  void evaluate(std::span<const typename G::State>, std::span<Scores> out) {
    std::ranges::fill(out, Scores{});
  }
};

}  // namespace polymax::zero
