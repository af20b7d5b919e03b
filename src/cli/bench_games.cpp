// polymax bench games: speed of the rules, by random play.
#include <fmt/core.h>

#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "core/json.hpp"

namespace polymax::cli::bench_games {

namespace {

struct Options {
  std::vector<std::string> games;
  double seconds = 2;
  std::uint64_t seed = 1;
  bool json = false;

  static Arguments fields() {
    return {rest(field("GAMES", &Options::games, "game specs; all games when none is given")),
            field("seconds", &Options::seconds, "CPU time for each game", 0.01, 3600),
            field("seed", &Options::seed, "seed of the random moves"),
            field("json", &Options::json, "one line of JSON a game")};
  }
};

std::vector<std::string> all_games() {
  std::vector<std::string> out;
  for (const auto& game : catalog::games()) out.push_back(game.entry.name);
  return out;
}

void print_text(const AnyGame& game, const RandomPlay& r) {
  const auto games = static_cast<double>(r.games), moves = static_cast<double>(r.moves);
  fmt::print("{:<16} {:>12.0f} {:>12.0f} {:>9.1f} {:>8.1f} {:>7} {:>8.1f} {:>6}   ", game.spec(),
             games / r.cpu_seconds, moves / r.cpu_seconds, 1e9 * r.cpu_seconds / moves,
             moves / games, fmt::format("{}-{}", r.shortest, r.longest),
             static_cast<double>(r.choices) / moves, r.most_choices);
  for (int p = 0; p < game.players(); ++p)
    fmt::print("{:.1f} ", 100 * r.wins[static_cast<std::size_t>(p)] / games);
  fmt::print("| {:.1f}\n", 100 * static_cast<double>(r.draws) / games);
  std::fflush(stdout);
}

void print_json(const AnyGame& game, const RandomPlay& r) {
  const auto games = static_cast<double>(r.games), moves = static_cast<double>(r.moves);
  std::vector<double> wins(r.wins.begin(), r.wins.begin() + game.players());
  for (auto& w : wins) w /= games;
  const Json out{{"bench", "games"},
                 {"game", game.spec()},
                 {"games", r.games},
                 {"cpu_seconds", r.cpu_seconds},
                 {"games_per_second", games / r.cpu_seconds},
                 {"moves_per_second", moves / r.cpu_seconds},
                 {"mean_length", moves / games},
                 {"shortest", r.shortest},
                 {"longest", r.longest},
                 {"mean_choices", static_cast<double>(r.choices) / moves},
                 {"most_choices", r.most_choices},
                 {"win_share", wins},
                 {"draw_share", static_cast<double>(r.draws) / games}};
  fmt::print("{}\n", out.dump());
  std::fflush(stdout);
}

void run(const Options& options) {
  // All are opened first: a bad spec is refused before anything is printed.
  std::vector<std::unique_ptr<const AnyGame>> games;
  for (const auto& spec : options.games.empty() ? all_games() : options.games)
    games.push_back(catalog::open_game(spec));
  if (!options.json)
    fmt::print("{:<16} {:>12} {:>12} {:>9} {:>8} {:>7} {:>8} {:>6}   wins % by seat | draws %\n",
               "game", "games/s", "moves/s", "ns/move", "length", "range", "choices", "most");
  for (const auto& game : games) {
    game->random_play(options.seed, {64, 0.1});  // warm-up
    const RandomPlay result = game->random_play(options.seed, {.cpu_seconds = options.seconds});
    options.json ? print_json(*game, result) : print_text(*game, result);
  }
}

}  // namespace

Command command() {
  return cli::command<Options>("games",
                               "random games a CPU-second, all legal moves generated at every ply",
                               "Example: polymax bench games hex 'hex3(side=5)' --seconds 5", run);
}

}  // namespace polymax::cli::bench_games
