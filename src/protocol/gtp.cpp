#include "protocol/gtp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <exception>

#include "arena/match.hpp"
#include "catalog/catalog.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/number.hpp"
#include "protocol/exactly.hpp"
#include "protocol/words.hpp"

namespace polymax::protocol {

namespace {

// The line without its comment and control characters.
std::string cleaned(std::string_view line) {
  std::string out;
  for (const char c : line.substr(0, line.find('#'))) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\t')
      out += ' ';
    else if (byte >= ' ' && byte != 127)
      out += c;
  }
  return out;
}

double seconds_of(const std::string& word) {
  const auto value = number_of<double>(word);
  if (!value || !(*value >= 0) || *value > 1e9)
    throw Error("'" + shown(word) + "' is no time in seconds");
  return *value;
}

int count_of(const std::string& word) {
  const auto value = number_of<int>(word);
  if (!value || *value < 0) throw Error("'" + shown(word) + "' is no number from 0");
  return *value;
}

}  // namespace

GtpLoop::GtpLoop(const std::string& game, const EngineSettings& settings, Sink sink, Draw draw)
    : settings_(settings),
      sink_(std::move(sink)),
      draw_(std::move(draw)),
      game_(catalog::open_game(game)),
      dialect_(dialect_of(*game_)),
      budget_(catalog::parse_budget(settings.budget)),
      thinker_(*game_, settings.player, settings.seed),
      match_(game_->start(0)) {
  arena::check_budget(Spec::parse(settings.player), budget_);
}

const std::vector<GtpLoop::Command>& GtpLoop::commands() {
  static const std::vector<Command> all{
      {"all_legal", &GtpLoop::all_legal},
      {"boardsize", &GtpLoop::board_size},
      {"clear_board", &GtpLoop::clear_board},
      {"cputime", &GtpLoop::cputime},
      {"final_score", &GtpLoop::final_score},
      {"g", &GtpLoop::g},
      {"genmove", &GtpLoop::genmove},
      {"known_command", &GtpLoop::known_command},
      {"list_commands", &GtpLoop::list_commands},
      {"name", &GtpLoop::name},
      {"p", &GtpLoop::p},
      {"play", &GtpLoop::play},
      {"polymax-budget", &GtpLoop::budget},
      {"protocol_version", &GtpLoop::protocol_version},
      {"quit", &GtpLoop::nothing},
      {"reg_genmove", &GtpLoop::reg_genmove},
      {"set_game", &GtpLoop::set_game},
      {"set_random_seed", &GtpLoop::set_random_seed},
      {"showboard", &GtpLoop::show_board},
      {"time_left", &GtpLoop::time_left},
      {"time_settings", &GtpLoop::time_settings},
      {"undo", &GtpLoop::undo},
      {"version", &GtpLoop::version},
  };
  return all;
}

bool GtpLoop::obey(std::string_view line) {
  if (line.size() > kLongestLine) {
    answer('?', "", "a line of more than 1 MiB");
    return true;
  }
  Words words = words_of(cleaned(line));
  if (words.empty()) return true;
  std::string id;
  if (std::ranges::all_of(words[0], [](unsigned char c) { return std::isdigit(c); })) {
    id = words[0];
    words.erase(words.begin());
    if (words.empty()) {
      answer('?', id, "a command is wanted");
      return true;
    }
  }
  try {
    answer('=', id, run(words));
  } catch (const std::exception& error) {
    answer('?', id, shown(error.what(), 2000));
  }
  return words[0] != "quit";
}

void GtpLoop::answer(char sign, const std::string& id, const std::string& text) {
  sink_(sign + id + " " + text);
  sink_("");
}

std::string GtpLoop::run(const Words& words) {
  const auto at = std::ranges::find(commands(), words[0], &Command::name);
  if (at == commands().end()) throw Error("unknown command '" + shown(words[0]) + "'");
  return (this->*at->run)(words);
}

std::string GtpLoop::protocol_version(const Words&) {
  return "2";
}
std::string GtpLoop::name(const Words&) {
  return settings_.name;
}
std::string GtpLoop::version(const Words&) {
  return settings_.version;
}
std::string GtpLoop::nothing(const Words&) {
  return "";
}

std::string GtpLoop::known_command(const Words& words) {
  const bool known = words.size() == 2 &&
                     std::ranges::find(commands(), words[1], &Command::name) != commands().end();
  return known ? "true" : "false";
}

std::string GtpLoop::list_commands(const Words&) {
  std::string out;
  for (const auto& command : commands())
    out += (out.empty() ? "" : "\n") + std::string(command.name);
  return out;
}

void GtpLoop::open(std::unique_ptr<const AnyGame> game) {
  thinker_.use_game(*game);
  game_ = std::move(game);
  dialect_ = dialect_of(*game_);
  clear_board({});
}

std::string GtpLoop::set_game(const Words& words) {
  const std::string wanted = joined(words, 1), own = dialect_->game_name();
  if (own.empty()) throw Error("the engine plays " + game_->spec() + " and no other game");
  if (wanted != own) throw Error("'" + shown(wanted) + "' is not played here: " + own + " is");
  return clear_board(words);
}

std::string GtpLoop::board_size(const Words& words) {
  const std::string key = dialect_->size_key();
  if (key.empty()) throw Error("the board of " + game_->name() + " has one size");
  if (words.size() < 2 || words.size() > 3 || (words.size() == 3 && words[2] != words[1]))
    throw Error("boardsize wants one number: cells on a side");
  Spec spec = Spec::parse(game_->spec());
  take_argument(spec, key);
  Spec value;
  value.name = words[1];
  spec.arguments.push_back({key, 0, value});
  open(catalog::open_game(spec));
  return "";
}

std::string GtpLoop::clear_board(const Words&) {
  thinker_.forget();
  match_ = game_->start(0);
  turns_.clear();
  last_mover_ = -1;
  return "";
}

int GtpLoop::seat(const Words& words, std::size_t i) const {
  const int out = i < words.size() ? dialect_->seat_of(words[i]) : -1;
  if (out >= 0 && out < game_->players()) return out;
  std::string known;
  for (int p = 0; p < game_->players(); ++p) known += (p == 0 ? "" : ", ") + dialect_->colour(p);
  throw Error("a colour is wanted: " + known);
}

// Its turn came after the last move and went by, for want of a move.
bool GtpLoop::passed_over(int seat) const {
  if (match_->over()) return true;
  if (last_mover_ < 0) return false;
  const int players = game_->players();
  for (int p = (last_mover_ + 1) % players; p != match_->to_move(); p = (p + 1) % players)
    if (p == seat) return true;
  return false;
}

void GtpLoop::must_be_to_move(int seat) const {
  if (match_->over()) throw Error("the game is over");
  if (match_->to_move() != seat)
    throw Error("it is the turn of " + dialect_->colour(match_->to_move()));
}

// All moves of it, or none.
void GtpLoop::play_turn(const std::vector<std::string>& turn) {
  const int mover = match_->to_move();
  int done = 0;
  try {
    for (const auto& move : turn) {
      play_exactly(*match_, move);
      ++done;
    }
  } catch (...) {
    for (; done > 0; --done) match_->undo();
    throw;
  }
  turns_.push_back(done);
  last_mover_ = mover;
}

std::string GtpLoop::play(const Words& words) {
  const int mover = seat(words, 1);
  if (words.size() != 3) throw Error("play wants a colour and a move");
  if (words[2] == "pass" || words[2] == "PASS") {
    if (!passed_over(mover)) throw Error("illegal move: this colour cannot pass");
    turns_.push_back(0);
    return "";
  }
  const auto turn = dialect_->from_gtp(words[2]);
  must_be_to_move(mover);
  try {
    play_turn(turn);
  } catch (const Error&) {
    throw Error("illegal move");
  }
  return "";
}

std::string GtpLoop::p(const Words& words) {
  if (words.size() != 2) throw Error("p wants a move");
  return play({"play", dialect_->colour(match_->over() ? 0 : match_->to_move()), words[1]});
}

std::vector<std::string> GtpLoop::choose() {
  const int mover = match_->to_move();
  std::vector<std::string> turn;
  try {
    while (static_cast<int>(turn.size()) < dialect_->moves_in_turn()) {
      const std::string move = thinker_.player().think(*match_, budget_).best;
      match_->play(move);
      turn.push_back(move);
    }
  } catch (...) {  // no half a turn stays on the board
    for (std::size_t i = 0; i < turn.size(); ++i) match_->undo();
    throw;
  }
  turns_.push_back(static_cast<int>(turn.size()));
  last_mover_ = mover;
  return turn;
}

std::string GtpLoop::generate(int mover) {
  if (mover != match_->to_move() || match_->over()) {
    if (!passed_over(mover)) must_be_to_move(mover);
    turns_.push_back(0);
    return "pass";
  }
  return dialect_->to_gtp(choose());
}

std::string GtpLoop::genmove(const Words& words) {
  return generate(seat(words, 1));
}

std::string GtpLoop::reg_genmove(const Words& words) {
  const int before = last_mover_;
  const std::string out = generate(seat(words, 1));
  take_back();
  last_mover_ = before;
  return out;
}

std::string GtpLoop::g(const Words&) {
  return generate(match_->over() ? 0 : match_->to_move());
}

void GtpLoop::take_back() {
  for (int i = 0; i < turns_.back(); ++i) match_->undo();
  turns_.pop_back();
}

std::string GtpLoop::undo(const Words&) {
  if (turns_.empty()) throw Error("cannot undo");
  const bool moved = turns_.back() > 0;
  take_back();
  if (!moved) return "";
  last_mover_ = -1;  // of the move before, found by playing it again
  const auto again = game_->start(0);
  for (const auto& move : match_->history()) {
    last_mover_ = again->to_move();
    again->play(move);
  }
  return "";
}

std::string GtpLoop::final_score(const Words&) {
  if (!match_->over()) throw Error("the game is not over");
  return dialect_->score_text(*match_, game_->players());
}

std::string GtpLoop::show_board(const Words&) {
  std::string out = "\n" + (draw_ ? draw_(match_->draw()) : std::string());
  while (out.ends_with('\n')) out.pop_back();
  // an answer ends at the first empty line
  for (auto at = out.find("\n\n"); at != std::string::npos; at = out.find("\n\n")) out.erase(at, 1);
  return out;
}

std::string GtpLoop::all_legal(const Words& words) {
  const int mover = words.size() > 1 ? seat(words, 1) : match_->over() ? 0 : match_->to_move();
  if (passed_over(mover)) return "";
  must_be_to_move(mover);
  std::string out;
  const auto add = [&](const std::vector<std::string>& turn) {
    out += (out.empty() ? "" : "\n") + dialect_->to_gtp(turn);
  };
  for (const auto& move : match_->legal()) {
    if (dialect_->moves_in_turn() == 1) {
      add({move});
      continue;
    }
    const auto after = match_->clone();
    after->play(move);
    for (const auto& second : after->legal()) add({move, second});
  }
  return out;
}

std::string GtpLoop::cputime(const Words&) {
  return fmt::format("{:.3f}", process_cpu_seconds());
}

// Main time and so much for so many moves: of one move, an even share of a long game.
std::string GtpLoop::time_settings(const Words& words) {
  if (words.size() != 4) throw Error("time_settings wants main time, byo-yomi time and its stones");
  const double all = seconds_of(words[1]), more = seconds_of(words[2]);
  const int stones = count_of(words[3]);
  if (more > 0 && stones == 0) {  // GTP's way of saying: no limit
    budget_ = catalog::parse_budget(settings_.budget);
    return "";
  }
  const double own_moves = static_cast<double>(game_->max_length()) / game_->players();
  const double share = all / own_moves + (stones > 0 ? more / stones : 0);
  budget_ = {};
  budget_.seconds = std::max(share / dialect_->moves_in_turn(), 1e-3);
  return "";
}

std::string GtpLoop::time_left(const Words& words) {
  seat(words, 1);
  if (words.size() != 4) throw Error("time_left wants a colour, seconds and stones");
  const double left = seconds_of(words[2]);
  const int stones = count_of(words[3]);
  const auto played = static_cast<double>(match_->history().size());
  const double own_moves = std::max(1.0, (game_->max_length() - played) / game_->players());
  budget_ = {};
  budget_.seconds =
      std::max(left / (stones > 0 ? stones : own_moves) / dialect_->moves_in_turn(), 1e-3);
  return "";
}

std::string GtpLoop::set_random_seed(const Words& words) {
  const auto seed = words.size() == 2 ? number_of<std::uint64_t>(words[1]) : std::nullopt;
  if (!seed) throw Error("set_random_seed wants a number from 0");
  thinker_.use_seed(*seed);
  return "";
}

// polymax-budget evals=1000: what one move of the game (half a turn in Amazons) may cost.
std::string GtpLoop::budget(const Words& words) {
  const Budget asked = catalog::parse_budget(joined(words, 1));
  arena::check_budget(Spec::parse(settings_.player), asked);
  budget_ = asked;
  return "";
}

}  // namespace polymax::protocol
