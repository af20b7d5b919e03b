#include "cli/learning.hpp"

#include <fmt/core.h>

#include "cli/gpu.hpp"

namespace polymax::cli {

void add_play_options(CLI::App& command, learn::PlaySettings& options) {
  command.add_option("--search", options.search, "teaching search")->capture_default_str();
  command
      .add_option("--budget", options.budget,
                  "of a move; a line is always searched to its end (paper: seconds=2)")
      ->capture_default_str();
  command.add_option("--device", options.device, "cpu, cuda or auto")->capture_default_str();
  command.add_option("--parallel", options.parallel,
                     "matches at once; default: 256 on a GPU, one a core without");
  command
      .add_option("--keep-resolved", options.resolved,
                  "MiB for solved positions that are known from match to match; 0: every match "
                  "finds its own")
      ->check(CLI::Range(0, 1 << 20))
      ->capture_default_str();
  command.add_option("--batch", options.batch, "positions a GPU values at once, at most")
      ->capture_default_str();
  add_gpu_memory(command);
}

void say(const std::string& text) {
  fmt::print(stderr, "polymax: {}\n", text);
}

}  // namespace polymax::cli
