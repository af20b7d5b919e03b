// How many matches to play at once when nobody says.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/cores.hpp"
#include "nn/engines.hpp"

namespace polymax {

struct MatchLoad {
  bool gpu = false;               // a player asks a network on a GPU
  bool timed = false;             // budgets are seconds: matches must not share cores
  std::uint64_t evaluations = 0;  // of a move, at most
};

// Hundreds wait for a GPU together, as far as their trees fit into the memory; else one for each
// core.
inline int default_matches(const MatchLoad& load) {
  if (!load.gpu || load.timed) return cores();
  constexpr std::uint64_t kEvaluations = 2'048'000;  // of the trees of all matches
  const std::uint64_t fitting = kEvaluations / std::max<std::uint64_t>(1, load.evaluations);
  return static_cast<int>(std::clamp<std::uint64_t>(fitting, kGpuMatches, kMostGpuMatches));
}

}  // namespace polymax
