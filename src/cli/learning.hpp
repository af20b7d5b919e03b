// Options and words that `train`, `selfplay` and `bench selfplay` share.
#pragma once

#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "learn/run.hpp"

namespace polymax::cli {

inline constexpr int kMaxMatches = 16'384;  // at once: each has a thread
inline constexpr int kMaxBatch = 65'536;

// The options of learn::PlaySettings.
inline Arguments play_fields() {
  using Play = learn::PlaySettings;
  const auto is_device = [](std::string_view name) {
    return name == "auto" || name == "cpu" || name == "cuda";
  };
  return {field("search", &Play::search, "teaching search"),
          field("budget", &Play::budget,
                "of a move; a line is always searched to its end (paper: seconds=2)"),
          field("device", &Play::device, "what values positions", "auto | cpu | cuda", +is_device),
          field("parallel", &Play::parallel,
                "matches at once; default: 256 on a GPU, one a core without", 1, kMaxMatches),
          field("keep-resolved", &Play::resolved,
                "MiB for solved positions that are known from match to match; 0: every match finds "
                "its own",
                0, 1 << 20),
          field("batch", &Play::batch, "positions a GPU values at once, at most", 1, kMaxBatch)};
}

// A line of this program on stderr.
void say(const std::string& text);

}  // namespace polymax::cli
