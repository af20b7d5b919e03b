// What commands that may use a GPU share.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cli/command.hpp"
#include "core/cores.hpp"
#include "nn/engines.hpp"

namespace polymax::cli {

struct GpuOptions {
  double memory = 0;

  static Arguments fields() {
    return {field("gpu-memory", &GpuOptions::memory,
                  "GiB of a GPU that networks may take; default: most of what is free", 0.1,
                  10000)};
  }

  // Before the first network is loaded.
  void apply() const {
    if (memory > 0) limit_gpu_memory(memory);
  }
};

// Matches at once when nobody says: hundreds wait for a GPU together, else one for each core.
// timed: by the clock, so that matches must not share cores. evaluations: of a move, at most.
inline int default_matches(bool gpu, bool timed, std::uint64_t evaluations) {
  if (!gpu || timed) return cores();
  constexpr std::uint64_t kEvaluations = 2'048'000;  // of the trees of all matches
  const std::uint64_t fitting = kEvaluations / std::max<std::uint64_t>(1, evaluations);
  return static_cast<int>(std::clamp<std::uint64_t>(fitting, kGpuMatches, kMostGpuMatches));
}

}  // namespace polymax::cli
