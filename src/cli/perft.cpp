// polymax perft: counts move sequences, the classic check of a move generator.
#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "cli/command.hpp"

namespace polymax::cli {

namespace {

struct Options {
  std::string game;
  int depth = 1;
  bool divide = false, json = false;
  std::vector<std::string> moves;
  std::uint64_t seed = 0;
};

void print_text(const Perft& counts, bool divide) {
  if (divide)
    for (const auto& [move, count] : counts.divided) fmt::print("{} {}\n", move, count);
  for (std::size_t d = 0; d < counts.sequences.size(); ++d)
    fmt::print("{} {}\n", d + 1, counts.sequences[d]);
}

void print_json(const AnyGame& game, const Perft& counts, bool divide) {
  nlohmann::ordered_json out{{"game", game.spec()}, {"sequences", counts.sequences}};
  if (divide) {
    out["divide"] = nlohmann::ordered_json::object();
    for (const auto& [move, count] : counts.divided) out["divide"][move] = count;
  }
  fmt::print("{}\n", out.dump());
}

void run(const Options& options) {
  const auto game = catalog::open_game(options.game);
  const auto match = game->start(options.seed);
  for (const auto& move : options.moves) match->play(move);
  const Perft counts = game->perft(*match, options.depth);
  options.json ? print_json(*game, counts, options.divide) : print_text(counts, options.divide);
}

}  // namespace

void add_perft(CLI::App& app) {
  auto* command =
      app.add_subcommand("perft", "count the move sequences of every length up to DEPTH");
  auto options = std::make_shared<Options>();
  command->add_option("GAME", options->game, "game spec, e.g. othello or 'hex3(side=5)'")
      ->required();
  command->add_option("DEPTH", options->depth, "number of moves")
      ->required()
      ->check(CLI::Range(1, 100));
  command->add_flag("--divide", options->divide, "also the count behind every first move");
  command->add_option("--moves", options->moves, "play these moves first")->delimiter(',');
  command->add_option("--seed", options->seed, "seed of the start position (fish)");
  command->add_flag("--json", options->json, "one line of JSON");
  command->footer("Example: polymax perft othello 4 --divide --moves d3,c3");
  command->callback([options] { run(*options); });
}

}  // namespace polymax::cli
