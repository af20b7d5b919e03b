#include "learn/source.hpp"

#include "core/thread.hpp"
#include "nn/service.hpp"

namespace polymax::learn {

namespace {

constexpr std::chrono::seconds kStopping{20};  // a match that was asked to stop needs milliseconds

}  // namespace

LessonThreads::~LessonThreads() {
  stop(std::chrono::seconds(0));
}

int LessonThreads::stop(std::chrono::seconds patience) {
  for (auto& thread : threads_) thread.request_stop();
  std::unique_lock lock(mutex_);
  ended_.wait_for(lock, patience, [&] { return at_work_ == 0; });
  return at_work_;
}

void LessonThreads::work(std::stop_token stop) {
  try {
    while (!stop.stop_requested()) {
      {
        std::unique_lock lock(mutex_);
        if (ahead_ > 0) room_.wait(lock, stop, [&] { return waiting_.size() < ahead_; });
      }
      auto lesson = make_(begun_++, stop);
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

std::size_t LessonThreads::ready() const {
  const std::scoped_lock lock(mutex_);
  return waiting_.size();
}

std::optional<Lesson> LessonThreads::next(std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  for (; threads_.size() < static_cast<std::size_t>(count_); ++at_work_)
    threads_.push_back(start_thread([this](std::stop_token stop) { work(stop); }));
  ready_.wait_for(lock, wait, [&] { return !waiting_.empty() || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  if (waiting_.empty()) return std::nullopt;
  Lesson out = std::move(waiting_.front());
  waiting_.pop_front();
  lock.unlock();
  room_.notify_all();
  return out;
}

SelfPlay::SelfPlay(std::shared_ptr<LiveNet> net, PlayMatch play, int threads, std::size_t ahead,
                   std::uint64_t seed, std::uint64_t first_match,
                   std::function<void(const std::string&)> note)
    : net_(std::move(net)),
      note_(std::move(note)),
      lessons_(
          [net = net_, play = std::move(play), seed](std::uint64_t number, std::stop_token stop) {
            return play(net, match_seed(seed, number), std::move(stop));
          },
          threads, ahead, first_match) {}

SelfPlay::~SelfPlay() {
  const int left = lessons_.stop(kStopping);
  if (left == 0 || !note_) return;
  const NetService* service = net_->service();  // whoever sees it shall be able to tell where
  note_(std::to_string(left) + " matches do not stop; " +
        (service == nullptr ? "they wait for no device" : service->state()));
}

std::optional<double> SelfPlay::busy() const {
  const NetService* service = net_->service();
  return service == nullptr ? std::nullopt : std::optional(service->statistics().busy_seconds);
}

}  // namespace polymax::learn
