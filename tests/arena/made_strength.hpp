// A made-up result of matches that measure strength.
#pragma once

#include <string>

#include "arena/strength.hpp"

namespace polymax::arena {

inline StrengthResult made_strength(std::uint64_t net, const std::string& opponent, double mean) {
  return {net,
          "id" + std::to_string(net),
          opponent,
          opponent,
          "unbounded_maxn",
          "evals=100",
          10,
          0,
          7,
          1,
          2,
          0,
          {mean, mean - 0.1, mean + 0.1, true}};
}

}  // namespace polymax::arena
