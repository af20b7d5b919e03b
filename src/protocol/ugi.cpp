#include "protocol/ugi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <exception>

#include "arena/match.hpp"
#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "core/number.hpp"
#include "core/seats_text.hpp"
#include "core/thread.hpp"
#include "protocol/exactly.hpp"
#include "protocol/ugi_text.hpp"
#include "protocol/words.hpp"

namespace polymax::protocol {

UgiLoop::UgiLoop(const AnyGame& game, const EngineSettings& settings, Sink sink)
    : game_(game),
      settings_(settings),
      budget_(catalog::parse_budget(settings.budget)),
      sink_(std::move(sink)),
      thinker_(game, settings.player, settings.seed),
      match_(game.start(0)) {
  arena::check_budget(Spec::parse(settings.player), budget_);
}

UgiLoop::~UgiLoop() {
  stop();
}

bool UgiLoop::obey(std::string_view line) {
  try {
    if (line.size() > kLongestLine) throw Error("a line of more than 1 MiB");
    return dispatch(words_of(line));
  } catch (const std::exception& error) {
    say(std::string("error ") + shown(error.what(), 2000));
    return true;
  }
}

void UgiLoop::finish() {
  if (endless_) search_.request_stop();
  if (search_.joinable()) search_.join();
}

void UgiLoop::say(const std::string& line) {
  const std::scoped_lock lock(saying_);
  sink_(line);
}

bool UgiLoop::thinking() const {
  return busy_;
}

void UgiLoop::must_be_idle() const {
  if (thinking()) throw Error("a search is under way: 'stop' ends it");
}

void UgiLoop::stop() {
  search_.request_stop();
  if (search_.joinable()) search_.join();
}

bool UgiLoop::dispatch(const std::vector<std::string>& words) {
  if (words.empty()) return true;
  const std::string& command = words[0];
  if (command == "quit") {
    stop();
    return false;
  }
  if (command == "ugi")
    introduce();
  else if (command == "isready")
    say("readyok");
  else if (command == "setoption")
    set_option(words);
  else if (command == "uginewgame") {
    must_be_idle();
    thinker_.forget();
    match_ = game_.start(0);
  } else if (command == "position")
    set_position(words);
  else if (command == "go")
    go(words);
  else if (command == "stop")
    stop();
  else if (command == "query")
    query(words);
  else
    throw Error(
        "no command '" + shown(command) +
        "'; there are ugi, isready, setoption, uginewgame, position, go, stop, query, quit");
  return true;
}

void UgiLoop::introduce() {
  say("id name " + settings_.name + (settings_.version.empty() ? "" : " " + settings_.version));
  say("id game " + game_.spec());
  say("id players " + std::to_string(game_.players()));
  say("option name player type string default " + thinker_.spec());
  say(fmt::format("option name seed type spin default {} min 0 max 18446744073709551615",
                  settings_.seed));
  say(fmt::format("option name report type spin default {} min 0 max 3600000",
                  std::lround(1000 * settings_.report_every)));
  say("ugiok");
}

// setoption name NAME value VALUE
void UgiLoop::set_option(const std::vector<std::string>& words) {
  must_be_idle();
  if (words.size() < 5 || words[1] != "name" || words[3] != "value")
    throw Error("setoption wants: setoption name NAME value VALUE");
  const std::string value = joined(words, 4);
  if (words[2] == "player") {
    arena::check_budget(Spec::parse(value), budget_);
    thinker_.use_player(value);
  } else if (words[2] == "seed") {
    const auto seed = number_of<std::uint64_t>(value);
    if (!seed) throw Error("seed is a number from 0, not '" + shown(value) + "'");
    thinker_.use_seed(*seed);
  } else if (words[2] == "report") {
    const auto every = number_of<int>(value);
    if (!every || *every < 0 || *every > 3'600'000)
      throw Error("report is milliseconds from 0 to 3600000, not '" + shown(value) + "'");
    settings_.report_every = *every / 1000.0;
  } else {
    throw Error("no option '" + shown(words[2]) + "'; there are player, seed, report");
  }
}

// position startpos|seed N [moves M...]
void UgiLoop::set_position(const std::vector<std::string>& words) {
  must_be_idle();
  std::uint64_t seed = 0;
  std::size_t next = 2;
  if (words.size() >= 3 && words[1] == "seed") {
    const auto given = number_of<std::uint64_t>(words[2]);
    if (!given) throw Error("seed is a number from 0, not '" + shown(words[2]) + "'");
    seed = *given;
    next = 3;
  } else if (words.size() < 2 || words[1] != "startpos") {
    throw Error("position wants: position startpos|seed N [moves M...]");
  }
  if (next < words.size() && words[next] != "moves")
    throw Error("'moves' is wanted, not '" + shown(words[next]) + "'");
  auto match = game_.start(seed);
  for (std::size_t i = next + 1; i < words.size(); ++i) {
    try {
      play_exactly(*match, words[i]);
    } catch (const Error& error) {
      throw Error(fmt::format("move {}: {}", i - next, error.what()));
    }
  }
  match_ = std::move(match);
}

void UgiLoop::go(const std::vector<std::string>& words) {
  must_be_idle();
  if (match_->over()) throw Error("the game is over: there is nothing to think about");
  const GoLimits limits = read_go(words);
  const Budget budget = limits.any ? limits.budget : budget_;
  if (!limits.infinite) arena::check_budget(Spec::parse(thinker_.spec()), budget);
  endless_ = limits.infinite;
  if (search_.joinable()) search_.join();
  busy_ = true;
  try {
    search_ = start_thread([this, budget](const std::stop_token& stopped) {
      Budget own = budget;
      own.stop = stopped;
      think(own);
    });
  } catch (const Error&) {
    busy_ = false;
    throw;
  }
}

void UgiLoop::think(const Budget& budget) {
  try {
    Watch watch;
    watch.every = settings_.report_every;
    if (settings_.report_every > 0)
      watch.see = [this](const AnyVerdict& verdict) { say(info_line(verdict)); };
    const AnyVerdict verdict = thinker_.player().think(*match_, budget, watch);
    say(info_line(verdict));
    if (endless_) {  // the answer waits for `stop`
      std::mutex mutex;
      std::condition_variable_any waiting;
      std::unique_lock lock(mutex);
      waiting.wait(lock, budget.stop, [] { return false; });
    }
    busy_ = false;
    say("bestmove " + verdict.best);
  } catch (const std::exception& error) {
    busy_ = false;
    try {
      say(std::string("error ") + shown(error.what(), 2000));
    } catch (const std::exception&) {  // the sink does not take it: there is nobody to tell
    }
  }
}

std::string UgiLoop::info_line(const AnyVerdict& verdict) const {
  return ugi_info(verdict, game_.players());
}

void UgiLoop::query(const std::vector<std::string>& words) {
  const std::string what = words.size() == 2 ? words[1] : "";
  std::string answer;
  if (what == "players")
    answer = std::to_string(game_.players());
  else if (what == "turn")
    answer = match_->over() ? "none" : std::to_string(match_->to_move() + 1);
  else if (what == "moves")
    answer = match_->over() ? "none" : joined(match_->legal());
  else if (what == "gameover")
    answer = match_->over() ? "true" : "false";
  else if (what == "result" || what == "score" || what == "points")
    answer = result_text(what);
  else
    throw Error("query wants one of players, turn, moves, gameover, result, score, points");
  say("response " + answer);
}

std::string UgiLoop::result_text(const std::string& what) const {
  if (!match_->over()) return "none";
  return seats_text(what == "result"  ? match_->gain()
                    : what == "score" ? match_->score()
                                      : match_->points(),
                    game_.players());
}

}  // namespace polymax::protocol
