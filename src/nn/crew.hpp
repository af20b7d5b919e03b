// Threads that do the parts of a job together.
#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

#include "core/thread.hpp"

namespace polymax {

class Crew {
 public:
  // Part 0 is done by the caller of run, each other one by a thread of its own.
  explicit Crew(int parts) : errors_(static_cast<std::size_t>(std::max(parts, 1))) {
    for (std::size_t part = 1; part < errors_.size(); ++part) {
      Member& one = *members_.emplace_back(std::make_unique<Member>());
      one.thread =
          start_thread([this, part, &one](const std::stop_token& over) { work(part, one, over); });
    }
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int parts() const { return static_cast<int>(errors_.size()); }

  // Calls job(part) for every part and returns when all are done; then throws what the first of
  // them threw.
  void run(const std::function<void(int)>& job) {
    job_ = &job;
    for (const auto& member : members_) member->go.release();
    attempt(0);
    for (std::size_t i = 0; i < members_.size(); ++i) done_.acquire();
    for (auto& error : errors_)
      if (error) std::rethrow_exception(std::exchange(error, nullptr));
  }

 private:
  struct Member {
    std::binary_semaphore go{0};
    std::jthread thread;  // last: joined before the semaphore ends

    ~Member() {
      thread.request_stop();
      go.release();
    }
  };

  void work(std::size_t part, Member& self, const std::stop_token& over) {
    for (;;) {
      self.go.acquire();
      if (over.stop_requested()) return;
      attempt(part);
      done_.release();
    }
  }

  void attempt(std::size_t part) {
    errors_[part] = nullptr;
    try {
      (*job_)(static_cast<int>(part));
    } catch (...) {
      errors_[part] = std::current_exception();
    }
  }

  const std::function<void(int)>* job_ = nullptr;
  std::counting_semaphore<> done_{0};
  std::vector<std::exception_ptr> errors_;
  std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace polymax
