// What `train` and `selfplay` share: the matches of a teaching search, the engine that values their
// positions, and the folder of a run.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "catalog/any.hpp"
#include "learn/source.hpp"

namespace polymax::cli {

struct PlayOptions {
  std::string search = "descent", budget = "evals=100", device = "auto";
  int parallel = 0, batch = 2048, resolved = 0;
};

void add_play_options(CLI::App& command, PlayOptions& options);

// Throws Error for a bad search spec or budget.
void check(const PlayOptions& options);

bool on_gpu(const PlayOptions& options);
int matches_at_once(const PlayOptions& options, bool gpu);
std::shared_ptr<LiveNet> live_net(const PlayOptions& options, const Net& net, bool gpu);

// The game must outlive it.
learn::PlayMatch match_player(const PlayOptions& options, const AnyGame& game);

// A line of this program on stderr.
void say(const std::string& text);

bool is_run(const std::string& folder);
// run.json of a run. Throws Error when it is something else or of another game.
nlohmann::json run_description(const std::string& folder, const AnyGame& game);

}  // namespace polymax::cli
