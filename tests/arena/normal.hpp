// Normal random numbers for simulated results.
#pragma once

#include <algorithm>

#include "arena/statistics.hpp"
#include "core/rng.hpp"

namespace polymax::arena {

inline double normal(Rng& rng) {
  return normal_quantile(std::clamp(rng.uniform(), 1e-12, 1 - 1e-12));
}

}  // namespace polymax::arena
