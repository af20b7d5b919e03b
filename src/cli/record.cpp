// polymax record: look at recorded matches, play them again by the rules, turn them from one format
// into the other.
#include "arena/record.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "arena/sgf.hpp"
#include "catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "cli/one_record.hpp"
#include "cli/terminal.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "core/seats_text.hpp"
#include "report/board_text.hpp"

namespace polymax::cli::record {

namespace {

constexpr int kDigits = 6;
constexpr const char* kFileHelp = "records: SGF, or one line of JSON each";

struct ShowOptions {
  std::string file;
  std::uint64_t number = 1;
  int move = -1;
  bool json = false;

  static Arguments fields() {
    return {existing_file(argument(field("FILE", &ShowOptions::file, kFileHelp))),
            field("number", &ShowOptions::number, "which match of the file, from 1", 1),
            field("move", &ShowOptions::move, "up to this move; default: all", 0, 1'000'000),
            field("json", &ShowOptions::json, "one line of JSON")};
  }
};

struct ReplayOptions {
  std::string file;
  bool json = false;

  static Arguments fields() {
    return {existing_file(argument(field("FILE", &ReplayOptions::file, kFileHelp))),
            field("json", &ReplayOptions::json, "one line of JSON")};
  }
};

struct ConvertOptions {
  std::string file, to;

  static Arguments fields() {
    return {existing_file(argument(field("FILE", &ConvertOptions::file, kFileHelp))),
            output_file(argument(field("TO", &ConvertOptions::to,
                                       "new file that ends in .sgf, .blksgf, .jsonl or .json")))};
  }
};

// The record, played by the rules. Throws Error that says which match of the file is wrong.
arena::MatchRecord checked(const arena::MatchRecord& record, const std::string& file,
                           std::size_t number, Error::Kind kind = Error::Kind::usage) {
  try {
    return arena::replay(record);
  } catch (const Error& error) {
    throw Error(fmt::format("'{}' match {}: {}", file, number, error.what()), kind);
  }
}

arena::MatchRecord pick(const ShowOptions& options) {
  return checked(one_record(options.file, options.number), options.file, options.number);
}

// The position after `count` moves, on the board.
void print_board(const arena::MatchRecord& record, std::size_t count) {
  const auto game = catalog::open_game(record.game);
  const auto match = game->start(record.start);
  for (std::size_t i = 0; i < count; ++i) match->play(record.moves[i].move);
  fmt::print("\n{}", board_text(match->draw(), wanted_colours()));
}

void print_moves(const arena::MatchRecord& record, std::size_t count) {
  const std::size_t players = record.players.size();
  std::size_t width = 4;
  for (const auto& move : record.moves) width = std::max(width, move.move.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto& move = record.moves[i];
    fmt::print("{:>4}  seat {}  {:<{}}", i + 1, move.seat + 1, move.move, width);
    if (move.valued)
      fmt::print("  value {}  evaluations {}", seats_text(move.value, players, kDigits),
                 move.evaluations);
    fmt::print("\n");
  }
}

void run_show(const ShowOptions& options) {
  const auto record = pick(options);
  if (options.json) return fmt::print("{}\n", arena::record_line(record));
  const std::size_t all = record.moves.size();
  const auto count = options.move < 0 ? all : std::min(all, static_cast<std::size_t>(options.move));
  fmt::print("{}, seed {}\n", record.game, record.start);
  for (std::size_t p = 0; p < record.players.size(); ++p)
    fmt::print("seat {}  {}\n", p + 1, record.players[p]);
  print_moves(record, count);
  print_board(record, count);
  if (!record.error.empty()) return fmt::print("failed: {}\n", record.error);
  if (!record.over) return fmt::print("not finished\n");
  if (record.forfeit >= 0)
    return fmt::print("forfeited by seat {}: {}\n", record.forfeit + 1, record.reason);
  const std::size_t players = record.players.size();
  fmt::print("score {}, gain {}, points {}\n", seats_text(record.score, players, kDigits),
             seats_text(record.gain, players, kDigits),
             seats_text(record.points, players, kDigits));
}

void run_replay(const ReplayOptions& options) {
  const auto records = arena::read_records(options.file);
  std::size_t moves = 0;
  for (std::size_t i = 0; i < records.size(); ++i)
    moves += checked(records[i], options.file, i + 1, Error::Kind::failed).moves.size();
  if (options.json)
    return fmt::print("{}\n", Json{{"matches", records.size()}, {"moves", moves}}.dump());
  fmt::print("{} matches, {} moves: all legal, all results right\n", records.size(), moves);
}

void run_convert(const ConvertOptions& options) {
  arena::check_record_name(options.to);
  if (std::filesystem::exists(options.to))
    throw Error("'" + options.to + "' exists already: give another name");
  auto records = arena::read_records(options.file);
  for (std::size_t i = 0; i < records.size(); ++i)
    records[i] = checked(records[i], options.file, i + 1);
  write_file(options.to, arena::records_text(records, options.to));
  fmt::print("{} matches written to {}\n", records.size(), options.to);
}

}  // namespace

Command command() {
  return command_of_parts(
      "record", "recorded matches: show, replay, convert between SGF and JSON lines",
      "Example: polymax record show games.sgf --number 2",
      {cli::command<ShowOptions>("show", "moves, values and the board of one match",
                                 "Example: polymax record show games.sgf --number 2 --move 10",
                                 run_show),
       cli::command<ReplayOptions>("replay",
                                   "play every match again by the rules and check its result",
                                   "Example: polymax record replay games.jsonl", run_replay),
       cli::command<ConvertOptions>("convert", "write the matches in the other format",
                                    "Example: polymax record convert games.jsonl games.sgf",
                                    run_convert)});
}

}  // namespace polymax::cli::record
