// The ordinal law (Cohen-Solal 2020): which of n moves, ranked from best to worst, is played while
// learning. Walking down the ranking with k moves left, the current one is taken with probability e
// + (1-e)/k; so rank i has
//   P(i) = (1-e)^i (e(n-i) + 1-e) / n        e = 1: always the best; e = 0: uniform.
#pragma once

#include <cstddef>

#include "core/rng.hpp"

namespace polymax {

// A rank of 0..n-1, n >= 1.
inline std::size_t ordinal_rank(std::size_t n, double e, Rng& rng) {
  for (std::size_t rank = 0; rank + 1 < n; ++rank) {
    const auto left = static_cast<double>(n - rank);
    if (rng.uniform() < e + (1 - e) / left) return rank;
  }
  return n - 1;
}

}  // namespace polymax
