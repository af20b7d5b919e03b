#include "cli/play_session.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "arena/levels.hpp"
#include "catalog/catalog.hpp"
#include "cli/terminal.hpp"
#include "cli/typed_move.hpp"
#include "core/columns.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/lists.hpp"
#include "core/rng.hpp"
#include "report/board_text.hpp"

namespace polymax::cli {

namespace {

constexpr const char* kHelp =
    "Type a move: its cells in any order, or only some when no other move has them. Or:\n"
    "  moves [CELLS]  the legal moves, or those with these cells\n"
    "  hint           what the strongest engine at hand would play here\n"
    "  undo           take back your last move and what followed\n"
    "  board          draw the board again\n"
    "  save FILE      write the game; polymax play --load FILE goes on with it\n"
    "  help           this text\n"
    "  quit           stop\n";
constexpr const char* kKeys = "Tab completes, the arrow keys edit and bring back earlier lines.\n";
constexpr std::array<std::string_view, 7> kCommands{"board", "help",  "hint", "moves ",
                                                    "quit",  "save ", "undo"};

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

std::string counted(std::size_t n, const char* what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

// The first word of a line, and what follows without the blanks around it.
std::pair<std::string, std::string> first_word(const std::string& line) {
  constexpr const char* kBlanks = " \t\r";
  const auto begin = std::min(line.find_first_not_of(kBlanks), line.size());
  const auto end = std::min(line.find_first_of(kBlanks, begin), line.size());
  std::string more = line.substr(std::min(line.find_first_not_of(kBlanks, end), line.size()));
  more.resize(more.find_last_not_of(kBlanks) + 1);
  return {line.substr(begin, end - begin), std::move(more)};
}

}  // namespace

PlaySession::PlaySession(const PlaySettings& settings, arena::MatchRecord saved,
                         std::stop_token stop)
    : saved_(std::move(saved)),
      game_(catalog::open_game(saved_.game)),
      match_(game_->start(saved_.start)),
      stop_(std::move(stop)),
      colours_(wanted_colours()),
      json_(settings.json),
      input_(settings.json) {
  saved_.game = game_->spec();
  arena::level(*game_, settings.level);
  catalog::parse_budget(settings.budget);  // also where levels alone play
  saved_.players = seat_names(saved_.players, game_->players(), settings.level);
  saved_.budgets.resize(saved_.players.size());
  for (std::size_t seat = 0; seat < saved_.players.size(); ++seat)
    engines_.push_back(make_engine(settings, seat));
  for (const auto& move : saved_.moves) match_->play(move.move);
  seen_ = match_->history().size();
  kept_ = match_->history();
}

void PlaySession::run() {
  const bool people =
      std::ranges::any_of(engines_, [](const auto& engine) { return !engine.player; });
  if (people && !json_)
    fmt::print("{}, seed {}\n{}{}", title(), saved_.start, kHelp, input_.edits() ? kKeys : "");
  while (!match_->over() && !quit_ && forfeit_ < 0 && !stop_.stop_requested()) {
    auto& engine = engines_[static_cast<std::size_t>(match_->to_move())];
    if (engine.player)
      engine_turn(engine);
    else
      person_turn();
  }
}

void PlaySession::finish() {
  if (json_) return fmt::print("{}", text_for(""));
  if (board_is_new()) fmt::print("\n{}", board_text(match_->draw(), colours_, last_cells()));
  const std::string after = counted(match_->history().size(), "move");
  if (forfeit_ >= 0)
    return fmt::print("{} loses after {}: {}\n", seat_text(forfeit_, colours_), after, reason_);
  if (!match_->over()) return fmt::print("stopped after {}\n", after);
  const Scores score = match_->score(), gain = match_->gain();
  fmt::print("game over after {}\n", after);
  for (int p = 0; p < game_->players(); ++p)
    fmt::print("{}  {:<24} score {:<6g} {}\n", seat_text(p, colours_),
               saved_.players[static_cast<std::size_t>(p)], score[p],
               gain[p] > 0   ? "wins"
               : gain[p] < 0 ? "loses"
                             : "draws");
}

bool PlaySession::may_write(const std::string& file, bool force, const std::string& how) {
  arena::check_record_name(file);
  text_for(file);
  if (force || !exists(file)) return true;
  if (!input_.edits()) throw Error("'" + file + "' exists already: give another name, or " + how);
  return input_.ask("'" + file + "' exists already. Write over it? [y/N] ", stop_);
}

void PlaySession::save(const std::string& file) {
  write_file(file, text_for(file));
  kept_ = match_->history();
}

bool PlaySession::drops_moves() const {
  return !json_ && !match_->over() && forfeit_ < 0 && match_->history() != kept_;
}

std::string PlaySession::free_name(const std::filesystem::path& folder) const {
  const auto stem = (folder / fmt::format("polymax-{}-{}", game_->name(), saved_.start)).string();
  std::string out = stem + ".json";
  std::error_code none;
  const auto taken = [&] {  // by a link that leads to nothing, too
    return std::filesystem::exists(std::filesystem::symlink_status(out, none));
  };
  for (int n = 2; taken(); ++n) out = fmt::format("{}-{}.json", stem, n);
  return out;
}

PlaySession::Engine PlaySession::make_engine(const PlaySettings& settings, std::size_t seat) {
  std::string& name = saved_.players[seat];
  if (name == "human") {
    saved_.budgets[seat].clear();
    return {};
  }
  std::string& budget = saved_.budgets[seat];
  if (budget.empty()) budget = settings.budget;
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
std::string PlaySession::text_for(const std::string& file) const {
  auto record = arena::record_of(*game_, saved_.start, saved_.players, *match_);
  if (std::ranges::any_of(engines_, [](const auto& engine) { return engine.player != nullptr; }))
    record.budgets = saved_.budgets;
  if (forfeit_ >= 0) arena::end_by_forfeit(record, forfeit_, reason_);
  return arena::records_text({record}, file);
}

// Cells of what was played since a person saw the board.
std::vector<std::string> PlaySession::last_cells() const {
  std::vector<std::string> out;
  const auto& history = match_->history();
  const std::size_t seats = static_cast<std::size_t>(game_->players());
  const std::size_t from = std::max(seen_, history.size() - std::min(history.size(), seats));
  for (std::size_t i = std::min(from, history.size() - std::min<std::size_t>(1, history.size()));
       i < history.size(); ++i) {
    const auto cells = split(history[i], '-');
    out.insert(out.end(), cells.begin(), cells.end());
  }
  return out;
}

// Titles name the size of the published game: with options the spec says what is played.
std::string PlaySession::title() const {
  const std::string title(game_->about().title);
  if (game_->spec() == game_->name()) return title;
  return title.substr(0, title.find(", ")) + ", " + game_->spec();
}

void PlaySession::engine_turn(Engine& engine) {
  const int seat = match_->to_move();
  AnyVerdict verdict;
  const bool told = input_.edits();  // a line that is written over when the move is there
  if (told) fmt::print("{} thinks...", seat_text(seat, colours_));
  if (told) std::fflush(stdout);
  try {
    verdict = engine.player->think(*match_, engine.budget);
  } catch (const Forfeit& fault) {
    forfeit_ = seat;
    reason_ = fault.what();
  }
  if (told) fmt::print("\r\x1b[K");
  if (forfeit_ >= 0 || stop_.stop_requested()) return;  // the move was not thought to its end
  match_->play(verdict.best);
  if (!json_) fmt::print("{} plays {}\n", seat_text(seat, colours_), verdict.best);
}

// The board is drawn when it has changed.
void PlaySession::person_turn() {
  const int seat = match_->to_move();
  if (!json_ && board_is_new()) show();
  constexpr std::string_view kToMove = " to move> ";
  const auto line = input_.next(
      {seat_text(seat, colours_) + std::string(kToMove),
       seat_text(seat, Colours::none).size() + kToMove.size()},
      [this](const std::string& typed) { return completion(typed); }, stop_);
  if (!line) {
    quit_ = true;
    return;
  }
  try {
    obey(*line);
  } catch (const Error& error) {
    tell(short_line(error.what()) + "\n");
  }
}

void PlaySession::show() {
  const Drawing drawing = match_->draw();
  fmt::print("\n{}{}", board_text(drawing, colours_, last_cells()),
             pieces_text(drawing, match_->to_move(), terminal_width()));
  seen_ = match_->history().size();
  drawn_ = true;
}

void PlaySession::obey(const std::string& line) {
  const auto [word, more] = first_word(line);
  if (word.empty()) return;
  if (word == "quit")
    quit_ = true;
  else if (word == "help")
    fmt::print(talk(), "{}{}", kHelp, input_.edits() ? kKeys : "");
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

void PlaySession::list_moves(const std::string& cells) const {
  const auto moves = moves_with(match_->legal(), cells);
  if (moves.empty()) throw Error("no legal move has " + cells);
  fmt::print(talk(), "{}{}\n", in_columns(moves, terminal_width()), counted(moves.size(), "move"));
}

void PlaySession::save_as(const std::string& file, bool force) {
  if (file.empty()) throw Error("save needs the name of a file: save FILE");
  if (!may_write(file, force, "save! " + file)) return fmt::print(talk(), "not saved\n");
  save(file);
  fmt::print(talk(), "saved in {}\n", file);
}

void PlaySession::hint() {
  const auto level = arena::level(*game_, "strong");
  if (!hinter_.player)
    hinter_ = {game_->player(Spec::parse(level.player), saved_.start),
               catalog::parse_budget(level.budget)};
  hinter_.budget.stop = stop_;
  const AnyVerdict verdict = hinter_.player->think(*match_, hinter_.budget);
  fmt::print(talk(), "{} ({})\n", verdict.best, hinter_.player->spec());
}

// Back to the last position in which a person was to move.
void PlaySession::undo() {
  if (!match_->undo()) throw Error("nothing to undo");
  while (engines_[static_cast<std::size_t>(match_->to_move())].player && match_->undo()) {
  }
  drawn_ = false;
}

// Moves, and commands where a line begins.
Completion PlaySession::completion(const std::string& typed) const {
  constexpr std::string_view kFilter = "moves ";
  if (typed.starts_with(kFilter)) {
    auto out = move_completion(match_->legal(), typed.substr(kFilter.size()));
    out.from += kFilter.size();
    return out;
  }
  auto out = move_completion(match_->legal(), typed);
  for (const auto command : kCommands)
    if (out.from == 0 && command.starts_with(typed)) out.words.emplace_back(command);
  return out;
}

}  // namespace polymax::cli
