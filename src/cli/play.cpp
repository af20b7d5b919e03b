// polymax play: people and engines in any seats, in the terminal.
#include <fmt/core.h>

#include <filesystem>
#include <random>
#include <string>
#include <system_error>
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

// Writes the match to the file of --save; where there is none, or the system refuses it, to one of
// a name that is free, in this folder or among temporary files. Its file.
std::string keep(PlaySession& session, const std::string& asked) {
  std::error_code none;
  std::vector<std::string> files{session.free_name("")};
  if (const auto folder = std::filesystem::temp_directory_path(none); !none)
    files.push_back(session.free_name(folder));
  if (!asked.empty()) files.insert(files.begin(), asked);
  for (std::size_t i = 0;; ++i) {
    try {
      session.save(files[i]);
      return files[i];
    } catch (const Error& error) {
      if (i + 1 == files.size()) throw;
      tell(fmt::format("polymax: {}\n", short_line(error.what())));
    }
  }
}

void tell_kept(const PlaySession& session, const std::string& file, const std::string& why) {
  tell(
      session.is_over()
          ? fmt::format("{}the game is kept in {}\n", why, file)
          : fmt::format("{}the game is kept; polymax play --load {} goes on with it\n", why, file));
}

// An engine, memory or a device may fail: the person's match is not lost with it.
void run_or_keep(PlaySession& session, const std::string& asked) {
  try {
    session.run();
  } catch (...) {
    try {
      if (!asked.empty() || session.is_underway()) tell_kept(session, keep(session, asked), "");
    } catch (const Error& error) {  // the first fault is the one to tell
      tell(fmt::format("{}\n", error.what()));
    }
    throw;
  }
}

// Keeps what is to be kept before it prints: the terminal may be gone.
int end(PlaySession& session, const std::string& asked, const char* signal) {
  const bool cut_short = signal != nullptr || session.is_hung_up();
  std::string file;
  if (!asked.empty() || (cut_short && session.is_underway())) file = keep(session, asked);
  session.finish();
  if (cut_short) {
    const std::string why = signal != nullptr ? signal : "the terminal is gone";
    if (!file.empty()) tell_kept(session, file, "polymax: " + why + ": ");
    return kUnfinished;
  }
  if (file != asked) {
    tell_kept(session, file, "");
    return 1;
  }
  if (asked.empty() && session.drops_moves())
    tell("the game is not kept: type 'save FILE' before you quit, or give --save FILE\n");
  return 0;
}

int run(const Options& options, const Given& given) {
  const auto record = first_record(options, given);
  const StopOnSignal signals;
  PlaySession session({options.level, options.budget, options.json}, record, signals.token());
  if (!options.save.empty() &&
      !session.may_write(options.save, options.force || options.save == options.load, "--force"))
    return 0;
  run_or_keep(session, options.save);
  return end(session, options.save, signals.signal_name());
}

}  // namespace

Command command() {
  return cli::command<Options>(
      "play", "play in the terminal, people and engines in any seats",
      "Example: polymax play quadrothello --level strong\n"
      "Example: polymax play quadrothello --players 'human;greedy;casual;mcts(c=0.5)'\n"
      "Ctrl-C, or closing the terminal, keeps the game in a file, to go on with --load.",
      run);
}

}  // namespace polymax::cli::play
