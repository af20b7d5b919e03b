// An engine that speaks UGI with seats.
#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "core/number.hpp"
#include "protocol/talk.hpp"
#include "protocol/ugi_text.hpp"
#include "protocol/words.hpp"

namespace polymax::protocol {

namespace {

constexpr int kMostUnknown = 100;  // lines of no meaning before we call it garbage
constexpr double kToStop = 1;      // seconds to answer `stop`

class UgiTalk final : public Talk {
 public:
  UgiTalk(const AnyGame& game, std::unique_ptr<Dialogue> with, const TalkLimits& limits)
      : game_(game), with_(std::move(with)), limits_(limits) {}

  Dialogue& dialogue() override { return *with_; }

  void greet() override {
    with_->calm();
    with_->send("ugi");
    const auto until = after(limits_.start);
    for (int unknown = 0;;) {
      const auto words = words_of(with_->read(until, "ugiok"));
      if (words.empty()) continue;
      if (words[0] == "ugiok") break;
      if (words[0] == "option" && words.size() > 2 && words[2] == "seed")
        most_seed_ = most_of(words);
      else if (words[0] == "id" && words.size() > 2 && words[1] == "game")
        check_game(joined(words, 2));
      else if (words[0] != "id" && words[0] != "info" && ++unknown > kMostUnknown)
        with_->fault("garbage where ugiok was wanted: '" + shown(joined(words), 60) + "'");
    }
    wait_until_ready();
  }

  void new_match(std::uint64_t seed) override {
    with_->calm();
    if (most_seed_) {
      if (*most_seed_ < Budget::kNoLimit) seed %= *most_seed_ + 1;
      with_->send("setoption name seed value " + std::to_string(seed));
    }
    with_->send("uginewgame");
    wait_until_ready();
  }

  AnyVerdict move(const AnyMatch& match, const Budget& budget, const Watch& watch) override {
    with_->calm();
    const auto begin = Clock::now();
    std::string position = same_start(game_, match.seed(), 0)
                               ? "position startpos"
                               : "position seed " + std::to_string(match.seed());
    if (!match.history().empty()) position += " moves " + joined(match.history());
    with_->send(position);
    with_->send(write_go(budget));
    AnyVerdict out = wait_for_move(budget, watch);
    out.cost.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const auto legal = match.legal();
    if (std::ranges::find(legal, out.best) == legal.end())
      with_->fault("illegal move '" + shown(out.best, 60) + "'");
    return out;
  }

  void quit() override {
    with_->send("quit");
    with_->end(1);
  }

 private:
  // option name seed type spin ... max N; a program that says no more takes what all take.
  static std::uint64_t most_of(const std::vector<std::string>& words) {
    const auto at = std::ranges::find(words, "max");
    const bool told = at != words.end() && at + 1 != words.end();
    return (told ? number_of<std::uint64_t>(at[1]) : std::nullopt).value_or(0x7fffffff);
  }

  void check_game(const std::string& spec) {
    if (spec != game_.spec())
      with_->fault("the engine plays " + shown(spec, 60) + ", the match is " + game_.spec());
  }

  void wait_until_ready() {
    with_->send("isready");
    const auto until = after(limits_.start);
    for (int unknown = 0;;) {
      const std::string line = with_->read(until, "readyok");
      const auto words = words_of(line);
      if (!words.empty() && words[0] == "readyok") return;
      if (!words.empty() && words[0] == "error") with_->fault("the engine says: " + shown(line));
      if (!words.empty() && ++unknown > kMostUnknown)
        with_->fault("garbage where readyok was wanted: '" + shown(line, 60) + "'");
    }
  }

  AnyVerdict wait_for_move(const Budget& budget, const Watch& watch) {
    AnyVerdict out = unknown_verdict(game_.players());
    auto until = deadline(budget, limits_);
    auto seen = Clock::now();
    bool stopping = false;
    for (int unknown = 0;;) {
      std::vector<std::string> words;
      try {
        words =
            words_of(with_->read(until, "bestmove", stopping ? std::stop_token() : budget.stop));
      } catch (const Stopped&) {
        stopping = true;
        with_->send("stop");
        until = after(kToStop);
        continue;
      }
      if (words.empty()) continue;
      if (words[0] == "bestmove") {
        if (words.size() < 2) with_->fault("a bestmove without a move");
        out.best = words[1];
        return out;
      }
      if (words[0] == "info") {
        if (!read_info(words, game_.players(), out)) ++unknown;
        show(out, watch, seen);
      } else {
        if (words[0] == "error") with_->fault("the engine says: " + shown(joined(words)));
        ++unknown;
      }
      if (unknown > kMostUnknown)
        with_->fault("garbage where bestmove was wanted: '" + shown(joined(words), 60) + "'");
    }
  }

  static void show(AnyVerdict& verdict, const Watch& watch, Clock::time_point& seen) {
    const auto now = Clock::now();
    if (!watch.see || verdict.pv.empty() ||
        std::chrono::duration<double>(now - seen).count() < watch.every)
      return;
    seen = now;
    verdict.best = verdict.pv[0];
    watch.see(verdict);
  }

  const AnyGame& game_;
  std::unique_ptr<Dialogue> with_;
  TalkLimits limits_;
  std::optional<std::uint64_t> most_seed_;  // nothing: it knows no seed
};

}  // namespace

std::unique_ptr<Talk> ugi_talk(const AnyGame& game, std::unique_ptr<Dialogue> with,
                               const TalkLimits& limits) {
  return std::make_unique<UgiTalk>(game, std::move(with), limits);
}

}  // namespace polymax::protocol
