#include "protocol/engine_player.hpp"

#include <map>
#include <mutex>

#include "catalog/catalog.hpp"
#include "core/spec.hpp"
#include "protocol/talk.hpp"

namespace polymax::protocol {

namespace {

struct Settings {
  std::string cmd, log;
  Language protocol = Language::ugi;
  double start = TalkLimits{}.start, move = TalkLimits{}.move, grace = TalkLimits{}.grace;
  bool keep = false;

  static Fields fields() {
    constexpr double kDay = 86400;
    return {field("cmd", &Settings::cmd, "what a shell starts", "a command",
                  [](std::string_view text) { return !text.empty(); }),
            field("protocol", &Settings::protocol, "the language it speaks", kLanguages),
            field("log", &Settings::log, "file for what it writes to its standard error",
                  "a file; none when empty"),
            field("start", &Settings::start, "seconds to answer when it is started", 0.001, kDay),
            field("move", &Settings::move, "seconds for a move whose budget names no time", 0.001,
                  kDay),
            field("grace", &Settings::grace, "seconds over the time of a budget", 0.0, kDay),
            field("keep", &Settings::keep, "the program is kept for the next match")};
  }
};

struct Running {
  std::shared_ptr<const AnyGame> game;
  std::unique_ptr<Talk> talk;
};

// Programs that wait for their next match.
class Kept {
 public:
  Running take(const std::string& key) {
    const std::scoped_lock lock(mutex_);
    auto& idle = idle_[key];
    while (!idle.empty()) {
      Running out = std::move(idle.back());
      idle.pop_back();
      if (out.talk->dialogue().alive()) return out;
    }
    return {};
  }

  void give(const std::string& key, Running running) {
    const std::scoped_lock lock(mutex_);
    idle_[key].push_back(std::move(running));
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<Running>> idle_;
};

class EnginePlayer final : public AnyPlayer {
 public:
  EnginePlayer(const AnyGame& game, const Spec& spec, std::uint64_t seed,
               std::shared_ptr<Kept> kept)
      : settings_(read_settings<Settings>(spec)),
        spec_(write_settings("engine", settings_).text()),
        seed_(seed),
        kept_(std::move(kept)) {
    if (settings_.cmd.empty()) fail_at(spec, spec.at, "engine needs cmd=: what to start");
    key_ = game.spec() + " " + spec_;
    if (settings_.keep) engine_ = kept_->take(key_);
    if (engine_.talk) return;
    if (settings_.keep)  // the program outlives the game of this match
      engine_.game = catalog::open_game(game.spec());
    else
      engine_.game = {std::shared_ptr<void>(), &game};
    engine_.talk = talk_to(settings_.protocol, *engine_.game, settings_.cmd, settings_.log,
                           {settings_.start, settings_.move, settings_.grace});
    engine_.talk->greet();
  }

  ~EnginePlayer() override {
    try {
      if (!engine_.talk || broken_ || !engine_.talk->dialogue().alive()) return;
      if (settings_.keep)
        kept_->give(key_, std::move(engine_));
      else
        engine_.talk->quit();
    } catch (...) {  // a program that refuses to go has been ended
    }
  }

  const std::string& spec() const override { return spec_; }

  AnyVerdict think(const AnyMatch& match, const Budget& budget, const Watch& watch) override {
    if (broken_) throw Forfeit("the engine has failed before");
    broken_ = true;  // unless it comes back with a move
    const auto& history = match.history();
    const bool goes_on = followed_ && start_ == match.seed() && known_.size() <= history.size() &&
                         std::equal(known_.begin(), known_.end(), history.begin());
    if (!goes_on) engine_.talk->new_match(seed_);
    AnyVerdict out = engine_.talk->move(match, budget, watch);
    followed_ = true;
    start_ = match.seed();
    known_ = history;
    broken_ = false;
    return out;
  }

 private:
  Settings settings_;
  std::string spec_, key_;
  std::uint64_t seed_;
  std::shared_ptr<Kept> kept_;
  Running engine_;
  bool followed_ = false, broken_ = false;
  std::uint64_t start_ = 0;
  std::vector<std::string> known_;  // of the match that the engine follows
};

}  // namespace

void offer_engines() {
  catalog::offer_player(
      {"engine",
       {"another program that speaks UGI or GTP", 1, "docs/protocol.md"},
       describe_settings<Settings>()},
      [kept = std::make_shared<Kept>()](const AnyGame& game, const Spec& spec,
                                        std::uint64_t seed) -> std::unique_ptr<AnyPlayer> {
        return std::make_unique<EnginePlayer>(game, spec, seed, kept);
      });
}

}  // namespace polymax::protocol
