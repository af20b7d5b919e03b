// The demands on an engine that speaks GTP.
#include <algorithm>

#include "core/error.hpp"
#include "protocol/check_steps.hpp"
#include "protocol/dialect.hpp"
#include "protocol/exactly.hpp"
#include "protocol/talk.hpp"

namespace polymax::protocol {

namespace {

class GtpCheck {
 public:
  GtpCheck(const AnyGame& game, Dialogue& with, const TalkLimits& limits)
      : game_(game),
        with_(with),
        limits_(limits),
        dialect_(dialect_of(game)),
        match_(game.start(0)) {}

  std::vector<CheckStep> steps() {
    return {
        {"protocol_version", "= 2", [this] { wants("protocol_version", "2"); }},
        {"name", "= and a name", [this] { ask("name"); }},
        {"list_commands", "all commands that a match needs", [this] { list(); }},
        {"an unknown command", "an answer that begins with ?",
         [this] { refused("no_such_command"); }},
        {"an answer with its number", "=17 and the answer", [this] { numbered(); }},
        {"the game", "the engine plays " + game_.spec(), [this] { set_game(); }},
        {"clear_board", "=", [this] { ask("clear_board"); }},
        {"genmove", "a legal move", [this] { first_move(); }},
        {"undo", "=, and the same colour moves again",
         [this] {
           ask("undo");
           first_move();
         }},
        {"a move that cannot be", "an answer that begins with ?",
         [this] { refused("play " + dialect_->colour(0) + " no_such_move"); }},
        {"a whole game", "legal moves to the end", [this] { whole_game(); }},
        {"quit", "the program ends by itself within two seconds",
         [this] {
           ask("quit");
           with_.end(2);
           demand(with_.how_it_ended() == "exit code 0", "exit code 0", with_.how_it_ended());
         }},
    };
  }

 private:
  // Its answer, with the sign and number that it begins with.
  std::string whole_answer(const std::string& command, double seconds) {
    std::string out = gtp_answer(with_, command, after(seconds));
    demand(is_gtp_answer(out), "an answer that begins with = or ?", out);
    return out;
  }

  std::string ask(const std::string& command) {
    const std::string out = whole_answer(command, limits_.move);
    demand(out[0] == '=', "an answer to '" + command + "' that begins with =", out);
    const auto begin = out.find_first_not_of("= ");
    return begin == std::string::npos ? "" : out.substr(begin);
  }

  void wants(const std::string& command, const std::string& wanted) {
    const std::string got = ask(command);
    demand(got == wanted, "= " + wanted, got);
  }

  void refused(const std::string& command) {
    const std::string got = whole_answer(command, limits_.start);
    demand(got[0] == '?', "an answer to '" + command + "' that begins with ?", got);
  }

  void numbered() {
    const std::string got = whole_answer("17 name", limits_.start);
    demand(got.starts_with("=17"), "=17 and the answer", got);
  }

  bool knows(std::string_view command) const {
    return std::ranges::find(known_, command) != known_.end();
  }

  void list() {
    known_ = words_of(ask("list_commands"));
    for (const char* wanted : {"clear_board", "genmove", "play", "undo", "quit"})
      demand(knows(wanted), std::string(wanted) + " in the list", "a list without it");
  }

  void set_game() {
    if (!dialect_->game_name().empty() && knows("set_game"))
      ask("set_game " + dialect_->game_name());
    if (const auto key = dialect_->size_key(); !key.empty())
      ask("boardsize " + std::to_string(setting_of(game_, key)));
  }

  std::vector<std::string> generated() {
    const std::string said = ask("genmove " + dialect_->colour(match_->to_move()));
    const auto trial = match_->clone();
    try {
      const auto turn = dialect_->from_gtp(said);
      for (const auto& move : turn) play_exactly(*trial, move);
      return turn;
    } catch (const Error&) {
      throw Mismatch{"a legal move", "'" + shown(said) + "'"};
    }
  }

  void first_move() { first_ = generated(); }

  void whole_game() {
    for (const auto& move : first_) match_->play(move);
    for (int last = 0; !match_->over();) {
      if (dialect_->passes() && match_->to_move() == last)
        ask("play " + dialect_->colour(1 - last) + " pass");
      last = match_->to_move();
      for (const auto& move : generated()) match_->play(move);
    }
    if (knows("final_score")) wants("final_score", dialect_->score_text(*match_, game_.players()));
  }

  const AnyGame& game_;
  Dialogue& with_;
  TalkLimits limits_;
  std::unique_ptr<const Dialect> dialect_;
  std::unique_ptr<AnyMatch> match_;
  std::vector<std::string> known_, first_;
};

}  // namespace

bool check_gtp(const AnyGame& game, Dialogue& with, const TalkLimits& limits,
               const CheckReport& report) {
  GtpCheck check(game, with, limits);
  return run_steps(check.steps(), report);
}

}  // namespace polymax::protocol
