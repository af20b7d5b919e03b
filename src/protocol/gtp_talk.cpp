// An engine that speaks GTP in the game's dialect.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "protocol/dialect.hpp"
#include "protocol/talk.hpp"
#include "protocol/words.hpp"

namespace polymax::protocol {

namespace {

std::string answer_to(const std::string& command) {
  return "answer to '" + shown(command, 60) + "'";
}

class GtpTalk final : public Talk {
 public:
  GtpTalk(const AnyGame& game, std::unique_ptr<Dialogue> with, const TalkLimits& limits)
      : game_(game), dialect_(dialect_of(game)), with_(std::move(with)), limits_(limits) {}

  Dialogue& dialogue() override { return *with_; }

  void greet() override {
    for (const auto& name : words_of(ask("list_commands"))) known_.insert(name);
    if (!dialect_->game_name().empty() && known_.contains("set_game"))
      ask("set_game " + dialect_->game_name());
    if (const auto key = dialect_->size_key(); !key.empty())
      ask(fmt::format("boardsize {}", setting_of(game_, key)));
  }

  void new_match(std::uint64_t seed) override {
    if (known_.contains("set_random_seed"))
      suggest(fmt::format("set_random_seed {}", own() ? seed : seed & kCommonSeed));
    clear();
    budget_.clear();
  }

  AnyVerdict move(const AnyMatch& match, const Budget& budget, const Watch&) override {
    if (!same_start(game_, match.seed(), 0))
      throw Error("GTP cannot name the start position of " + game_.spec() +
                  ": only seed 0 has one");
    const auto begin = Clock::now();
    AnyVerdict out = unknown_verdict(game_.players());
    if (!follow(match)) {
      out.best = turn_[1];
      return out;
    }
    tell_budget(budget);
    const std::string said = ask("genmove " + dialect_->colour(match.to_move()),
                                 deadline(budget, limits_, dialect_->moves_in_turn()), budget.stop);
    out.best = first_of(match, said);
    out.pv = turn_;
    out.cost.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return out;
  }

  void quit() override {
    with_->send("quit");
    with_->end(1);
  }

 private:
  static constexpr std::uint64_t kCommonSeed = 0x7fffffff;  // what every program takes for a number

  bool own() const { return known_.contains("polymax-budget"); }

  void clear() {
    ask("clear_board");
    sent_.clear();
    turn_.clear();
    passed_until_ = 0;
  }

  std::string ask(const std::string& command) { return ask(command, after(limits_.start), {}); }

  // A program may refuse this: it plays on as it thinks best, and its time is looked after here.
  void suggest(const std::string& command) { answer(command, after(limits_.start), {}); }

  // What follows the '='. A refusal is a fault: everything we send is right.
  std::string ask(const std::string& command, Clock::time_point until,
                  const std::stop_token& stop) {
    auto [sign, out] = answer(command, until, stop);
    if (sign == '?') with_->fault("the engine refuses '" + shown(command, 60) + "': " + shown(out));
    return out;
  }

  std::pair<char, std::string> answer(const std::string& command, Clock::time_point until,
                                      const std::stop_token& stop) {
    std::string out = gtp_answer(*with_, command, until, stop);
    if (!is_gtp_answer(out))
      with_->fault("'" + shown(out, 60) + "' is no " + answer_to(command) +
                   ": that begins with = or ?");
    const char sign = out[0];
    out.erase(0, out.find_first_not_of(" ", 1));
    return {sign, out};
  }

  // Tells the engine what was played since it last heard. False: it has moved already, a turn of
  // two moves, and the match stands between them.
  bool follow(const AnyMatch& match) {
    const auto& history = match.history();
    if (turn_.size() == 2 && history.size() + 1 == sent_.size() &&
        std::equal(history.begin(), history.end(), sent_.begin()))
      return false;
    turn_.clear();
    if (sent_.size() > history.size() || !std::equal(sent_.begin(), sent_.end(), history.begin()))
      clear();
    const auto again = game_.start(match.seed());
    int last = -1;
    for (std::size_t i = 0; i < history.size();) {
      const int mover = again->to_move();
      const bool news = i >= sent_.size();
      if (news) pass_between(last, mover);
      std::vector<std::string> turn;
      while (i < history.size() && static_cast<int>(turn.size()) < dialect_->moves_in_turn()) {
        turn.push_back(history[i++]);
        again->play(turn.back());
      }
      if (static_cast<int>(turn.size()) < dialect_->moves_in_turn())
        throw Error("a GTP engine cannot begin in the middle of a turn of " + game_.name());
      if (news) ask("play " + dialect_->colour(mover) + " " + dialect_->to_gtp(turn));
      last = mover;
    }
    if (passed_until_ != history.size()) pass_between(last, match.to_move());
    passed_until_ = history.size();
    sent_ = history;
    return true;
  }

  // Seats that had no move say so, where the dialect wants it.
  void pass_between(int last, int mover) {
    if (!dialect_->passes() || last < 0) return;
    for (int p = (last + 1) % game_.players(); p != mover; p = (p + 1) % game_.players())
      ask("play " + dialect_->colour(p) + " pass");
  }

  void tell_budget(const Budget& budget) {
    const std::string text = catalog::budget_text(budget);
    if (text == budget_) return;
    budget_ = text;
    if (own())
      ask("polymax-budget " + text);
    else if (known_.contains("time_settings") && std::isfinite(budget.seconds))
      suggest(fmt::format("time_settings 0 {} 1", dialect_->moves_in_turn() * budget.seconds));
  }

  // The whole turn is checked now; its second move waits for the next call.
  std::string first_of(const AnyMatch& match, const std::string& said) {
    std::vector<std::string> turn;
    try {
      turn = dialect_->from_gtp(said);
      const auto after_it = match.clone();
      for (const auto& move : turn) {
        const auto legal = after_it->legal();
        if (std::ranges::find(legal, move) == legal.end()) throw Error("illegal");
        after_it->play(move);
      }
    } catch (const Error&) {
      with_->fault(said == "resign" ? "the engine resigned"
                                    : "illegal move '" + shown(said, 60) + "'");
    }
    sent_.insert(sent_.end(), turn.begin(), turn.end());
    turn_ = turn;
    return turn_[0];
  }

  const AnyGame& game_;
  std::unique_ptr<const Dialect> dialect_;
  std::unique_ptr<Dialogue> with_;
  TalkLimits limits_;
  std::set<std::string> known_;
  std::string budget_;             // what the engine was told last
  std::vector<std::string> sent_;  // moves that the engine knows, its own included
  std::vector<std::string> turn_;  // its last one, as moves of the game
  std::size_t passed_until_ = 0;   // moves after which passes were told, before its own
};

}  // namespace

std::string gtp_answer(Dialogue& with, const std::string& command, Clock::time_point until,
                       const std::stop_token& stop) {
  with.calm();
  with.send(command);
  const std::string wanted = answer_to(command);
  std::string out, line;
  while ((out = with.read(until, wanted, stop)).empty() || out[0] == '#') {
  }
  if (!is_gtp_answer(out)) return out;
  while (!(line = with.read(until, wanted, stop)).empty()) out += "\n" + line;
  return out;
}

bool is_gtp_answer(const std::string& said) {
  return said.starts_with('=') || said.starts_with('?');
}

std::unique_ptr<Talk> gtp_talk(const AnyGame& game, std::unique_ptr<Dialogue> with,
                               const TalkLimits& limits) {
  return std::make_unique<GtpTalk>(game, std::move(with), limits);
}

}  // namespace polymax::protocol
