// polymax record: look at recorded matches, play them again by the rules, turn them from one format
// into the other.
#include "arena/record.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "arena/sgf.hpp"
#include "catalog/catalog.hpp"
#include "cli/board.hpp"
#include "cli/command.hpp"
#include "core/error.hpp"
#include "core/file.hpp"

namespace polymax::cli {

namespace {

struct Options {
  std::string file, to;
  std::size_t number = 1;
  std::int64_t move = -1;
  bool json = false;
};

std::string seats_text(const Scores& scores, std::size_t players) {
  std::string out;
  for (std::size_t p = 0; p < players; ++p)
    out += fmt::format("{}{:g}", p == 0 ? "" : " ", scores.seats[p]);
  return out;
}

arena::MatchRecord pick(const Options& options) {
  auto records = arena::read_records(options.file);
  if (options.number < 1 || options.number > records.size())
    throw Error(fmt::format("'{}' holds {} matches: --number {} is not there", options.file,
                            records.size(), options.number));
  return records[options.number - 1];
}

// The position after `count` moves, on the board.
void print_board(const arena::MatchRecord& record, std::size_t count) {
  const auto game = catalog::open_game(record.game);
  const auto match = game->start(record.start);
  for (std::size_t i = 0; i < count; ++i) {
    try {
      match->play(record.moves[i].move);
    } catch (const Error& error) {
      throw Error(fmt::format("move {}: {}", i + 1, error.what()));
    }
  }
  fmt::print("\n{}", board_text(match->draw(), colour_wanted()));
}

void print_moves(const arena::MatchRecord& record, std::size_t count) {
  const std::size_t players = record.players.size();
  std::size_t width = 4;
  for (const auto& move : record.moves) width = std::max(width, move.move.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto& move = record.moves[i];
    fmt::print("{:>4}  seat {}  {:<{}}", i + 1, move.seat + 1, move.move, width);
    if (move.valued)
      fmt::print("  value {}  evaluations {}", seats_text(move.value, players), move.evaluations);
    fmt::print("\n");
  }
}

void run_show(const Options& options) {
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
  fmt::print("score {}, gain {}, points {}\n", seats_text(record.score, record.players.size()),
             seats_text(record.gain, record.players.size()),
             seats_text(record.points, record.players.size()));
}

void run_replay(const Options& options) {
  const auto records = arena::read_records(options.file);
  std::size_t moves = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    try {
      arena::replay(records[i]);
    } catch (const Error& error) {
      throw Error(fmt::format("'{}' match {}: {}", options.file, i + 1, error.what()),
                  Error::Kind::failed);
    }
    moves += records[i].moves.size();
  }
  if (options.json)
    return fmt::print("{}\n",
                      nlohmann::ordered_json{{"matches", records.size()}, {"moves", moves}}.dump());
  fmt::print("{} matches, {} moves: all legal, all results right\n", records.size(), moves);
}

void run_convert(const Options& options) {
  if (!options.to.ends_with(".sgf") && !options.to.ends_with(".jsonl") &&
      !options.to.ends_with(".json"))
    throw Error("'" + options.to + "' should end in .sgf, .jsonl or .json: that says the format");
  if (std::filesystem::exists(options.to))
    throw Error("'" + options.to + "' exists already: give another name");
  const auto records = arena::read_records(options.file);
  write_file(options.to, arena::records_text(records, options.to));
  fmt::print("{} matches written to {}\n", records.size(), options.to);
}

}  // namespace

void add_record(CLI::App& app) {
  auto* record = app.add_subcommand(
      "record", "recorded matches: show, replay, convert between SGF and JSON lines");
  record->require_subcommand(1);
  record->footer("Example: polymax record show games.sgf --number 2");
  auto options = std::make_shared<Options>();
  const auto add = [&](const char* name, const char* help, void (*run)(const Options&),
                       const char* example) {
    auto* command = record->add_subcommand(name, help);
    command->add_option("FILE", options->file, "records: SGF, or one line of JSON each")
        ->required();
    command->footer(example);
    command->callback([run, options] { run(*options); });
    return command;
  };
  auto* show = add("show", "moves, values and the board of one match", run_show,
                   "Example: polymax record show games.sgf --number 2 --move 10");
  show->add_option("--number", options->number, "which match of the file, from 1")
      ->capture_default_str();
  show->add_option("--move", options->move, "up to this move; default: all")
      ->check(CLI::NonNegativeNumber);
  show->add_flag("--json", options->json, "one line of JSON");
  auto* replay = add("replay", "play every match again by the rules and check its result",
                     run_replay, "Example: polymax record replay games.jsonl");
  replay->add_flag("--json", options->json, "one line of JSON");
  auto* convert = add("convert", "write the matches in the other format", run_convert,
                      "Example: polymax record convert games.jsonl games.sgf");
  convert->add_option("TO", options->to, "new file that ends in .sgf, .jsonl or .json")->required();
}

}  // namespace polymax::cli
