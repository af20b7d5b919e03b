#include "server/connections.hpp"

#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

namespace polymax::server {

namespace {
constexpr auto kRest = std::chrono::seconds(5);
}

void Connections::enqueue(std::function<void()> task) {
  std::unique_lock lock(mutex_);
  tasks_.push_back(std::move(task));
  if (resting_ >= tasks_.size() || threads_ >= most_) {
    wanted_.notify_one();
    return;
  }
  ++threads_;
  try {
    std::thread([this] { work(); }).detach();
  } catch (const std::system_error&) {  // no more threads: those there are will come to it
    if (--threads_ > 0) return;
    auto only = std::move(tasks_.back());
    tasks_.pop_back();
    lock.unlock();
    only();
  }
}

void Connections::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++resting_;
    const bool found = wanted_.wait_for(lock, kRest, [&] { return closing_ || !tasks_.empty(); });
    --resting_;
    if (!found || tasks_.empty()) break;  // idle, or closing with nothing left
    auto task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
  }
  --threads_;
  ended_.notify_all();  // with the lock: nothing here is touched after it is given up
}

void Connections::shutdown() {
  std::unique_lock lock(mutex_);
  closing_ = true;
  wanted_.notify_all();
  ended_.wait(lock, [&] { return threads_ == 0; });
}

}  // namespace polymax::server
