// What commands that may use a GPU share.
#pragma once

#include "cli/command.hpp"
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

}  // namespace polymax::cli
