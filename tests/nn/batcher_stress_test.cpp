// Does the batcher ever leave a caller behind? Rounds of callers that stop one after another at
// random moments, many more than a batch takes, while weights change, batches fail, and the device
// takes from no time to 2 ms; in every third round the batcher is closed with callers inside. A
// watchdog ends the program and says who waited for what. Every round has other numbers, also with
// --gtest_repeat, which makes a long run of it. Also run under the thread sanitizer.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "core/rng.hpp"
#include "tests/nn/pretended_device.hpp"

namespace polymax {
namespace {

using namespace std::chrono_literals;

// Ends the program when nothing was said to it for a while.
class Watchdog {
 public:
  ~Watchdog() {
    {
      const std::scoped_lock lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  // batcher: must live until the next word
  void say(const std::string& what, const Batcher* batcher) {
    const std::scoped_lock lock(mutex_);
    what_ = what;
    batcher_ = batcher;
    since_ = std::chrono::steady_clock::now();
  }

 private:
  void watch() {
    std::unique_lock lock(mutex_);
    while (!over_) {
      changed_.wait_for(lock, 100ms);
      if (std::chrono::steady_clock::now() - since_ < 20s) continue;
      std::fprintf(stderr, "the batcher hangs: %s\n", what_.c_str());
      if (batcher_ != nullptr) std::fprintf(stderr, "%s\n", batcher_->state().c_str());
      std::abort();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string what_;
  const Batcher* batcher_ = nullptr;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  bool over_ = false;
  std::thread thread_{[this] { watch(); }};
};

struct Counts {
  std::atomic<int> fine{0}, wrong{0}, failed{0};
};

class Round {
 public:
  Round(std::uint64_t seed, Watchdog& watchdog, Counts& counts)
      : rng_(mix64(seed)),
        name_("round " + std::to_string(seed)),
        watchdog_(watchdog),
        counts_(counts) {
    constexpr std::array<int, 4> kLimits{4, 16, 64, 512};
    const int limit = kLimits[rng_.below(4)];
    const PretendedTime time{std::chrono::microseconds(rng_.below(5) == 0 ? 2000 : rng_.below(200)),
                             std::chrono::nanoseconds(rng_.below(200)), true};
    auto device = std::make_unique<PretendedDevice>(limit, time);
    device_ = device.get();
    batcher_ =
        std::make_unique<Batcher>(std::move(device), BatcherSettings{limit, 1e-3 * rng_.uniform()});
  }

  void play() {
    watchdog_.say(name_ + ", callers at work", batcher_.get());
    const std::uint32_t callers = 2 + rng_.below(60), most = 1 + rng_.below(60);
    std::vector<std::jthread> threads;
    for (std::uint32_t t = 0; t < callers; ++t)
      threads.emplace_back([this, most, rng = Rng(rng_.next())](std::stop_token stop) mutable {
        for (auto requests = 1 + rng.below(60); requests > 0 && !stop.stop_requested(); --requests)
          call(most, rng);
      });
    std::jthread trainer(
        [this, rng = Rng(rng_.next())](std::stop_token stop) mutable { change(stop, rng); });
    std::this_thread::sleep_for(std::chrono::microseconds(rng_.below(8000)));
    for (auto& thread : threads) {
      if (rng_.below(4) == 0)
        std::this_thread::sleep_for(std::chrono::microseconds(rng_.below(200)));
      thread.request_stop();
    }
    trainer.request_stop();
    trainer.join();
    watchdog_.say(name_ + ", callers leave", batcher_.get());
    threads.clear();
    close();
  }

  // Closed with callers inside; all have come by then, later ones would find no batcher.
  void close_early() {
    watchdog_.say(name_ + ", callers come", batcher_.get());
    const std::uint32_t callers = 2 + rng_.below(60);
    std::vector<std::jthread> threads;
    for (std::uint32_t t = 0; t < callers; ++t)
      threads.emplace_back([this, rng = Rng(rng_.next())]() mutable { call(100, rng); });
    while (batcher_->statistics().requests < callers) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(rng_.below(300)));
    close();
    threads.clear();
  }

 private:
  void call(std::uint32_t most, Rng& rng) {
    try {
      ++(ask(*batcher_, 1 + rng.below(most), rng) != 0 ? counts_.fine : counts_.wrong);
    } catch (const Error&) {
      ++counts_.failed;
    }
    if (rng.below(8) == 0) std::this_thread::sleep_for(std::chrono::microseconds(rng.below(500)));
  }

  void change(const std::stop_token& stop, Rng& rng) {
    Net net;
    while (!stop.stop_requested()) {
      net.scale = static_cast<float>(1 + rng.below(3));
      batcher_->set_weights(net);
      if (rng.below(16) == 0) device_->fail_waits = 1;
      if (rng.below(16) == 0) device_->fail_launches = 1;
      std::this_thread::sleep_for(std::chrono::microseconds(rng.below(1500)));
    }
  }

  void close() {
    watchdog_.say(name_ + ", batcher closes", nullptr);
    batcher_.reset();
  }

  Rng rng_;
  std::string name_;
  Watchdog& watchdog_;
  Counts& counts_;
  PretendedDevice* device_;
  std::unique_ptr<Batcher> batcher_;
};

TEST(batcher, LeavesNobodyBehind) {
  static std::uint64_t round = 0;  // goes on when the test is repeated
  Watchdog watchdog;
  Counts counts;
  const auto end = std::chrono::steady_clock::now() + 2s;
  for (; std::chrono::steady_clock::now() < end; ++round) {
    Round now(round, watchdog, counts);
    if (round % 3 == 2)
      now.close_early();
    else
      now.play();
  }
  EXPECT_EQ(counts.wrong, 0) << "a position saw two sets of weights, or values of another one";
  EXPECT_GT(counts.fine, 500);
  EXPECT_GT(counts.failed, 0) << "nothing was broken";
}

}  // namespace
}  // namespace polymax
