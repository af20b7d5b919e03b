// polymax perft: counts move sequences, the classic check of a move generator.
#include <fmt/core.h>

#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "core/json.hpp"

namespace polymax::cli::perft {

namespace {

struct Options {
  std::string game;
  int depth = 1;
  bool divide = false, json = false;
  std::vector<std::string> moves;
  std::uint64_t seed = 0;

  static Arguments fields() {
    return {argument(field("GAME", &Options::game, "game spec, e.g. othello or 'hex3(side=5)'")),
            argument(field("DEPTH", &Options::depth, "number of moves", 1, 100)),
            field("divide", &Options::divide, "also the count behind every first move"),
            field("moves", &Options::moves, "play these moves first"),
            field("seed", &Options::seed, "seed of the start position (fish)"),
            field("json", &Options::json, "one line of JSON")};
  }
};

void print_text(const Perft& counts, bool divide) {
  if (divide)
    for (const auto& [move, count] : counts.divided) fmt::print("{} {}\n", move, count);
  for (std::size_t d = 0; d < counts.sequences.size(); ++d)
    fmt::print("{} {}\n", d + 1, counts.sequences[d]);
}

void print_json(const AnyGame& game, const Perft& counts, bool divide) {
  Json out{{"game", game.spec()}, {"sequences", counts.sequences}};
  if (divide) {
    Json behind;
    for (const auto& [move, count] : counts.divided) behind[move] = count;
    out["divide"] = behind;
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

Command command() {
  return cli::command<Options>("perft", "count the move sequences of every length up to DEPTH",
                               "Example: polymax perft othello 4 --divide --moves d6,c4", run);
}

}  // namespace polymax::cli::perft
