// polymax bench signature: one number for the behaviour of all games and searches.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "catalog/signature.hpp"
#include "cli/command.hpp"

namespace polymax::cli {

namespace {

struct Options {
  bool verbose = false, json = false;
};

void run(const Options& options) {
  const auto lines = catalog::signature_lines();
  if (options.json) {
    nlohmann::ordered_json parts = nlohmann::ordered_json::array();
    for (const auto& line : lines)
      parts.push_back({{"game", line.game},
                       {"search", line.search},
                       {"nodes", line.nodes},
                       {"evaluations", line.evaluations}});
    const nlohmann::ordered_json out{
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

void add_bench_signature(CLI::App& bench) {
  auto* command =
      bench.add_subcommand("signature", "one number for the behaviour of all games and searches");
  auto options = std::make_shared<Options>();
  command->add_flag("--verbose", options->verbose, "a line for each game and search");
  command->add_flag("--json", options->json, "one line of JSON");
  command->footer("Example: polymax bench signature --verbose");
  command->callback([options] { run(*options); });
}

}  // namespace polymax::cli
