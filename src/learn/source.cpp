#include "learn/source.hpp"

#include <cstdio>

#include "nn/batcher.hpp"

namespace polymax::learn {

namespace {

constexpr std::chrono::seconds kPatience{20};  // a match that was asked to stop needs milliseconds

}  // namespace

SelfPlay::SelfPlay(std::shared_ptr<LiveNet> net, PlayMatch play, int threads, std::size_t ahead, std::uint64_t seed,
                   std::uint64_t first_match)
    : net_(std::move(net)), play_(std::move(play)), ahead_(ahead), seed_(seed), begun_(first_match) {
  at_work_ = threads;
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this](std::stop_token stop) { work(stop); });
}

SelfPlay::~SelfPlay() {
  for (auto& thread : threads_) thread.request_stop();
  std::unique_lock lock(mutex_);
  if (ended_.wait_for(lock, kPatience, [&] { return at_work_ == 0; })) return;
  const Batcher* batcher = net_->batcher();  // a fault: whoever sees it shall be able to tell where
  std::fprintf(stderr, "polymax: %d of %zu matches do not stop; %s\n", at_work_, threads_.size(),
               batcher == nullptr ? "they wait for no device" : batcher->state().c_str());
}

void SelfPlay::work(std::stop_token stop) {
  try {
    while (!stop.stop_requested()) {
      {
        std::unique_lock lock(mutex_);
        if (ahead_ > 0) room_.wait(lock, stop, [&] { return waiting_.size() < ahead_; });
      }
      auto lesson = play_(net_, match_seed(seed_, begun_++), stop);
      if (!lesson) continue;
      {
        const std::scoped_lock lock(mutex_);
        waiting_.push_back(std::move(*lesson));
      }
      ready_.notify_one();
    }
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    failure_ = std::current_exception();
    ready_.notify_one();
  }
  const std::scoped_lock lock(mutex_);
  --at_work_;
  ended_.notify_all();
}

double SelfPlay::utilisation() const {
  const Batcher* batcher = net_->batcher();
  return batcher == nullptr ? 0 : batcher->statistics().utilisation();
}

std::size_t SelfPlay::ready() const {
  const std::scoped_lock lock(mutex_);
  return waiting_.size();
}

std::optional<Lesson> SelfPlay::next(std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  ready_.wait_for(lock, wait, [&] { return !waiting_.empty() || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  if (waiting_.empty()) return std::nullopt;
  Lesson out = std::move(waiting_.front());
  waiting_.pop_front();
  lock.unlock();
  room_.notify_all();
  return out;
}

}  // namespace polymax::learn
