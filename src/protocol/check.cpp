#include "protocol/check.hpp"

#include <algorithm>
#include <set>

#include "core/seats_text.hpp"
#include "protocol/check_steps.hpp"
#include "protocol/ugi_text.hpp"

namespace polymax::protocol {

namespace {

class UgiCheck {
 public:
  UgiCheck(const AnyGame& game, Dialogue& with, const TalkLimits& limits)
      : game_(game), with_(with), limits_(limits), match_(game.start(0)) {}

  std::vector<CheckStep> steps() {
    return {
        {"ugi", "id lines, then ugiok", [this] { greet(); }},
        {"isready", "readyok", [this] { ready(); }},
        {"an unknown command", "the engine goes on: readyok to isready",
         [this] {
           with_.send("no_such_command 1 2 3");
           ready();
         }},
        {"uginewgame", "readyok to isready",
         [this] {
           with_.send("uginewgame");
           ready();
         }},
        {"query players", "the number of seats",
         [this] { query("players", std::to_string(game_.players())); }},
        {"position startpos", "the first seat to move",
         [this] {
           with_.send("position startpos");
           query("turn", std::to_string(match_->to_move() + 1));
           query("gameover", "false");
         }},
        {"query moves", "all legal moves", [this] { moves(); }},
        {"go evals", "bestmove with a legal move", [this] { go("go evals 50", limits_.move); }},
        {"info", "an info line with a value for each seat before bestmove", [this] { info(); }},
        {"go movetime", "bestmove in time", [this] { go("go movetime 200", 0.2 + limits_.grace); }},
        {"go infinite", "no bestmove before stop", [this] { endless(); }},
        {"stop", "bestmove within a second", [this] { stopped(); }},
        {"a position that cannot be", "the engine goes on: readyok to isready",
         [this] {
           with_.send("position startpos moves no_such_move");
           ready();
         }},
        {"a whole game", "legal moves to the end", [this] { whole_game(); }},
        {"query result", "the gain of every seat",
         [this] { query("result", seats_text(match_->gain(), game_.players())); }},
        {"quit", "the program ends by itself within two seconds", [this] { quit(); }},
    };
  }

 private:
  std::vector<std::string> answer(const std::string& word, double seconds) {
    const auto until = after(seconds);
    for (;;) {
      const auto words = words_of(with_.read(until, word));
      if (!words.empty() && words[0] == word) return words;
      if (!words.empty() && words[0] == "info") good_info_ = good_info_ || has_values(words);
    }
  }

  bool has_values(const std::vector<std::string>& words) const {
    AnyVerdict verdict;
    return std::ranges::find(words, "values") != words.end() &&
           read_info(words, game_.players(), verdict);
  }

  void greet() {
    with_.send("ugi");
    const auto until = after(limits_.start);
    bool name = false;
    for (;;) {
      const std::string line = with_.read(until, "ugiok");
      const auto words = words_of(line);
      if (words.empty()) continue;
      if (words[0] == "ugiok") break;
      name = name || line.starts_with("id name ");
      if (line.starts_with("id game "))
        demand(line.substr(8) == game_.spec(), "id game " + game_.spec(), line);
    }
    demand(name, "an 'id name' line before ugiok", "none");
  }

  void ready() {
    with_.calm();
    with_.send("isready");
    answer("readyok", limits_.start);
  }

  void query(const std::string& what, const std::string& wanted) {
    with_.send("query " + what);
    const auto words = answer("response", limits_.start);
    demand(joined(words, 1) == wanted, "response " + wanted, joined(words));
  }

  void moves() {
    with_.send("query moves");
    const auto words = answer("response", limits_.start);
    const auto legal = match_->legal();
    const std::set<std::string> said(words.begin() + 1, words.end()),
        wanted(legal.begin(), legal.end());
    for (const auto& move : said) demand(wanted.contains(move), "legal moves alone", move);
    demand(said.size() == wanted.size(), std::to_string(wanted.size()) + " moves",
           std::to_string(said.size()) + " moves");
  }

  std::string legal_move(double seconds) {
    const auto words = answer("bestmove", seconds);
    const auto legal = match_->legal();
    demand(words.size() > 1 && std::ranges::find(legal, words[1]) != legal.end(),
           "bestmove with a legal move", joined(words));
    return words[1];
  }

  void go(const std::string& command, double seconds) {
    with_.calm();
    with_.send(command);
    legal_move(seconds);
  }

  void info() { demand(good_info_, "info ... values V1 V2 ...", "none"); }

  void endless() {
    with_.send("go infinite");
    with_.send("isready");
    answer("readyok", limits_.start);
    const auto until = after(0.3);
    while (const auto line = with_.patient_read(until)) {
      const auto words = words_of(*line);
      demand(words.empty() || words[0] != "bestmove", "silence until stop", joined(words));
    }
  }

  void stopped() {
    with_.send("stop");
    legal_move(1 + limits_.grace);
  }

  void whole_game() {
    while (!match_->over()) {
      with_.calm();
      const auto& history = match_->history();
      with_.send("position startpos" + (history.empty() ? "" : " moves " + joined(history)));
      with_.send("go evals 10");
      match_->play(legal_move(limits_.move));
    }
    with_.send("position startpos moves " + joined(match_->history()));
    query("gameover", "true");
  }

  void quit() {
    with_.send("quit");
    with_.end(2);
    demand(with_.how_it_ended() == "exit code 0", "exit code 0", with_.how_it_ended());
  }

  const AnyGame& game_;
  Dialogue& with_;
  TalkLimits limits_;
  std::unique_ptr<AnyMatch> match_;
  bool good_info_ = false;
};

}  // namespace

bool check_ugi(const AnyGame& game, Dialogue& with, const TalkLimits& limits,
               const CheckReport& report) {
  UgiCheck check(game, with, limits);
  return run_steps(check.steps(), report);
}

bool check_engine(const AnyGame& game, const std::string& cmd, Language language,
                  const TalkLimits& limits, const CheckReport& report) {
  Dialogue with(game, cmd, "");
  return language == Language::ugi ? check_ugi(game, with, limits, report)
                                   : check_gtp(game, with, limits, report);
}

}  // namespace polymax::protocol
