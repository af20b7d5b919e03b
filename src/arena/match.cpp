#include "arena/match.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <exception>
#include <stdexcept>
#include <system_error>

#include "core/error.hpp"
#include "core/rng.hpp"

namespace polymax::arena {

namespace {

double whole_microseconds(double seconds) {
  return std::round(seconds * 1e6) / 1e6;
}

class Table {
 public:
  Table(const MatchSetup& setup, std::stop_token stop)
      : setup_(setup), stop_(std::move(stop)), match_(setup.game->start(setup.start)) {
    out_.game = setup.game->spec();
    out_.start = setup.start;
    for (const auto& player : setup.players) out_.players.push_back(player.text());
  }

  MatchRecord play() {
    bool seated = false;
    try {
      seat_players();
      seated = true;
      play_opening();
      while (!match_->over() && !stop_.stop_requested()) play_move();
      if (match_->over()) finish();
    } catch (const Forfeit& fault) {
      lose(fault.what());
    } catch (const std::exception& error) {
      if (stop_.stop_requested()) return std::move(out_);
      if (!seated || !is_fault_of_player(error)) throw;
      out_.error = (seat_ < 0 ? ""
                              : "seat " + std::to_string(seat_ + 1) + ", " +
                                    out_.players[at(seat_)] + ": ") +
                   error.what();
    }
    return std::move(out_);
  }

 private:
  static std::size_t at(int seat) { return static_cast<std::size_t>(seat); }

  void seat_players() {
    for (seat_ = 0; seat_ < setup_.game->players(); ++seat_) {
      const auto seed = derived_seed(setup_.seed, static_cast<std::uint64_t>(seat_));
      players_.push_back(setup_.make_player ? setup_.make_player(seat_)
                                            : setup_.game->player(setup_.players[at(seat_)], seed));
      out_.players[at(seat_)] = players_.back()->spec();
    }
    seat_ = -1;
  }

  // Moves that end the game are not played: an opening leaves something to decide.
  void play_opening() {
    Rng rng(derived_seed(setup_.start, 1));
    for (int i = 0; i < setup_.opening && !match_->over(); ++i) {
      const auto legal = match_->legal();
      const auto& move = legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
      const int mover = match_->to_move();
      match_->play(move);
      if (match_->over()) {
        match_->undo();
        return;
      }
      out_.moves.push_back({.move = match_->history().back(), .seat = mover});
    }
  }

  void play_move() {
    seat_ = match_->to_move();
    Budget budget = setup_.budgets[at(seat_)];
    budget.stop = stop_;
    const AnyVerdict verdict = players_[at(seat_)]->think(*match_, budget);
    if (stop_.stop_requested()) return;  // a search that was cut short is not a move
    match_->play(verdict.best);
    const double seconds = whole_microseconds(verdict.cost.seconds);
    out_.moves.push_back({.move = match_->history().back(),
                          .seat = seat_,
                          .valued = true,
                          .value = verdict.value,
                          .evaluations = verdict.cost.evaluations,
                          .seconds = seconds});
    auto& use = out_.use[at(seat_)];
    ++use.moves;
    use.evaluations += verdict.cost.evaluations;
    use.seconds += seconds;
    if (std::isfinite(budget.seconds))
      use.overrun = std::max(use.overrun, whole_microseconds(seconds - budget.seconds));
    seat_ = -1;
  }

  void lose(const std::string& reason) {
    if (stop_.stop_requested()) return;  // it may have been stopped, not broken
    end_by_forfeit(out_, seat_, reason);
  }

  void finish() {
    out_.over = true;
    out_.score = match_->score();
    out_.gain = match_->gain();
    out_.points = match_->points();
  }

  const MatchSetup& setup_;
  std::stop_token stop_;
  std::unique_ptr<AnyMatch> match_;
  std::vector<std::unique_ptr<AnyPlayer>> players_;
  MatchRecord out_;
  int seat_ = -1;  // whose player is at work, for errors
};

}  // namespace

bool is_fault_of_player(const std::exception& error) {
  if (const auto* own = dynamic_cast<const Error*>(&error))
    return own->kind() == Error::Kind::usage;
  if (dynamic_cast<const std::system_error*>(&error) != nullptr) return false;
  return dynamic_cast<const std::runtime_error*>(&error) != nullptr ||
         dynamic_cast<const std::logic_error*>(&error) != nullptr;
}

MatchRecord play_match(const MatchSetup& setup, std::stop_token stop) {
  assert(setup.players.size() == static_cast<std::size_t>(setup.game->players()));
  assert(setup.budgets.size() == setup.players.size());
  return Table(setup, std::move(stop)).play();
}

Scores gain_of_forfeit(int seat, int players) {
  Scores out;
  for (int p = 0; p < players; ++p) out[p] = p == seat ? -1.0f : 1.0f;
  return out;
}

std::string forfeit_text(std::uint64_t match, const MatchRecord& record) {
  return "match " + std::to_string(match) + ": seat " + std::to_string(record.forfeit + 1) + ": " +
         record.reason;
}

void end_by_forfeit(MatchRecord& record, int seat, const std::string& reason) {
  record.over = true;
  record.forfeit = seat;
  record.reason = reason;
  record.gain = record.score = record.points =
      gain_of_forfeit(seat, static_cast<int>(record.players.size()));
}

std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t n) {
  return mix64(mix64(seed) + n);
}

void check_players(const AnyGame& game, std::span<const Spec> players) {
  for (const auto& player : players) game.player(player, 0);
}

void check_opening(const AnyGame& game, int opening) {
  if (opening > 0 && opening >= game.max_length())
    throw Error("an opening of " + std::to_string(opening) +
                " random moves leaves nothing to play: " + game.spec() + " ends after " +
                std::to_string(game.max_length()) + " moves at the latest");
}

int opening_length(const MatchRecord& record) {
  const auto is_thought = [](const auto& move) { return move.valued; };
  return static_cast<int>(std::ranges::find_if(record.moves, is_thought) - record.moves.begin());
}

void check_budget(const Spec& player, const Budget& budget) {
  const bool endless = budget.evaluations == Budget::kNoLimit && budget.nodes == Budget::kNoLimit &&
                       std::isinf(budget.seconds);
  if (endless && player.name == "mcts")
    throw Error("mcts may never solve a position: its budget needs evals=, nodes= or seconds=");
}

}  // namespace polymax::arena
