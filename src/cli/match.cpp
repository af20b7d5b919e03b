// polymax match: players against each other in one game, seats rotated, with a live table, intervals and records.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arena/parallel.hpp"
#include "arena/record.hpp"
#include "arena/tournament.hpp"
#include "catalog/catalog.hpp"
#include "cli/command.hpp"
#include "cli/signals.hpp"
#include "cli/words.hpp"
#include "core/error.hpp"

namespace polymax::cli {

namespace {

using arena::PlayerResult;
using arena::TournamentResult;

struct Options {
  std::string game, players, budget = "evals=1000", budgets, records, sprt;
  std::uint64_t games = 10, seed = 0;
  int threads = 0, opening = 0;
  bool rotate = false, against = false, json = false;
};

double per_move(const arena::SeatUse& use, double amount) {
  return use.moves == 0 ? 0 : amount / use.moves;
}

std::string table_text(const TournamentResult& result) {
  std::size_t width = 6;
  for (const auto& player : result.players) width = std::max(width, player.spec.size());
  std::string out = fmt::format("{:<{}} {:>7} {:>6} {:>6} {:>6} {:>9} {:>9} {:>9}\n", "player", width, "score", "won",
                                "drawn", "lost", "points", "evals/mv", "ms/move");
  for (const auto& player : result.players)
    out += fmt::format("{:<{}} {:>+7.3f} {:>6} {:>6} {:>6} {:>9.2f} {:>9.0f} {:>9.2f}\n", player.spec, width,
                       player.mean_score(), player.wins, player.draws, player.losses, player.mean_points(),
                       per_move(player.use, static_cast<double>(player.use.evaluations)),
                       1000 * per_move(player.use, player.use.seconds));
  out += fmt::format("{} of {} matches", result.played, result.planned);
  if (result.failed > 0) out += fmt::format(", {} failed ({})", result.failed, result.first_error);
  return out + "\n";
}

nlohmann::ordered_json player_json(const PlayerResult& player, int seats) {
  nlohmann::ordered_json by_seat = nlohmann::ordered_json::array();
  for (std::size_t s = 0; s < static_cast<std::size_t>(seats); ++s)
    by_seat.push_back(
        {{"results", player.seat_results[s]},
         {"score", player.seat_score[s] / static_cast<double>(std::max<std::uint64_t>(1, player.seat_results[s]))}});
  return {{"player", player.spec},
          {"results", player.results},
          {"score", player.mean_score()},
          {"won", player.wins},
          {"drawn", player.draws},
          {"lost", player.losses},
          {"points", player.mean_points()},
          {"moves", player.use.moves},
          {"evaluations_per_move", per_move(player.use, static_cast<double>(player.use.evaluations))},
          {"seconds_per_move", per_move(player.use, player.use.seconds)},
          {"longest_overrun", player.use.overrun},
          {"seats", by_seat}};
}

// Redraws the table in place, at most every half second, where somebody looks.
class LiveTable {
 public:
  void show(const std::string& text) {
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ || (lines_ > 0 && now - last_ < std::chrono::milliseconds(500))) return;
    clear();
    fmt::print(stderr, "{}", text);
    std::fflush(stderr);
    lines_ = std::ranges::count(text, '\n');
    last_ = now;
  }

  void clear() {
    if (lines_ > 0) fmt::print(stderr, "\x1b[{}A\x1b[J", lines_);
    lines_ = 0;
  }

 private:
  bool terminal_ = ::isatty(2) == 1;
  std::ptrdiff_t lines_ = 0;
  std::chrono::steady_clock::time_point last_;
};

// Appends each record as it comes; an existing file is not touched.
class RecordFile {
 public:
  explicit RecordFile(const std::string& path) : path_(path) {
    if (path.empty()) return;
    if (std::filesystem::exists(path) && std::filesystem::file_size(path) > 0)
      throw Error("'" + path + "' exists already: give another file for the records");
    file_.reset(std::fopen(path.c_str(), "wb"));
    if (!file_) fail();
  }

  void add(const arena::MatchRecord& record) {
    if (!file_) return;
    const std::string text = arena::records_text({record}, path_);
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0) fail();
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  [[noreturn]] void fail() const {
    throw Error("cannot write '" + path_ + "': " + std::strerror(errno), Error::Kind::failed);
  }

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

arena::TournamentSettings settings_of(const Options& options, const AnyGame& game) {
  arena::TournamentSettings out;
  out.game = &game;
  for (const auto& spec : split(options.players, ';')) out.players.push_back(Spec::parse(spec));
  for (const auto& budget : split(options.budgets.empty() ? options.budget : options.budgets, ';'))
    out.budgets.push_back(catalog::parse_budget(budget));
  if (!options.budgets.empty() && out.budgets.size() != out.players.size())
    throw Error(fmt::format("--budgets names {} budgets for {} players: give one for each, joined by ';'",
                            out.budgets.size(), out.players.size()));
  out.rotate = options.rotate;
  out.against = options.against;
  out.starts = options.games;
  out.opening = options.opening;
  out.seed = options.seed;
  out.threads = options.threads > 0 ? options.threads : arena::cores();
  return out;
}

void print_json(const AnyGame& game, const arena::TournamentSettings& settings, const TournamentResult& result) {
  nlohmann::ordered_json players = nlohmann::ordered_json::array();
  for (const auto& player : result.players) players.push_back(player_json(player, game.players()));
  nlohmann::ordered_json out{{"game", game.spec()},
                             {"seed", settings.seed},
                             {"planned", result.planned},
                             {"played", result.played},
                             {"failed", result.failed},
                             {"against", settings.against},
                             {"rotate", settings.rotate || settings.against},
                             {"players", players}};
  if (result.failed > 0) out["first_error"] = result.first_error;
  fmt::print("{}\n", out.dump());
}

void run(const Options& options) {
  const auto game = catalog::open_game(options.game);
  const auto settings = settings_of(options, *game);
  const StopOnSignal signals;
  RecordFile records(options.records);
  LiveTable live;
  const auto result = arena::tournament(
      settings,
      [&](std::uint64_t, const arena::MatchRecord& record, const TournamentResult& so_far) {
        records.add(record);
        live.show(table_text(so_far));
        return true;
      },
      signals.token());
  live.clear();
  if (options.json)
    print_json(*game, settings, result);
  else
    fmt::print("{}", table_text(result));
  if (signals.signal_name()) {
    fmt::print(stderr, "polymax: {}: stopped after {} of {} matches\n", signals.signal_name(),
               result.played + result.failed, result.planned);
    throw CLI::RuntimeError(kUnfinished);
  }
}

}  // namespace

void add_match(CLI::App& app) {
  auto* command = app.add_subcommand("match", "players against each other, with scores, intervals and records");
  auto options = std::make_shared<Options>();
  command->add_option("GAME", options->game, "game spec, e.g. quadrothello or 'hex3(side=5)'")->required();
  command->add_option("--players", options->players, "a search for each seat joined by ';'")->required();
  command->add_option("--games", options->games, "start positions to play")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_flag("--rotate", options->rotate, "play every start with all rotations of the seats");
  command->add_flag("--against", options->against,
                    "two players: the first in one seat, the second in all others; every start once for each seat");
  auto* budget =
      command->add_option("--budget", options->budget, "what a player may spend on a move")->capture_default_str();
  command->add_option("--budgets", options->budgets, "a budget for each player joined by ';'")->excludes(budget);
  command->add_option("--opening", options->opening, "random moves before the players begin")
      ->check(CLI::Range(0, 1000));
  command->add_option("--threads", options->threads, "matches at once; default: one for each core")
      ->check(CLI::Range(1, 4096));
  command->add_option("--seed", options->seed, "seed of starts and players");
  command->add_option("--records", options->records,
                      "write every match to this new file, .sgf or one line of JSON each");
  command->add_flag("--json", options->json, "print the result as one line of JSON");
  command->footer(
      "Example: polymax match 'hex3(side=4)' --players 'unbounded_maxn;maxn' --against --games 20 --opening 2\n"
      "Score: 1 a win, 0 a draw, -1 a loss. One player against copies of an equal one in P seats expects 2/P - 1.");
  command->callback([options] { run(*options); });
}

}  // namespace polymax::cli
