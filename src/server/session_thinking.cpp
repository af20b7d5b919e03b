// What a session wants thought about, and what it does with the results.
#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "core/rng.hpp"
#include "server/session.hpp"

namespace polymax::server {

namespace {

// Of the events that tell what is thought.
constexpr std::array<const char*, Job::kKinds> kEvents{"thought", "hint", "analysis0", "analysis1",
                                                       "review"};

const char* event_of(Job::Kind kind) {
  return kEvents[static_cast<std::size_t>(kind)];
}

}  // namespace

bool Session::engine_to_move() const {
  return !match_->over() && resigned_ < 0 &&
         !seats_[static_cast<std::size_t>(match_->to_move())].person();
}

bool Session::wants(Job::Kind kind) const {
  switch (kind) {
    case Job::Kind::move:
      return !paused_ && engine_to_move() && Clock::now() >= not_before_;
    case Job::Kind::hint:
      return hint_wanted_ && !match_->over();
    case Job::Kind::analysis0:
      return !analyses_.empty() && !analyses_[0].over;
    case Job::Kind::analysis1:
      return analyses_.size() > 1 && !analyses_[1].over;
    case Job::Kind::review:
      return review_wanted_ && unreviewed().has_value();
  }
  return false;
}

std::optional<Session::ReviewStep> Session::unreviewed() const {
  const std::size_t most = match_->history().size() + (match_->over() ? 0 : 1);
  for (std::size_t ply = 0; ply < most; ++ply) {
    if (!assessed_[ply] || !assessed_[ply]->reviewed) return ReviewStep{ply, false};
    if (!win_reviewer_.person() && !assessed_[ply]->chances) return ReviewStep{ply, true};
  }
  return std::nullopt;
}

Session::Analysis& Session::analysis_of(Job::Kind kind) {
  return analyses_[kind == Job::Kind::analysis0 ? 0 : 1];
}

void Session::cancel(Job::Kind kind) {
  Running& own = running(kind);
  if (own.ticket == 0) return;
  own.ticket = 0;
  own.stop.request_stop();
}

std::optional<Job> Session::next_job() {
  Lock lock(mutex_);
  if (ended_) return std::nullopt;
  for (std::size_t i = 1; i <= Job::kKinds; ++i) {
    const std::size_t at = (last_kind_ + i) % Job::kKinds;
    if (running_[at].ticket != 0 || !wants(static_cast<Job::Kind>(at))) continue;
    last_kind_ = at;
    return make_job(static_cast<Job::Kind>(at));
  }
  return std::nullopt;
}

std::optional<Clock::time_point> Session::next_time() const {
  Lock lock(mutex_);
  if (ended_) return std::nullopt;
  for (std::size_t at = 0; at < Job::kKinds; ++at)
    if (running_[at].ticket == 0 && wants(static_cast<Job::Kind>(at))) return Clock::now();
  const bool moving = running_[static_cast<std::size_t>(Job::Kind::move)].ticket != 0;
  if (!moving && !paused_ && engine_to_move()) return std::max(not_before_, Clock::now());
  return std::nullopt;
}

Job Session::make_job(Job::Kind kind) {
  Job out;
  out.kind = kind;
  out.game = game_;
  Seat seat;
  switch (kind) {
    case Job::Kind::move:
      seat = seats_[static_cast<std::size_t>(match_->to_move())];
      out.seed = mix64(seed_ + static_cast<std::uint64_t>(match_->to_move()));
      out.match = match_->clone();
      break;
    case Job::Kind::hint:
      seat = hinter_;
      seat.budget.seconds = std::min(seat.budget.seconds, 3.0);
      out.match = match_->clone();
      break;
    case Job::Kind::analysis0:
    case Job::Kind::analysis1: {
      const auto& analysis = analysis_of(kind);
      seat = analysis.seat;
      seat.budget.seconds = std::max(0.05, seat.budget.seconds - analysis.spent.seconds);
      if (seat.budget.evaluations != Budget::kNoLimit)
        seat.budget.evaluations -=
            std::min(seat.budget.evaluations - 1, analysis.spent.evaluations);
      out.match = analysed_->clone();
      out.patient = true;
      break;
    }
    case Job::Kind::review: {
      const ReviewStep step = *unreviewed();
      seat = step.for_wins ? win_reviewer_ : reviewer_;
      seat.budget.seconds = 0.3;
      out.for_wins = step.for_wins;
      out.match = match_->clone();
      while (out.match->history().size() > step.ply) out.match->undo();
      break;
    }
  }
  out.player = seat.player;
  out.budget = seat.budget;
  Running& own = running(kind) = {++tickets_, {}, false};  // last: nothing is thrown from here on
  out.ticket = own.ticket;
  out.budget.stop = own.stop.get_token();
  return out;
}

Json Session::seen_by(const Job& job, const AnyVerdict& verdict) const {
  Json out = verdict_json(*game_, *job.match, verdict);
  out["by"] = job.player;
  out["unit"] = unit_of(job.player, *game_);
  return out;
}

void Session::look(const Job& job, const AnyVerdict& verdict) {
  Lock lock(mutex_);
  if (job.ticket != running(job.kind).ticket || job.kind == Job::Kind::review) return;
  Json seen = seen_by(job, verdict);
  seen["running"] = true;
  if (job.kind == Job::Kind::move || job.kind == Job::Kind::hint)
    return publish(event_of(job.kind), std::move(seen));
  const auto& spent = analysis_of(job.kind).spent;
  seen["evaluations"] = verdict.cost.evaluations + spent.evaluations;
  seen["seconds"] = verdict.cost.seconds + spent.seconds;
  seen["line"] = job.match->history();
  publish(event_of(job.kind), std::move(seen));
}

void Session::done(const Job& job, const AnyVerdict& verdict, Thought thought) {
  Lock lock(mutex_);
  Running& own = running(job.kind);
  if (job.ticket != own.ticket) return;
  own.ticket = 0;
  Json seen = seen_by(job, verdict);
  seen["running"] = false;
  Assessed assessed{
      verdict.value, verdict.best, proof_text(verdict), job.player, job.kind == Job::Kind::review,
      std::nullopt};
  const std::size_t ply = job.match->history().size();
  switch (job.kind) {
    case Job::Kind::move:
      // without evaluations it has no value to show; what a review found says more
      if (verdict.cost.evaluations > 0 && !(assessed_[ply] && assessed_[ply]->reviewed))
        assessed_[ply] = assessed;
      publish("thought", std::move(seen));
      return play_engine_move(verdict);
    case Job::Kind::hint:
      hint_wanted_ = false;
      publish("hint", std::move(seen));
      return changed();
    case Job::Kind::analysis0:
    case Job::Kind::analysis1: {
      auto& analysis = analysis_of(job.kind);
      analysis.spent.evaluations += verdict.cost.evaluations;
      analysis.spent.seconds += verdict.cost.seconds;
      analysis.over = thought == Thought::whole || verdict.proof == Proof::exact;
      seen["evaluations"] = analysis.spent.evaluations;
      seen["seconds"] = analysis.spent.seconds;
      seen["running"] = !analysis.over;
      seen["line"] = job.match->history();
      return publish(event_of(job.kind), std::move(seen));
    }
    case Job::Kind::review:
      assert(ply < assessed_.size());
      if (job.for_wins || unit_of(job.player, *game_) == kGain)
        assessed.chances = arena::chances_of(verdict.value, game_->players());
      if (!job.for_wins)
        assessed_[ply] = assessed;
      else if (assessed_[ply])
        assessed_[ply]->chances = assessed.chances;
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
  not_before_ = after(pace_);
  moved();
}

void Session::failed(const Job& job, const std::string& message) {
  Lock lock(mutex_);
  Running& own = running(job.kind);
  if (job.ticket != own.ticket) return;
  own.ticket = 0;
  error_ = job.player + ": " + message;
  switch (job.kind) {
    case Job::Kind::move:
      paused_ = true;
      break;
    case Job::Kind::hint:
      hint_wanted_ = false;
      break;
    case Job::Kind::analysis0:
    case Job::Kind::analysis1:
      analysis_of(job.kind).over = true;
      break;
    case Job::Kind::review:
      review_wanted_ = false;
      publish_review();
      break;
  }
  if (job.kind != Job::Kind::review) publish_end(event_of(job.kind));
  changed();
}

void Session::publish_end(const std::string& name) {
  const auto found = published_.find(name);
  if (found == published_.end()) return;
  Json seen = Json::parse(found->second.data);
  if (seen.is_null()) return;
  seen["running"] = false;
  publish(name, std::move(seen));
}

void Session::end() {
  Lock lock(mutex_);
  ended_ = true;
  for (Running& own : running_) own.stop.request_stop();
  changed();
}

bool Session::ended() const {
  Lock lock(mutex_);
  return ended_;
}

}  // namespace polymax::server
