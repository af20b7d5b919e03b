// polymax play: people and engines in any seats, in the terminal.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "arena/levels.hpp"
#include "arena/record.hpp"
#include "catalog/catalog.hpp"
#include "catalog/programs.hpp"
#include "cli/commands.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "cli/typed_move.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/rng.hpp"
#include "report/board_text.hpp"

namespace polymax::cli {

namespace {

struct Options {
  std::string game, level = "casual", budget = "seconds=1", load, save;
  std::vector<std::string> players, moves;
  std::uint64_t seed = 0;
  bool force = false, json = false;

  static auto fields() {
    return std::tuple{
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
              "what a search may spend on a move; levels have their own"),
        field("seed", &Options::seed,
              "of the start position and of the engines; default: another one every time"),
        field("moves", &Options::moves, "play these moves first"),
        existing_file(field("load", &Options::load,
                            "go on with a saved game, or the first record of a file")),
        output_file(field("save", &Options::save,
                          "write the game to this file at the end, as SGF when it ends in .sgf")),
        field("force", &Options::force, "write over the file of --save when it is there"),
        field("json", &Options::json,
              "print the finished game as one line of JSON and nothing else")};
  }
};

constexpr const char* kHelp =
    "Type a move: its cells in any order, or only some when no other move has them. Or:\n"
    "  moves [CELLS]  the legal moves, or those with these cells\n"
    "  hint           what the strongest engine at hand would play here\n"
    "  undo           take back your last move and what followed\n"
    "  board          draw the board again\n"
    "  save FILE      write the game; polymax play --load FILE goes on with it (save! writes "
    "over)\n"
    "  help           this text\n"
    "  quit           stop\n";

// One for each seat: one given stands for all; none means a person against engines of the level.
std::vector<std::string> seat_names(std::vector<std::string> given, int players,
                                    const std::string& level) {
  const auto seats = static_cast<std::size_t>(players);
  if (given.empty()) {
    given.assign(seats, level);
    given[0] = "human";
  }
  if (given.size() == 1) given.resize(seats, std::string(given[0]));
  if (given.size() != seats)
    throw Error(fmt::format(
        "--players names {} players, the game has {} seats: give one for each, joined by ';'",
        given.size(), players));
  return given;
}

void check_unused(const std::string& file, bool force, const char* how) {
  if (!force && std::filesystem::exists(file))
    throw Error("'" + file + "' exists already: give another name, or " + how);
}

// A file for a game that was interrupted: one that is there stays as it is.
std::string free_name(const std::string& stem) {
  std::string out = stem + ".json";
  for (int n = 2; std::filesystem::exists(out); ++n) out = fmt::format("{}-{}.json", stem, n);
  return out;
}

struct Engine {
  std::unique_ptr<AnyPlayer> player;  // null: a person
  Budget budget;
};

class Session {
 public:
  Session(const Options& options, arena::MatchRecord saved, std::stop_token stop)
      : saved_(std::move(saved)),
        game_(catalog::open_game(saved_.game)),
        match_(game_->start(saved_.start)),
        stop_(std::move(stop)),
        colour_(colour_wanted()),
        json_(options.json) {
    saved_.game = game_->spec();
    arena::level(*game_, options.level);
    saved_.players = seat_names(saved_.players, game_->players(), options.level);
    for (std::size_t seat = 0; seat < saved_.players.size(); ++seat)
      engines_.push_back(make_engine(options, seat));
    for (const auto& move : saved_.moves) match_->play(move.move);
    seen_ = match_->history().size();
  }

  // Until the game is over, the person quits or a signal comes.
  void run() {
    const bool people =
        std::ranges::any_of(engines_, [](const auto& engine) { return !engine.player; });
    if (people && !json_) fmt::print("{}, seed {}\n{}", game_->about().title, saved_.start, kHelp);
    while (!match_->over() && !quit_ && forfeit_ < 0 && !stop_.stop_requested()) {
      auto& engine = engines_[static_cast<std::size_t>(match_->to_move())];
      if (engine.player)
        engine_turn(engine);
      else
        person_turn();
    }
  }

  void finish() const {
    if (json_) return fmt::print("{}", text_for(""));
    fmt::print("\n{}", board_text(match_->draw(), colour_, last_cells()));
    if (forfeit_ >= 0)
      return fmt::print("{} loses after {} moves: {}\n", seat_text(forfeit_, colour_),
                        match_->history().size(), reason_);
    if (!match_->over()) return fmt::print("stopped after {} moves\n", match_->history().size());
    const Scores score = match_->score(), gain = match_->gain();
    fmt::print("game over after {} moves\n", match_->history().size());
    for (int p = 0; p < game_->players(); ++p)
      fmt::print("{}  {:<24} score {:<6g} {}\n", seat_text(p, colour_),
                 saved_.players[static_cast<std::size_t>(p)], score[p],
                 gain[p] > 0   ? "wins"
                 : gain[p] < 0 ? "loses"
                               : "draws");
  }

  void save(const std::string& file) const { write_file(file, text_for(file)); }

  // A name for a match that was interrupted; nothing to keep: empty.
  std::string name_to_keep() const {
    if (match_->history().empty() || match_->over()) return "";
    return free_name(fmt::format("polymax-{}-{}", game_->name(), saved_.start));
  }

 private:
  Engine make_engine(const Options& options, std::size_t seat) {
    std::string& name = saved_.players[seat];
    if (name == "human") return {};
    std::string budget = options.budget;
    if (arena::is_level(name)) {
      const auto level = arena::level(*game_, name);
      name = level.player;
      budget = level.budget;
    }
    Engine out{game_->player(Spec::parse(name), mix64(saved_.start + seat)),
               catalog::parse_budget(budget)};
    arena::check_budget(Spec::parse(name), out.budget);
    out.budget.stop = stop_;
    name = out.player->spec();
    return out;
  }

  // The game as it stands; the name of the file says in which format.
  std::string text_for(const std::string& file) const {
    auto record = arena::record_of(*game_, saved_.start, saved_.players, *match_);
    if (forfeit_ >= 0) arena::end_by_forfeit(record, forfeit_, reason_);
    return arena::records_text({record}, file);
  }

  // Cells of what was played since a person saw the board.
  std::vector<std::string> last_cells() const {
    std::vector<std::string> out;
    const auto& history = match_->history();
    const std::size_t seats = static_cast<std::size_t>(game_->players());
    const std::size_t from = std::max(seen_, history.size() - std::min(history.size(), seats));
    for (std::size_t i = std::min(from, history.size() - std::min<std::size_t>(1, history.size()));
         i < history.size(); ++i) {
      std::string cell;
      for (const char c : history[i] + '-') {
        if (c != '-') {
          cell += c;
          continue;
        }
        out.push_back(std::exchange(cell, ""));
      }
    }
    return out;
  }

  void engine_turn(Engine& engine) {
    const int seat = match_->to_move();
    AnyVerdict verdict;
    try {
      verdict = engine.player->think(*match_, engine.budget);
    } catch (const Forfeit& fault) {
      forfeit_ = seat;
      reason_ = fault.what();
      return;
    }
    if (stop_.stop_requested()) return;  // the move was not thought to its end
    match_->play(verdict.best);
    if (!json_) fmt::print("{} plays {}\n", seat_text(seat, colour_), verdict.best);
  }

  // Where answers to the person go: with --json standard output is for the record alone.
  std::FILE* talk() const { return json_ ? stderr : stdout; }

  // The board is drawn when it has changed.
  void person_turn() {
    if (!json_) {
      if (!drawn_ || seen_ != match_->history().size()) show();
      fmt::print("{} to move> ", seat_text(match_->to_move(), colour_));
      std::fflush(stdout);
    }
    const auto line = input_.next(stop_);
    if (!line) {
      quit_ = true;
      return;
    }
    try {
      obey(*line);
    } catch (const Error& error) {
      fmt::print(stderr, "{}\n", error.what());
    }
  }

  void show() {
    fmt::print("\n{}", board_text(match_->draw(), colour_, last_cells()));
    seen_ = match_->history().size();
    drawn_ = true;
  }

  void obey(const std::string& line) {
    const auto begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos) return;
    const auto end = std::min(line.find_first_of(" \t\r", begin), line.size());
    const std::string word = line.substr(begin, end - begin);
    std::string more = line.substr(std::min(line.find_first_not_of(" \t\r", end), line.size()));
    more.resize(more.find_last_not_of(" \t\r") + 1);
    if (word == "quit")
      quit_ = true;
    else if (word == "help")
      fmt::print(talk(), "{}", kHelp);
    else if (word == "board")
      drawn_ = false;
    else if (word == "moves")
      list_moves(more);
    else if (word == "hint")
      hint();
    else if (word == "undo")
      undo();
    else if (word == "save" || word == "save!")
      save_as(more, word == "save!");
    else
      match_->play(typed_move(match_->legal(), line));
  }

  void list_moves(const std::string& cells) const {
    const auto moves = moves_with(match_->legal(), cells);
    if (moves.empty()) throw Error("no legal move has " + cells);
    fmt::print(talk(), "{}{} moves\n", in_columns(moves, terminal_width()), moves.size());
  }

  void save_as(const std::string& file, bool force) {
    if (file.empty()) throw Error("save needs the name of a file: save FILE");
    check_unused(file, force, ("save! " + file).c_str());
    save(file);
    fmt::print(talk(), "saved in {}\n", file);
  }

  void hint() {
    const auto level = arena::level(*game_, "strong");
    if (!hinter_.player)
      hinter_ = {game_->player(Spec::parse(level.player), saved_.start),
                 catalog::parse_budget(level.budget)};
    hinter_.budget.stop = stop_;
    const AnyVerdict verdict = hinter_.player->think(*match_, hinter_.budget);
    fmt::print(talk(), "{} ({})\n", verdict.best, hinter_.player->spec());
  }

  // Back to the last position in which a person was to move.
  void undo() {
    if (!match_->undo()) throw Error("nothing to undo");
    while (engines_[static_cast<std::size_t>(match_->to_move())].player && match_->undo()) {
    }
    drawn_ = false;
  }

  arena::MatchRecord saved_;
  std::unique_ptr<const AnyGame> game_;
  std::unique_ptr<AnyMatch> match_;
  std::stop_token stop_;
  bool colour_, json_, quit_ = false;
  bool drawn_ = false;  // somebody has seen the board as it was after seen_ moves
  std::size_t seen_ = 0;
  Lines input_;
  std::vector<Engine> engines_;
  Engine hinter_;
  int forfeit_ = -1;  // the seat that broke the rules of the match
  std::string reason_;
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
  if (!options.players.empty())
    out.players = options.players;
  else if (!options.load.empty())
    check_players_of_file(out, options.load);
  return out;
}

int run(const Options& options, const Given& given) {
  const auto record = first_record(options, given);
  if (!options.save.empty())
    check_unused(options.save, options.force || options.save == options.load, "--force");
  const StopOnSignal signals;
  Session session(options, record, signals.token());
  session.run();
  if (!options.save.empty()) session.save(options.save);
  session.finish();
  if (!signals.signal_name()) return 0;
  const std::string kept = options.save.empty() ? session.name_to_keep() : options.save;
  if (kept.empty()) return kUnfinished;
  if (options.save.empty()) session.save(kept);
  fmt::print(stderr, "polymax: {}: the game is kept; polymax play --load {} goes on with it\n",
             signals.signal_name(), kept);
  return kUnfinished;
}

}  // namespace

Command play_command() {
  return command<Options>(
      "play", "play in the terminal, people and engines in any seats",
      "Example: polymax play quadrothello --level strong\n"
      "Example: polymax play quadrothello --players 'human;greedy;casual;mcts(c=0.5)'\n"
      "Ctrl-C keeps the game in a file, to go on with --load.",
      run);
}

}  // namespace polymax::cli
