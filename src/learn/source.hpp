// Where lessons come from: matches played here in threads, or files that workers leave in a folder
// (folder_source.hpp).
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/rng.hpp"
#include "learn/lesson.hpp"
#include "nn/engines.hpp"

namespace polymax::learn {

class Source {
 public:
  virtual ~Source() = default;

  // Waits for a lesson at most that long.
  virtual std::optional<Lesson> next(std::chrono::milliseconds wait) = 0;

  // Matches that begin or go on from now are valued with these weights.
  virtual void set_weights(const Net& net) = 0;

  // Positions valued so far, unfinished matches included.
  virtual std::uint64_t evaluated() const = 0;
  // Seconds that the device has computed; nothing when there is none.
  virtual std::optional<double> busy() const = 0;
  virtual std::uint64_t begun() const = 0;  // matches; their numbers are seeds
};

// The seed of a match: no two numbers of matches have the same.
constexpr std::uint64_t match_seed(std::uint64_t seed, std::uint64_t number) {
  return mix64(seed ^ mix64(number));
}

// Threads that make lessons, beginning with the first call of next(). When `ahead` lessons wait,
// the threads wait too (0: never).
class LessonThreads {
 public:
  // The lesson with this number; nothing when stopped.
  using Make = std::function<std::optional<Lesson>(std::uint64_t number, std::stop_token)>;

  LessonThreads(Make make, int threads, std::size_t ahead, std::uint64_t first)
      : make_(std::move(make)), count_(threads), ahead_(ahead), begun_(first) {}
  ~LessonThreads();

  // Asks the threads to stop and waits at most that long; returns how many are still at work.
  int stop(std::chrono::seconds patience);

  std::optional<Lesson> next(std::chrono::milliseconds wait);
  std::size_t ready() const;  // lessons that next() gives at once
  std::uint64_t begun() const { return begun_; }

 private:
  void work(std::stop_token stop);

  Make make_;
  int count_;
  std::size_t ahead_;
  std::atomic<std::uint64_t> begun_;
  mutable std::mutex mutex_;
  std::condition_variable_any ready_, room_, ended_;
  int at_work_ = 0;  // threads
  std::deque<Lesson> waiting_;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;
};

// Plays one match; nothing when stopped.
using PlayMatch = std::function<std::optional<Lesson>(std::shared_ptr<const LoadedNet> net,
                                                      std::uint64_t seed, std::stop_token)>;

// Matches in threads that share one net.
class SelfPlay final : public Source {
 public:
  // note: told, at the end, of matches that do not stop: a fault.
  SelfPlay(std::shared_ptr<LiveNet> net, PlayMatch play, int threads, std::size_t ahead,
           std::uint64_t seed, std::uint64_t first_match,
           std::function<void(const std::string&)> note = {});
  ~SelfPlay() override;  // stops the matches and waits for them

  std::optional<Lesson> next(std::chrono::milliseconds wait) override {
    return lessons_.next(wait);
  }
  void set_weights(const Net& net) override { net_->set_weights(net); }
  std::uint64_t evaluated() const override { return net_->evaluated(); }
  std::optional<double> busy() const override;
  std::uint64_t begun() const override { return lessons_.begun(); }
  std::size_t ready() const { return lessons_.ready(); }

 private:
  std::shared_ptr<LiveNet> net_;
  std::function<void(const std::string&)> note_;
  LessonThreads lessons_;
};

}  // namespace polymax::learn
