// polymax play: people and engines in any seats, in the terminal.
#include <fmt/core.h>

#include <random>
#include <string>
#include <vector>

#include "arena/levels.hpp"
#include "arena/record.hpp"
#include "catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "cli/play_session.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "core/error.hpp"

namespace polymax::cli::play {

namespace {

struct Options {
  std::string game, level = "casual", budget = "seconds=1", load, save;
  std::vector<std::string> players, moves;
  std::uint64_t seed = 0;
  bool force = false, json = false;

  static Arguments fields() {
    return {
        maybe_argument(
            field("GAME", &Options::game, "game spec, e.g. quadrothello or 'hex3(side=5)'")),
        field("level", &Options::level,
              "of the engines when --players does not name them: beginner, casual, strong or "
              "maximum"),
        field("players", &Options::players,
              "a player for each seat joined by ';': human, a level or a search; one stands for "
              "all; default: you in seat 1",
              ';'),
        field("budget", &Options::budget,
              "what a search may spend on a move; levels have their own, and so may the players of "
              "a saved game"),
        unshown(field("seed", &Options::seed,
                      "of the start position and of the engines; default: another one every time")),
        field("moves", &Options::moves, "play these moves first"),
        existing_file(field("load", &Options::load,
                            "go on with a saved game, or the first record of a file")),
        output_file(field("save", &Options::save,
                          "write the game to this file at the end, as SGF when it ends in .sgf")),
        field("force", &Options::force,
              "write over the file of --save when it is there, without asking"),
        field("json", &Options::json,
              "print the finished game as one line of JSON and nothing else")};
  }
};

// A file may come from anybody: its players are searches and people, no programs to start.
void check_players_of_file(const arena::MatchRecord& record, const std::string& file) {
  for (const auto& name : record.players)
    if (name != "human" && !arena::is_level(name) && catalog::names_program(Spec::parse(name)))
      throw Error("'" + file + "' names a program to start (" + name +
                  "): name all players yourself, with --players");
}

arena::MatchRecord first_record(const Options& options, const Given& given) {
  if (!options.load.empty() && !options.game.empty())
    throw Error("give either GAME or --load, not both");
  if (options.load.empty() && options.game.empty())
    throw Error("GAME is required (or --load FILE); polymax list games shows them");
  arena::MatchRecord out;
  if (!options.load.empty()) {
    out = arena::read_records(options.load).at(0);
  } else {
    out.game = options.game;
    out.start = given.has("seed") ? options.seed : std::random_device{}();
  }
  for (const auto& move : options.moves) out.moves.emplace_back().move = move;
  if (!options.players.empty() || given.has("budget")) out.budgets.clear();
  if (!options.players.empty())
    out.players = options.players;
  else if (!options.load.empty())
    check_players_of_file(out, options.load);
  return out;
}

// The match so far in the file of --save, or in one of a free name; nothing when there is nothing
// to keep. Says where it is, after `why`.
void keep(PlaySession& session, const std::string& asked, const std::string& why) {
  const std::string free = session.name_to_keep();
  if (asked.empty() && free.empty()) return;
  const std::string& file = asked.empty() ? free : asked;
  session.save(file);
  tell(fmt::format("{}the game is kept; polymax play --load {} goes on with it\n", why, file));
}

// An engine, memory or a device may fail: the person's match is not lost with it.
void run_or_keep(PlaySession& session, const std::string& asked) {
  try {
    session.run();
  } catch (...) {
    try {
      keep(session, asked, "");
    } catch (const Error& error) {  // the first fault is the one to tell
      tell(fmt::format("{}\n", error.what()));
    }
    throw;
  }
}

int run(const Options& options, const Given& given) {
  const auto record = first_record(options, given);
  const StopOnSignal signals;
  PlaySession session({options.level, options.budget, options.json}, record, signals.token());
  if (!options.save.empty() &&
      !session.may_write(options.save, options.force || options.save == options.load, "--force"))
    return 0;
  run_or_keep(session, options.save);
  if (!options.save.empty()) session.save(options.save);
  session.finish();
  if (!signals.signal_name()) {
    if (options.save.empty() && session.drops_moves())
      tell("the game is not kept: type 'save FILE' before you quit, or give --save FILE\n");
    return 0;
  }
  keep(session, options.save, fmt::format("polymax: {}: ", signals.signal_name()));
  return kUnfinished;
}

}  // namespace

Command command() {
  return cli::command<Options>(
      "play", "play in the terminal, people and engines in any seats",
      "Example: polymax play quadrothello --level strong\n"
      "Example: polymax play quadrothello --players 'human;greedy;casual;mcts(c=0.5)'\n"
      "Ctrl-C keeps the game in a file, to go on with --load.",
      run);
}

}  // namespace polymax::cli::play
