// polymax bench searches: nodes and evaluations a second and bytes a node of every search,
// simulations a second of Monte-Carlo search with random games, and what a second thread brings.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/json.hpp"

namespace polymax::cli::bench_searches {

namespace {

struct Options {
  std::vector<std::string> games, searches;
  double seconds = 0.5;
  std::uint64_t seed = 1;
  bool json = false;

  static Arguments fields() {
    return {rest(field("GAMES", &Options::games, "game specs; a fixed choice when none is given")),
            field("only", &Options::searches, "only these searches"),
            field("seconds", &Options::seconds, "time for each line", 0.01, 3600),
            field("seed", &Options::seed, "seed of searches and start positions"),
            field("json", &Options::json, "one line of JSON a measurement")};
  }
};

const std::vector<std::string> kSearchGames{"othello", "hex3", "quadrothello", "blokus"};
const std::vector<std::string> kSimulationGames{"hex", "othello", "amazons", "hex3", "fish"};
const std::string kCostly = "playouts(n=50)";

struct Rates {
  double nodes = 0, evaluations = 0;     // a second
  double bytes_per_node = 0, depth = 0;  // of the last search
};

// Searches of the start position, each by a fresh player, for the given time; `clock` tells what a
// second is.
Rates measure(const AnyGame& game, const std::string& player, const Options& options,
              double (*clock)()) {
  const auto match = game.start(options.seed);
  Rates out;
  double spent = 0;
  for (const double begin = wall_seconds(); wall_seconds() - begin < options.seconds;) {
    const auto fresh = game.player(Spec::parse(player), options.seed);
    Budget budget;
    budget.seconds = std::max(1e-6, options.seconds - (wall_seconds() - begin));
    const double before = clock();
    const auto verdict = fresh->think(*match, budget);
    spent += clock() - before;
    out.nodes += static_cast<double>(verdict.cost.nodes);
    out.evaluations += static_cast<double>(verdict.cost.evaluations);
    out.bytes_per_node = verdict.cost.nodes == 0 ? 0
                                                 : static_cast<double>(verdict.cost.bytes) /
                                                       static_cast<double>(verdict.cost.nodes);
    out.depth = verdict.cost.depth;
  }
  out.nodes /= spent;
  out.evaluations /= spent;
  return out;
}

const GameEntry* entry_of(const std::string& game_spec) {
  const auto& games = catalog::games();
  const auto found = std::ranges::find(games, Spec::parse(game_spec).name,
                                       [](const GameEntry& game) { return game.entry.name; });
  return found == games.end() ? nullptr : &*found;
}

// The games asked for, else those of the list that exist.
std::vector<std::string> games_of(const Options& options, const std::vector<std::string>& preset) {
  if (!options.games.empty()) return options.games;
  std::vector<std::string> out;
  std::ranges::copy_if(preset, std::back_inserter(out), entry_of);
  return out;
}

// The search with the evaluators of interest that the game offers; as it is when it takes none.
std::vector<std::string> players_of(const GameEntry& game, const Entry& search) {
  const auto eval = std::ranges::find(search.settings, "eval", &SettingInfo::key);
  if (eval == search.settings.end()) return {search.name};
  std::vector<std::string> wanted{"estimate", "zero"};
  if (eval->preset == "playouts") wanted = {"playouts", "estimate"};
  std::vector<std::string> out;
  for (const auto& name : wanted)
    if (std::ranges::find(game.evaluators, name, &Entry::name) != game.evaluators.end())
      out.push_back(search.name + "(eval=" + name + ")");
  return out;
}

void print(const Options& options, const std::string& bench, const AnyGame& game,
           const std::string& player, const Rates& r) {
  if (options.json) {
    const Json out{{"bench", bench},
                   {"game", game.spec()},
                   {"player", player},
                   {"nodes_per_second", r.nodes},
                   {"evaluations_per_second", r.evaluations},
                   {"bytes_per_node", r.bytes_per_node},
                   {"depth", r.depth}};
    fmt::print("{}\n", out.dump());
  } else {
    fmt::print("{:<16} {:<36} {:>12.0f} {:>12.0f} {:>9.1f} {:>6}\n", game.spec(), player, r.nodes,
               r.evaluations, r.bytes_per_node, r.depth);
  }
  std::fflush(stdout);
}

bool wanted(const Options& options, const std::string& search) {
  return options.searches.empty() ||
         std::ranges::find(options.searches, search) != options.searches.end();
}

void bench_searches(const Options& options) {
  for (const auto& spec : games_of(options, kSearchGames)) {
    const auto game = catalog::open_game(spec);
    for (const auto& search : entry_of(spec)->searches) {
      if (!wanted(options, search.name)) continue;
      for (const auto& player : players_of(*entry_of(spec), search))
        print(options, "searches", *game, player,
              measure(*game, player, options, thread_cpu_seconds));
    }
  }
}

void bench_simulations(const Options& options) {
  if (!options.json)
    fmt::print("\nMonte-Carlo search with random games: evaluations/s are simulations/s\n");
  for (const auto& spec : games_of(options, kSimulationGames)) {
    const auto game = catalog::open_game(spec);
    print(options, "simulations", *game, "mcts",
          measure(*game, "mcts", options, thread_cpu_seconds));
  }
}

// One thread against two with a costly evaluator: wall time, so the machine should be idle.
void bench_threads(const Options& options) {
  const auto specs = games_of(options, {"hex"});
  if (specs.empty()) return;
  const auto game = catalog::open_game(specs[0]);
  bool first = true;
  for (const auto& search : entry_of(specs[0])->searches) {
    if (!wanted(options, search.name) ||
        std::ranges::find(search.settings, "threads", &SettingInfo::key) == search.settings.end())
      continue;
    if (std::exchange(first, false) && !options.json)
      fmt::print("\nsearches with several threads, by the clock on the wall\n");
    std::vector<double> rates;
    for (const int threads : {1, 2}) {
      const auto player = fmt::format("{}(threads={},eval={})", search.name, threads, kCostly);
      const auto r = measure(*game, player, options, wall_seconds);
      print(options, "threads", *game, player, r);
      rates.push_back(r.evaluations);
    }
    if (!options.json)
      fmt::print("{:<16} two threads: {:.2f} times one\n", "", rates[1] / rates[0]);
  }
}

// Every search that was named is one, and one of the games asked for offers it.
void check(const Options& options) {
  const auto games = games_of(options, kSearchGames);
  for (const auto& spec : games) catalog::open_game(spec);
  for (const auto& name : options.searches) {
    if (std::ranges::find(catalog::searches(), name, &Entry::name) == catalog::searches().end())
      throw Error("--only: no search '" + name + "'; polymax list searches shows them");
    const auto offers = [&](const std::string& spec) {
      const auto& searches = entry_of(spec)->searches;
      return std::ranges::find(searches, name, &Entry::name) != searches.end();
    };
    if (std::ranges::none_of(games, offers))
      throw Error("--only: the search '" + name + "' is not offered for the games asked for");
  }
}

void run(const Options& options) {
  check(options);
  if (!options.json)
    fmt::print("{:<16} {:<36} {:>12} {:>12} {:>9} {:>6}\n", "game", "player", "nodes/s", "evals/s",
               "bytes/node", "depth");
  bench_searches(options);
  if (wanted(options, "mcts")) bench_simulations(options);
  bench_threads(options);
}

}  // namespace

Command command() {
  return cli::command<Options>(
      "searches", "nodes and evaluations a second, bytes a node, of every search",
      "Example: polymax bench searches othello hex --only mcts,maxn --seconds 2", run);
}

}  // namespace polymax::cli::bench_searches
