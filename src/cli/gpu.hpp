// What commands that may use a GPU share.
#pragma once

#include <CLI/CLI.hpp>

#include "core/cores.hpp"
#include "nn/engines.hpp"

namespace polymax::cli {

inline void add_gpu_memory(CLI::App& command) {
  command
      .add_option_function<double>("--gpu-memory", &limit_gpu_memory,
                                   "GiB of a GPU that networks may take; default: most of what is "
                                   "free")
      ->check(CLI::Range(0.1, 10000.0));
}

// Matches at once when nobody says: hundreds wait for a GPU together, else one for each core.
// timed: by the clock, so that matches must not share cores.
inline int default_matches(bool gpu, bool timed) {
  return gpu && !timed ? kGpuMatches : cores();
}

}  // namespace polymax::cli
