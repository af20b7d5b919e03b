// What a session wants thought about, and what it does with the results.
#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "core/rng.hpp"
#include "server/session.hpp"

namespace polymax::server {

bool Session::engine_to_move() const {
  return !match_->over() && resigned_ < 0 &&
         !seats_[static_cast<std::size_t>(match_->to_move())].person();
}

bool Session::wants(Job::Purpose purpose, int slot) const {
  switch (purpose) {
    case Job::Purpose::move:
      return !paused_ && engine_to_move() && Clock::now() >= not_before_;
    case Job::Purpose::hint:
      return hint_wanted_ && !match_->over();
    case Job::Purpose::analysis:
      return slot < static_cast<int>(analyses_.size()) &&
             !analyses_[static_cast<std::size_t>(slot)].over;
    case Job::Purpose::review:
      return review_wanted_ && unreviewed().has_value();
  }
  return false;
}

std::optional<std::size_t> Session::unreviewed() const {
  const std::size_t most = match_->history().size() + (match_->over() ? 0 : 1);
  for (std::size_t ply = 0; ply < most; ++ply)
    if (!assessed_[ply] || !assessed_[ply]->reviewed) return ply;
  return std::nullopt;
}

std::optional<Job> Session::next_job() {
  using Purpose = Job::Purpose;
  static constexpr std::array<std::pair<Purpose, int>, 5> kKinds{{{Purpose::move, 0},
                                                                  {Purpose::hint, 0},
                                                                  {Purpose::analysis, 0},
                                                                  {Purpose::analysis, 1},
                                                                  {Purpose::review, 0}}};
  Lock lock(mutex_);
  if (ended_ || running_ != 0) return std::nullopt;
  for (int i = 1; i <= static_cast<int>(kKinds.size()); ++i) {
    const int kind = (last_kind_ + i) % static_cast<int>(kKinds.size());
    const auto [purpose, slot] = kKinds[static_cast<std::size_t>(kind)];
    if (!wants(purpose, slot)) continue;
    last_kind_ = kind;
    return make_job(purpose, slot);
  }
  return std::nullopt;
}

std::optional<Clock::time_point> Session::next_time() const {
  Lock lock(mutex_);
  if (ended_ || running_ != 0) return std::nullopt;
  for (const int slot : {0, 1})
    if (wants(Job::Purpose::analysis, slot)) return Clock::now();
  if (wants(Job::Purpose::hint, 0) || wants(Job::Purpose::review, 0)) return Clock::now();
  if (!paused_ && engine_to_move()) return std::max(not_before_, Clock::now());
  return std::nullopt;
}

Job Session::make_job(Job::Purpose purpose, int slot) {
  Job out;
  out.purpose = purpose;
  out.slot = slot;
  out.game = game_;
  out.ticket = running_ = ++tickets_;
  running_purpose_ = purpose;
  Seat seat;
  switch (purpose) {
    case Job::Purpose::move:
      seat = seats_[static_cast<std::size_t>(match_->to_move())];
      out.seed = mix64(seed_ + static_cast<std::uint64_t>(match_->to_move()));
      out.match = match_->clone();
      break;
    case Job::Purpose::hint:
      seat = strongest(*game_, house_);
      seat.budget.seconds = std::min(seat.budget.seconds, 3.0);
      out.match = match_->clone();
      break;
    case Job::Purpose::analysis: {
      const auto& analysis = analyses_[static_cast<std::size_t>(slot)];
      seat = analysis.seat;
      seat.budget.seconds = std::max(0.05, seat.budget.seconds - analysis.spent.seconds);
      if (seat.budget.evaluations != Budget::kNoLimit)
        seat.budget.evaluations -=
            std::min(seat.budget.evaluations - 1, analysis.spent.evaluations);
      out.match = analysed_->clone();
      out.patient = true;
      break;
    }
    case Job::Purpose::review:
      seat = strongest(*game_, house_);
      seat.budget.seconds = 0.4;
      out.match = match_->clone();
      for (const std::size_t ply = *unreviewed(); out.match->history().size() > ply;)
        out.match->undo();
      break;
  }
  out.player = seat.player;
  out.budget = seat.budget;
  stop_ = std::stop_source();
  now_ = false;
  out.budget.stop = stop_.get_token();
  return out;
}

void Session::look(const Job& job, const AnyVerdict& verdict) {
  Lock lock(mutex_);
  if (job.ticket != running_ || job.purpose == Job::Purpose::review) return;
  Json seen = verdict_json(*game_, *job.match, verdict);
  seen["by"] = job.player;
  seen["unit"] = unit_of(job.player, *game_);
  seen["running"] = true;
  if (job.purpose == Job::Purpose::analysis) {
    const auto& spent = analyses_[static_cast<std::size_t>(job.slot)].spent;
    seen["evaluations"] = verdict.cost.evaluations + spent.evaluations;
    seen["seconds"] = verdict.cost.seconds + spent.seconds;
    seen["line"] = job.match->history();
    return publish("analysis" + std::to_string(job.slot), std::move(seen));
  }
  publish(job.purpose == Job::Purpose::hint ? "hint" : "thought", std::move(seen));
}

void Session::done(const Job& job, const AnyVerdict& verdict, bool interrupted) {
  Lock lock(mutex_);
  if (job.ticket != running_) return;
  running_ = 0;
  Json seen = verdict_json(*game_, *job.match, verdict);
  seen["by"] = job.player;
  seen["unit"] = unit_of(job.player, *game_);
  seen["running"] = false;
  switch (job.purpose) {
    case Job::Purpose::move:
      if (job.budget.stop.stop_requested() && !now_) return changed();
      if (verdict.cost.evaluations > 0)  // else it has no value to show
        assessed_[job.match->history().size()] = Assessed{seen, false};
      publish("thought", std::move(seen));
      return play_engine_move(verdict);
    case Job::Purpose::hint:
      hint_wanted_ = false;
      publish("hint", std::move(seen));
      return changed();
    case Job::Purpose::analysis: {
      auto& analysis = analyses_[static_cast<std::size_t>(job.slot)];
      analysis.spent.evaluations += verdict.cost.evaluations;
      analysis.spent.seconds += verdict.cost.seconds;
      analysis.over = !interrupted || verdict.proof == Proof::exact;
      seen["evaluations"] = analysis.spent.evaluations;
      seen["seconds"] = analysis.spent.seconds;
      seen["running"] = !analysis.over;
      seen["line"] = job.match->history();
      publish("analysis" + std::to_string(job.slot), std::move(seen));
      return changed();
    }
    case Job::Purpose::review:
      if (!review_wanted_) return;
      assert(job.match->history().size() < assessed_.size());
      assessed_[job.match->history().size()] = Assessed{std::move(seen), true};
      return publish_review();
  }
}

void Session::play_engine_move(const AnyVerdict& verdict) {
  movers_.push_back(match_->to_move());
  match_->play(verdict.best);
  if (!undone_.empty() && undone_.back() == match_->history().back())
    undone_.pop_back();
  else
    undone_.clear();
  not_before_ = Clock::now() +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pace_));
  moved();
}

void Session::failed(const Job& job, const std::string& message) {
  Lock lock(mutex_);
  if (job.ticket != running_) return;
  running_ = 0;
  error_ = job.player + ": " + message;
  hint_wanted_ = false;
  review_wanted_ = false;
  for (auto& analysis : analyses_) analysis.over = true;
  if (job.purpose == Job::Purpose::move) paused_ = true;
  changed();
}

void Session::end() {
  Lock lock(mutex_);
  ended_ = true;
  stop_.request_stop();
  changed();
}

}  // namespace polymax::server
