// polymax about: version, build and what is inside.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "catalog/catalog.hpp"
#include "cli/command.hpp"
#include "core/commit.hpp"

namespace polymax::cli {

namespace {

constexpr const char* kBuild =
#ifdef NDEBUG
    "release";
#else
    "debug";
#endif

void run(bool json) {
  const auto games = catalog::games().size(), searches = catalog::searches().size(),
             evaluators = catalog::evaluators().size();
  if (json) {
    const nlohmann::ordered_json out{{"version", POLYMAX_VERSION},
                                     {"commit", commit()},
                                     {"build", kBuild},
                                     {"compiler", __VERSION__},
                                     {"games", games},
                                     {"searches", searches},
                                     {"evaluators", evaluators},
                                     {"max_players", kMaxPlayers}};
    fmt::print("{}\n", out.dump());
    return;
  }
  fmt::print(
      "polymax {} (commit {}, {} build, compiler {})\n"
      "{} games, {} searches, {} evaluators; up to {} seats. MIT licence.\n"
      "Blokus and Hey, That's My Fish! are names of their owners; this project is not connected "
      "with them.\n",
      POLYMAX_VERSION, commit(), kBuild, __VERSION__, games, searches, evaluators, kMaxPlayers);
}

}  // namespace

void add_about(CLI::App& app) {
  auto* command = app.add_subcommand("about", "version and contents");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "one line of JSON");
  command->footer("Example: polymax about");
  command->callback([json] { run(*json); });
}

}  // namespace polymax::cli
