#include "server/thinkers.hpp"

#include <algorithm>
#include <exception>

#include "core/thread.hpp"

namespace polymax::server {

namespace {
constexpr double kSlice = 0.7;  // seconds of a patient search while others wait
constexpr double kLooks = 0.12;
}  // namespace

Thinkers::Thinkers(const House& house) : house_(house), engines_(house.limits.engines_bytes) {
  for (int i = 0; i < std::max(1, house.limits.threads); ++i)
    threads_.push_back(start_thread([this](const std::stop_token& stop) { work(stop); }));
}

Thinkers::~Thinkers() {
  for (auto& thread : threads_) thread.request_stop();
  changed_.notify_all();
}

void Thinkers::wake(const std::shared_ptr<Session>& session) {
  if (session->finished()) engines_.forget_movers(session->id());
  const auto at = session->next_time();
  if (!at) return;
  {
    std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(line_, session, &Waiting::session);
    if (found == line_.end())
      line_.push_back({*at, session});
    else
      found->at = std::min(found->at, *at);
    ++woken_;
  }
  changed_.notify_one();
}

std::size_t Thinkers::waiting() const {
  std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  return static_cast<std::size_t>(
      std::ranges::count_if(line_, [&](const Waiting& waiting) { return waiting.at <= now; }));
}

// The first of the line whose time has come; null when the server ends.
std::shared_ptr<Session> Thinkers::next(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const auto now = Clock::now();
    auto earliest = now + std::chrono::seconds(1);
    for (auto at = line_.begin(); at != line_.end(); ++at) {
      if (at->at <= now) {
        auto out = std::move(at->session);
        line_.erase(at);
        return out;
      }
      earliest = std::min(earliest, at->at);
    }
    changed_.wait_until(lock, stop, earliest, [&, seen = woken_] { return woken_ != seen; });
  }
  return nullptr;
}

void Thinkers::work(const std::stop_token& stop) {
  while (const auto session = next(stop)) {
    // nobody looks: the next request wakes it again
    if (!session->watched(house_.limits.unwatched_seconds)) continue;
    try {
      serve(session, stop);
    } catch (const std::exception&) {  // no memory for its job: the next request wakes it again
    }
  }
}

void Thinkers::serve(const std::shared_ptr<Session>& session, const std::stop_token& stop) {
  if (auto job = session->next_job()) {
    wake(session);  // what else it wants
    think(*session, std::move(*job), stop);
  }
  wake(session);
}

void Thinkers::think(Session& session, Job job, const std::stop_token& stop) {
  std::stop_source own;
  const std::stop_callback on_end(stop, [&] { own.request_stop(); });
  const std::stop_callback on_change(job.budget.stop, [&] { own.request_stop(); });
  Budget budget = job.budget;
  budget.stop = own.get_token();
  auto thought = Session::Thought::whole;
  const auto began = Clock::now();
  const auto see = [&](const AnyVerdict& verdict) {
    session.look(job, verdict);
    if (verdict.cost.bytes > house_.limits.search_bytes) own.request_stop();
    if (job.patient && Clock::now() - began > std::chrono::duration<double>(kSlice) &&
        waiting() > 0) {
      thought = Session::Thought::interrupted;
      own.request_stop();
    }
  };
  try {
    const std::string key = std::to_string(static_cast<int>(job.kind)) + '/' +
                            std::to_string(job.seed) + '/' + job.player;
    Engine engine = engines_.take(session.id(), key);
    if (!engine.player) {
      engine.session = session.id();
      engine.key = key;
      engine.moves = job.kind == Job::Kind::move;
      engine.game = job.game;
      engine.player = job.game->player(Spec::parse(job.player), job.seed);
    }
    const AnyVerdict verdict = engine.player->think(*job.match, budget, {kLooks, see});
    engine.bytes = verdict.cost.bytes;
    if (!session.ended()) engines_.give(std::move(engine));
    session.done(job, verdict, thought);
  } catch (const std::exception& error) {
    session.failed(job, error.what());
  }
}

}  // namespace polymax::server
