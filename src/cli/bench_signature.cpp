// polymax bench signature: one number for the behaviour of all games and searches.
#include <fmt/core.h>

#include "catalog/signature.hpp"
#include "cli/commands.hpp"
#include "core/json.hpp"

namespace polymax::cli::bench_signature {

namespace {

struct Options {
  bool verbose = false, json = false;

  static Arguments fields() {
    return {field("verbose", &Options::verbose, "a line for each game and search"),
            field("json", &Options::json, "one line of JSON")};
  }
};

void run(const Options& options) {
  const auto lines = catalog::signature_lines();
  if (options.json) {
    std::vector<Json> parts;
    for (const auto& line : lines)
      parts.push_back(Json{{"game", line.game},
                           {"search", line.search},
                           {"nodes", line.nodes},
                           {"evaluations", line.evaluations}});
    const Json out{
        {"bench", "signature"}, {"signature", catalog::signature_of(lines)}, {"parts", parts}};
    return fmt::print("{}\n", out.dump());
  }
  if (options.verbose)
    for (const auto& line : lines)
      fmt::print("{:<14} {:<18} {:>8} {:>8} {:016x}\n", line.game,
                 line.search.empty() ? "(random games)" : line.search, line.nodes, line.evaluations,
                 line.fingerprint);
  fmt::print("{}\n", catalog::signature_of(lines));
}

}  // namespace

Command command() {
  return cli::command<Options>("signature",
                               "one number for the behaviour of all games and searches",
                               "Example: polymax bench signature --verbose", run);
}

}  // namespace polymax::cli::bench_signature
