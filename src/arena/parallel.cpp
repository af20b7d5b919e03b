#include "arena/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/columns.hpp"
#include "core/cores.hpp"
#include "core/error.hpp"
#include "core/thread.hpp"

namespace polymax::arena {

namespace {

class MatchThreads {
 public:
  MatchThreads(std::span<const std::uint64_t> which,
               const std::function<MatchSetup(std::uint64_t)>& setup,
               const std::function<bool(std::uint64_t, MatchRecord&&)>& done, Order order)
      : which_(which), setup_(setup), done_(done), order_(order) {}

  bool run(int threads, std::stop_token outside) {
    const std::stop_callback forward(std::move(outside), [this] { stop_.request_stop(); });
    work_on(threads);
    if (failure_) std::rethrow_exception(failure_);
    return delivered_ == which_.size();
  }

 private:
  // With fewer threads where the machine has no more; results do not depend on it.
  void work_on(int threads) {
    std::vector<std::jthread> workers;
    workers.reserve(static_cast<std::size_t>(threads));
    while (workers.size() < static_cast<std::size_t>(threads)) {
      try {
        workers.push_back(start_thread([this] { work(); }));
      } catch (const Error&) {
        if (workers.empty()) throw;
        return;
      }
    }
  }

  MatchRecord played(std::uint64_t k) {
    try {
      return play_match(setup_(k), stop_.get_token());
    } catch (const std::exception& error) {
      throw Error("match " + std::to_string(k) +
                      " could not be played: " + first_line(error.what()) + "; it is not recorded",
                  Error::Kind::failed);
    }
  }

  void work() {
    try {
      while (!stop_.stop_requested()) {
        const std::size_t i = next_++;
        if (i >= which_.size()) return;
        MatchRecord record = played(which_[i]);
        if (!record.over && record.error.empty()) return;
        deliver(i, std::move(record));
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stop_.request_stop();
    }
  }

  void deliver(std::size_t i, MatchRecord&& record) {
    const std::scoped_lock lock(mutex_);
    if (ended_) return;
    if (order_ == Order::as_ended) return hand_over(i, std::move(record));
    waiting_.emplace(i, std::move(record));
    while (!ended_ && !waiting_.empty() && waiting_.begin()->first == delivered_) {
      auto first = waiting_.extract(waiting_.begin());
      hand_over(first.key(), std::move(first.mapped()));
    }
  }

  void hand_over(std::size_t i, MatchRecord&& record) {
    ++delivered_;
    if (done_(which_[i], std::move(record))) return;
    ended_ = true;
    stop_.request_stop();
  }

  std::span<const std::uint64_t> which_;
  const std::function<MatchSetup(std::uint64_t)>& setup_;
  const std::function<bool(std::uint64_t, MatchRecord&&)>& done_;
  Order order_;
  std::stop_source stop_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;  // of all below
  std::size_t delivered_ = 0;
  bool ended_ = false;
  std::map<std::size_t, MatchRecord> waiting_;
  std::exception_ptr failure_;
};

}  // namespace

bool play_matches(std::span<const std::uint64_t> which, int threads,
                  const std::function<MatchSetup(std::uint64_t)>& setup,
                  const std::function<bool(std::uint64_t, MatchRecord&&)>& done, Order order,
                  std::stop_token stop) {
  const auto useful =
      std::min<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), which.size());
  return MatchThreads(which, setup, done, order).run(static_cast<int>(useful), std::move(stop));
}

int default_matches(const MatchLoad& load) {
  if (!load.gpu || load.timed) return cores();
  constexpr std::uint64_t kEvaluations = 2'048'000;  // of the trees of all matches
  const std::uint64_t fitting = kEvaluations / std::max<std::uint64_t>(1, load.evaluations);
  return static_cast<int>(std::clamp<std::uint64_t>(fitting, kGpuMatches, kMostGpuMatches));
}

void check_threads(int threads, bool timed) {
  if (!timed || threads <= cores()) return;
  throw Error("a budget in seconds wants a core for each match: " + std::to_string(threads) +
              " threads on " + std::to_string(cores()) +
              " cores; give fewer, or allow them to share cores where a GPU does the work");
}

}  // namespace polymax::arena
