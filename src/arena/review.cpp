#include "arena/review.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>

#include "arena/record.hpp"
#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "core/thread.hpp"

namespace polymax::arena {

namespace {

class Reviewer {
 public:
  Reviewer(MatchRecord record, const ReviewSettings& settings)
      : record_(std::move(record)),
        settings_(settings),
        player_(Spec::parse(settings.player)),
        game_(catalog::open_game(record_.game)) {
    out_.over = replay_moves(*game_, record_)->over();
    check_budget(player_, settings.budget);
    out_.player = game_->player(player_, settings.seed)->spec();
    out_.game = game_->spec();
    out_.players = record_.players;
    if (game_->points() != Points::gain) for_wins_ = for_wins(*game_, player_);
    const std::size_t positions = record_.moves.size() + 1;
    points_.resize(positions);
    gains_.resize(positions);
    best_.resize(positions);
  }

  Review run(const std::function<void(std::size_t, std::size_t)>& done, std::stop_token stop) {
    think_all(done, std::move(stop));
    for (std::size_t i = 0; i < record_.moves.size(); ++i) out_.moves.push_back(reviewed(i));
    out_.after = outlook(record_.moves.size());
    return std::move(out_);
  }

 private:
  std::unique_ptr<AnyMatch> position(std::size_t moves) const {
    auto match = game_->start(record_.start);
    for (std::size_t i = 0; i < moves; ++i) match->play(record_.moves[i].move);
    return match;
  }

  // Thought number i: of position i / 2, for points (even) or for the gain (odd).
  void think(std::size_t i, const std::stop_token& stop) {
    const bool gain = i % 2 == 1;
    if (gain && !for_wins_) return;
    const auto match = position(i / 2);
    Scores& value = (gain ? gains_ : points_)[i / 2];
    if (match->over()) {
      value = gain ? match->gain() : match->points();
      return;
    }
    Budget budget = settings_.budget;
    budget.stop = stop;
    const auto player = game_->player(gain ? *for_wins_ : player_, settings_.seed);
    const AnyVerdict verdict = player->think(*match, budget);
    value = verdict.value;
    if (!gain) best_[i / 2] = verdict.best;
  }

  void think_all(const std::function<void(std::size_t, std::size_t)>& done, std::stop_token stop) {
    const std::size_t all = 2 * points_.size();
    std::atomic<std::size_t> next = 0;
    std::size_t ended = 0;
    std::mutex mutex;
    std::exception_ptr failure;
    run_together(static_cast<std::size_t>(settings_.threads), [&](std::size_t) {
      for (std::size_t i = next++; i < all && !stop.stop_requested(); i = next++) {
        try {
          think(i, stop);
          const std::scoped_lock lock(mutex);
          if (done) done(++ended, all);
        } catch (...) {
          const std::scoped_lock lock(mutex);
          if (!failure) failure = std::current_exception();
          next = all;
        }
      }
    });
    if (failure) std::rethrow_exception(failure);
    if (stop.stop_requested()) throw Error("stopped before the end", Error::Kind::failed);
  }

  Outlook outlook(std::size_t i) const {
    Outlook out{points_[i], std::nullopt};
    const int players = game_->players();
    if (game_->points() == Points::gain)
      out.chances = chances_of(points_[i], players);
    else if (for_wins_)
      out.chances = chances_of(gains_[i], players);
    return out;
  }

  ReviewedMove reviewed(std::size_t i) const {
    const auto& played = record_.moves[i];
    return judged(played.move, played.seat, best_[i], outlook(i), outlook(i + 1), settings_);
  }

  MatchRecord record_;
  const ReviewSettings& settings_;
  Spec player_;
  std::optional<Spec> for_wins_;
  std::unique_ptr<const AnyGame> game_;
  std::vector<Scores> points_, gains_;  // of every position
  std::vector<std::string> best_;
  Review out_;
};

}  // namespace

std::optional<Spec> for_wins(const AnyGame& game, Spec player) {
  take_argument(player, "aim");
  player.arguments.push_back({"aim", 0, Spec::parse("win")});
  try {
    game.player(player, 0);
    return player;
  } catch (const Error&) {
    return std::nullopt;
  }
}

Scores chances_of(const Scores& gain, int players) {
  Scores out;
  for (int p = 0; p < players; ++p) out[p] = std::clamp((gain[p] + 1) / 2, 0.0f, 1.0f);
  return out;
}

ReviewedMove judged(const std::string& move, int seat, const std::string& best,
                    const Outlook& before, const Outlook& after, const ReviewSettings& settings) {
  ReviewedMove out{move, best, seat, before, 0, std::nullopt, Grade::fine};
  const auto lost = [&](const Scores& then, const Scores& now) {
    const double loss = static_cast<double>(then[seat] - now[seat]);
    return move == best ? 0.0 : std::max(loss, 0.0);
  };
  out.points_lost = lost(before.points, after.points);
  if (!before.chances || !after.chances) return out;
  out.chances_lost = lost(*before.chances, *after.chances);
  out.grade = *out.chances_lost >= settings.blunder   ? Grade::blunder
              : *out.chances_lost >= settings.mistake ? Grade::mistake
                                                      : Grade::fine;
  return out;
}

Review review(const MatchRecord& record, const ReviewSettings& settings,
              const std::function<void(std::size_t, std::size_t)>& done, std::stop_token stop) {
  return Reviewer(record, settings).run(done, std::move(stop));
}

}  // namespace polymax::arena
