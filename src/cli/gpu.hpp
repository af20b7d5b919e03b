// What commands that may use a GPU share.
#pragma once

#include <tuple>

#include "cli/command.hpp"
#include "core/cores.hpp"
#include "nn/engines.hpp"

namespace polymax::cli {

struct GpuOptions {
  double memory = 0;

  static auto fields() {
    return std::tuple{field("gpu-memory", &GpuOptions::memory,
                            "GiB of a GPU that networks may take; default: most of what is free",
                            0.1, 10000)};
  }

  // Before the first network is loaded.
  void apply() const {
    if (memory > 0) limit_gpu_memory(memory);
  }
};

// Matches at once when nobody says: hundreds wait for a GPU together, else one for each core.
// timed: by the clock, so that matches must not share cores.
inline int default_matches(bool gpu, bool timed) {
  return gpu && !timed ? kGpuMatches : cores();
}

}  // namespace polymax::cli
