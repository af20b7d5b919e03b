// polymax match: players against each other in one game, seats rotated, with a live table,
// intervals and records.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "arena/parallel.hpp"
#include "arena/record.hpp"
#include "arena/sprt.hpp"
#include "arena/tournament.hpp"
#include "arena/tournament_figures.hpp"
#include "catalog/catalog.hpp"
#include "catalog/computed.hpp"
#include "cli/commands.hpp"
#include "cli/gpu.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "core/columns.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "nn/engines.hpp"

namespace polymax::cli::match {

namespace {

using arena::TournamentResult;

struct Options {
  std::string game, budget = "evals=1000", records;
  std::vector<std::string> players, budgets, sprt;
  std::uint64_t games = 10, seed = 0;
  int threads = 0, opening = 0;
  bool rotate = false, against = false, json = false, share_cores = false;
  GpuOptions gpu;

  static Arguments fields() {
    return {
        argument(field("GAME", &Options::game, "game spec, e.g. quadrothello or 'hex3(side=5)'")),
        required(field("players", &Options::players, "a search for each seat joined by ';'", ';')),
        field("games", &Options::games, "start positions to play", 1, 1'000'000'000),
        field("rotate", &Options::rotate, "play every start with all rotations of the seats"),
        field("against", &Options::against,
              "two players: the first in one seat, the second in all others; every start once for "
              "each seat"),
        field("budget", &Options::budget, "what a player may spend on a move"),
        field("budgets", &Options::budgets, "a budget for each player joined by ';'", ';'),
        field("opening", &Options::opening, "random moves before the players begin", 0, 1000),
        field("sprt", &Options::sprt,
              "MEAN0,MEAN1[,ALPHA,BETA]: stop when the first player's score is clearly one of "
              "both"),
        field("threads", &Options::threads,
              "matches at once; default: one for each core, 512 to 2048 with networks on a GPU", 1,
              4096),
        part(&Options::gpu),
        field("share-cores", &Options::share_cores,
              "more threads than cores with a budget in seconds"),
        field("seed", &Options::seed, "seed of starts and players"),
        output_file(field("records", &Options::records,
                          "write every match to this new file, .sgf or one line of JSON each")),
        field("json", &Options::json, "print the result as one line of JSON")};
  }
};

std::string rating_text(const arena::TournamentFigures& figures, std::size_t p) {
  if (figures.ratings.empty()) return "";
  const auto& rating = figures.ratings[p];
  const double elo = std::round(rating.elo()) + 0.0;  // no -0
  return fmt::format(" {:>+6.0f}{}{:<5.0f}", elo, rating.measured ? "±" : "?", rating.elo_error());
}

// What players are called in the table: their specs, with the budgets where a spec stands twice
// with different ones.
std::vector<std::string> names_of(const TournamentResult& result,
                                  const std::vector<std::string>& budgets) {
  std::vector<std::string> out;
  for (std::size_t p = 0; p < result.players.size(); ++p) {
    out.push_back(result.players[p].spec);
    for (std::size_t q = 0; q < budgets.size(); ++q)
      if (result.players[q].spec == result.players[p].spec && budgets[q] != budgets[p]) {
        out.back() += ", " + budgets[p];
        break;
      }
  }
  return out;
}

std::string table_text(const TournamentResult& result, const arena::TournamentFigures& figures,
                       const std::vector<std::string>& budgets) {
  const auto names = names_of(result, budgets);
  std::size_t width = 6;
  for (const auto& name : names) width = std::max(width, name.size());
  std::string out =
      fmt::format("{:<{}} {:>7} {:<18} {:>6} {:>6} {:>6} {:>9} {:>9} {:>9}{}\n", "player", width,
                  "score", "95 % interval", "wins", "draws", "losses", "points", "evals/mv",
                  "ms/move", figures.ratings.empty() ? "" : "    rating");
  for (std::size_t p = 0; p < result.players.size(); ++p) {
    const auto& player = result.players[p];
    const auto& interval = figures.intervals[p];
    out += fmt::format(
        "{:<{}} {:>+7.3f} {:<18} {:>6} {:>6} {:>6} {:>9.2f} {:>9.0f} {:>9.2f}{}\n", names[p], width,
        player.mean_score(),
        interval.known ? fmt::format("[{:+.3f}, {:+.3f}]", interval.low, interval.high) : "-",
        player.wins, player.draws, player.losses, player.mean_points(),
        arena::per_move(player.use, static_cast<double>(player.use.evaluations)),
        1000 * arena::per_move(player.use, player.use.seconds), rating_text(figures, p));
  }
  out += fmt::format("{} of {} matches", result.played, result.planned);
  if (result.forfeits > 0)
    out += fmt::format(", {} forfeited ({})", result.forfeits, result.first_forfeit);
  if (result.failed > 0) out += fmt::format(", {} failed ({})", result.failed, result.first_error);
  if (result.short_openings > 0)
    out += fmt::format(", the random opening cut short in {}, where it would have ended the match",
                       result.short_openings);
  return out + "\n";
}

// Redraws the table in place, at most every half second, where somebody looks.
class LiveTable {
 public:
  bool due() const {
    return terminal_ && (lines_ == 0 ||
                         std::chrono::steady_clock::now() - last_ > std::chrono::milliseconds(500));
  }

  void show(const std::string& text) {
    clear();
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line); ++lines_)  // none may wrap
      tell(fmt::format("{}\n", cut_to(line, status_width() - 1)));
    std::fflush(stderr);
    last_ = std::chrono::steady_clock::now();
  }

  void clear() {
    if (lines_ > 0) tell(fmt::format("\x1b[{}A\x1b[J", lines_));
    lines_ = 0;
  }

 private:
  bool terminal_ = status_is_seen();
  std::ptrdiff_t lines_ = 0;
  std::chrono::steady_clock::time_point last_;
};

// Appends each record as it comes; a file that holds something is not touched.
class RecordFile {
 public:
  explicit RecordFile(const std::string& path) {
    if (path.empty()) return;
    file_ = std::make_unique<GrowingFile>(path, "give another file for the records");
    if (file_->size() > 0)
      throw Error("'" + path + "' exists already: give another file for the records");
  }

  void add(const arena::MatchRecord& record) {
    if (file_) file_->append(arena::records_text({record}, file_->path()));
  }

  void end() {
    if (file_) file_->sync();
  }

 private:
  std::unique_ptr<GrowingFile> file_;
};

arena::TournamentSettings settings_of(const Options& options, const AnyGame& game) {
  arena::TournamentSettings out;
  out.game = &game;
  for (const auto& spec : options.players) out.players.push_back(Spec::parse(spec));
  for (const auto& budget : options.budgets.empty() ? std::vector{options.budget} : options.budgets)
    out.budgets.push_back(catalog::parse_budget(budget));
  if (!options.budgets.empty() && out.budgets.size() != out.players.size())
    throw Error(
        fmt::format("--budgets names {} budgets for {} players: give one for each, joined by ';'",
                    out.budgets.size(), out.players.size()));
  out.rotate = options.rotate;
  out.against = options.against;
  out.starts = options.games;
  out.opening = options.opening;
  out.seed = options.seed;
  const arena::MatchLoad load = arena::load_of(out);
  out.threads = options.threads > 0 ? options.threads : arena::default_matches(load);
  if (!options.share_cores) arena::check_threads(out.threads, load.timed);
  return out;
}

// --sprt MEAN0,MEAN1[,ALPHA,BETA]: a sequential test of the first player's score over blocks.
std::optional<arena::Sprt> sprt_of(const Options& options) {
  if (options.sprt.empty()) return std::nullopt;
  if (!options.rotate && !options.against)
    throw Error("--sprt tests blocks of all rotations of the seats: add --rotate or --against");
  std::vector<double> numbers;
  for (const auto& text : options.sprt) numbers.push_back(read_real(word(text), "--sprt", -1, 1));
  if (numbers.size() != 2 && numbers.size() != 4)
    throw Error(fmt::format("--sprt wants MEAN0,MEAN1 or MEAN0,MEAN1,ALPHA,BETA, not {} numbers",
                            numbers.size()));
  arena::Sprt::Settings settings;
  settings.mean0 = numbers[0];
  settings.mean1 = numbers[1];
  if (numbers.size() == 4) {
    settings.alpha = numbers[2];
    settings.beta = numbers[3];
  }
  return arena::Sprt(settings);
}

Json sprt_json(const arena::Sprt& sprt) {
  constexpr std::array<const char*, 3> kNames{"open", "accepted", "rejected"};
  return {{"state", kNames[static_cast<std::size_t>(sprt.state())]},
          {"llr", sprt.ratio()},
          {"lower", sprt.lower()},
          {"upper", sprt.upper()},
          {"blocks", sprt.blocks()}};
}

void print_json(const Options& options, const arena::TournamentSettings& settings,
                const TournamentResult& result, const std::optional<arena::Sprt>& sprt) {
  const auto budgets = options.budgets.empty() ? std::vector(result.players.size(), options.budget)
                                               : options.budgets;
  Json out = arena::tournament_json(settings, result, budgets);
  if (sprt) out["sprt"] = sprt_json(*sprt);
  fmt::print("{}\n", out.dump());
}

// Plays; the first blocks that decide the test end it.
TournamentResult play(const Options& options, const arena::TournamentSettings& settings,
                      std::optional<arena::Sprt>& sprt, const StopOnSignal& signals) {
  RecordFile records(options.records);
  LiveTable live;
  auto result = arena::tournament(
      settings,
      [&](std::uint64_t, const arena::MatchRecord& record, const TournamentResult& so_far) {
        records.add(record);
        if (live.due())
          live.show(table_text(so_far, arena::quick_figures_of(so_far), options.budgets));
        const auto& blocks = so_far.players[0].blocks;
        if (!sprt || blocks.size() == sprt->blocks()) return true;
        sprt->add(blocks.back());
        return sprt->state() == arena::Sprt::State::open;
      },
      signals.token());
  records.end();
  live.clear();
  return result;
}

int run(const Options& options, const Given& given) {
  if (given.has("budget") && given.has("budgets"))
    throw Error("give either --budget or --budgets, not both");
  options.gpu.apply();
  const auto game = catalog::open_game(options.game);
  const auto settings = settings_of(options, *game);
  auto sprt = sprt_of(options);
  const StopOnSignal signals;
  const auto result = play(options, settings, sprt, signals);
  if (options.json) {
    print_json(options, settings, result, sprt);
  } else {
    fmt::print("{}", table_text(result, arena::figures_of(settings, result), options.budgets));
    if (sprt) fmt::print("sequential test of the first player: {}\n", sprt->text());
  }
  // a forfeit is a result; a player that failed otherwise has left a match without one
  if (!signals.signal_name()) return result.failed > 0 ? 1 : 0;
  tell(fmt::format("polymax: {}: stopped after {} of {} matches\n", signals.signal_name(),
                   result.played + result.failed, result.planned));
  return kUnfinished;
}

}  // namespace

Command command() {
  return cli::command<Options>(
      "match", "players against each other, with scores, intervals and records",
      "Example: polymax match 'threehex(side=4)' --players 'unbounded_maxn;maxn' --against --games "
      "20 --opening 2\n"
      "Score: 1 a win, 0 a draw, -1 a loss. One player against copies of an equal one in P seats "
      "expects\n2/P - 1.",
      run);
}

}  // namespace polymax::cli::match
