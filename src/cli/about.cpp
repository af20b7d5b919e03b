// polymax about: version, build and what is inside.
#include <fmt/core.h>

#include "catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "core/commit.hpp"
#include "core/json.hpp"

namespace polymax::cli::about {

namespace {

constexpr const char* kBuild =
#ifdef NDEBUG
    "release";
#else
    "debug";
#endif

struct Options {
  bool json = false;
  static Arguments fields() { return {field("json", &Options::json, "one line of JSON")}; }
};

void run(const Options& options) {
  const auto games = catalog::games().size(), searches = catalog::searches().size(),
             evaluators = catalog::evaluators().size();
  if (options.json) {
    const Json out{{"version", POLYMAX_VERSION},
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

Command command() {
  return cli::command<Options>("about", "version and contents", "Example: polymax about", run);
}

}  // namespace polymax::cli::about
