// Options and words that `train`, `selfplay` and `bench selfplay` share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "learn/run.hpp"

namespace polymax::cli {

void add_play_options(CLI::App& command, learn::PlaySettings& options);

// A line of this program on stderr.
void say(const std::string& text);

}  // namespace polymax::cli
