// polymax analyze: many positions at once as lines of JSON, or the matches of a file looked at
// again.
#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

#include "arena/levels.hpp"
#include "arena/record.hpp"
#include "arena/review.hpp"
#include "catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "cli/one_record.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "core/cores.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "protocol/analyzer.hpp"
#include "protocol/lines.hpp"
#include "report/review_svg.hpp"
#include "report/review_text.hpp"

namespace polymax::cli::analyze {

namespace {

struct Options {
  std::string game, player, budget = "evals=1000", record, svg;
  std::uint64_t seed = 0, top = 10, number = 1;
  double report_every = 0, mistake = 0.1, blunder = 0.25;
  int threads = 0;
  bool force = false, json = false;

  static Arguments fields() {
    return {
        field("game", &Options::game, "game of queries that name none"),
        field("player", &Options::player,
              "player of queries that name none; default: unbounded_maxn, with the game's shipped "
              "network where there is one"),
        field("budget", &Options::budget, "budget of queries that name none"),
        field("seed", &Options::seed, "seed of queries that name none"),
        field("top", &Options::top, "moves in an answer; 0: all"),
        field("report-every", &Options::report_every,
              "seconds between two reports of a query; 0: its answer alone", 0, 1e6),
        field("threads", &Options::threads, "queries at once; default: one for each core", 1, 4096),
        existing_file(field("record", &Options::record,
                            "look at a recorded match (SGF or JSON lines) instead of reading "
                            "queries")),
        field("number", &Options::number, "which match of the file, from 1", 1),
        field("mistake", &Options::mistake, "chances lost that make a mistake", 0, 1),
        field("blunder", &Options::blunder, "chances lost that make a blunder", 0, 1),
        output_file(field("svg", &Options::svg, "draw the curve of a record to this file")),
        field("force", &Options::force, "write over the file of --svg when it is there"),
        field("json", &Options::json, "a record as one line of JSON")};
  }
};

int threads_of(const Options& options) {
  return options.threads > 0 ? options.threads : cores();
}

void run_lines(const Options& options) {
  protocol::Query presets;
  presets.game = options.game;
  presets.player = options.player;
  presets.budget = options.budget;
  presets.seed = options.seed;
  presets.report_every = options.report_every;
  presets.top = options.top;
  catalog::parse_budget(options.budget);
  if (!options.game.empty()) {
    const auto game = catalog::open_game(options.game);
    if (!options.player.empty()) game->player(Spec::parse(options.player), 0);
  }
  StdoutLines out;
  {
    protocol::Analyzer analyzer(presets, arena::default_player, threads_of(options),
                                [&](const std::string& line) { out(line); });
    std::string line;
    while (!out.failed() && protocol::read_line(std::cin, line)) analyzer.take(line);
    if (!out.failed()) analyzer.finish();
  }
  out.check();
}

// The review, or nothing after a signal.
std::optional<arena::Review> reviewed(const arena::MatchRecord& record,
                                      const arena::ReviewSettings& settings) {
  const StopOnSignal signals;
  const bool watched = ::isatty(2) == 1;
  try {
    return arena::review(
        record, settings,
        [&](std::size_t i, std::size_t n) {
          if (watched) tell(fmt::format("\r{} of {} thoughts{}", i, n, i == n ? "\n" : ""));
        },
        signals.token());
  } catch (const Error&) {
    if (!signals.signal_name()) throw;
    tell(fmt::format("{}polymax: {}: the same command begins again\n", watched ? "\n" : "",
                     signals.signal_name()));
    return std::nullopt;
  }
}

int run_record(const Options& options) {
  const auto record = one_record(options.record, options.number);
  arena::ReviewSettings settings;
  settings.player = options.player.empty() ? arena::default_player(*catalog::open_game(record.game))
                                           : options.player;
  settings.budget = catalog::parse_budget(options.budget);
  settings.seed = options.seed;
  settings.threads = threads_of(options);
  settings.mistake = options.mistake;
  settings.blunder = options.blunder;
  const auto seen = reviewed(record, settings);
  if (!seen) return kUnfinished;
  if (!options.svg.empty()) write_file(options.svg, report::review_svg(*seen));
  if (options.json)
    fmt::print("{}\n", report::review_line(*seen));
  else
    fmt::print("{}", report::review_text(*seen));
  return 0;
}

// Options that one of the two uses has alone.
void check_use(const Options& options, const Given& given) {
  if (options.record.empty()) {
    for (const std::string key : {"number", "mistake", "blunder", "svg", "force", "json"})
      if (given.has(key)) throw Error("--" + key + " is of a match: give --record FILE too");
  } else {
    for (const std::string key : {"top", "report-every"})
      if (given.has(key)) throw Error("--" + key + " is of queries: it goes without --record");
  }
}

int run(const Options& options, const Given& given) {
  check_use(options, given);
  if (given.has("player")) Spec::parse(options.player);
  if (options.record.empty()) return run_lines(options), 0;
  if (!options.game.empty()) throw Error("give either --game or --record: a record names its game");
  if (!options.svg.empty() && !options.force && std::filesystem::exists(options.svg))
    throw Error("'" + options.svg + "' exists already: give another name, or --force");
  return run_record(options);
}

}  // namespace

Command command() {
  return cli::command<Options>(
      "analyze", "many positions at once, queries and answers as lines of JSON; or a whole record",
      "Example: echo '{\"id\":1,\"moves\":[\"f6\"]}' | polymax analyze --game hex --budget "
      "evals=5000\n"
      "Example: polymax analyze --record games.sgf --svg curve.svg\n"
      "docs/protocol.md describes queries and answers.",
      run);
}

}  // namespace polymax::cli::analyze
