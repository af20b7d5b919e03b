// Does the service ever leave a caller behind? Rounds of callers that stop one after another at
// random moments, many more than a batch takes, while weights change, batches fail, and the device
// takes from no time to 2 ms; in every third round the service is closed with callers inside. A
// watchdog ends the program when nothing is done for minutes and says who waited for what. Every
// round has other numbers, also with --gtest_repeat, which makes a long run of it. Also run under
// the thread sanitizer.
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
#include "tests/long_tests.hpp"
#include "tests/nn/pretended_device.hpp"

namespace polymax::service_stress_test {
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

  // service: must live until the next word
  void say(const std::string& what, const NetService* service) {
    const std::scoped_lock lock(mutex_);
    what_ = what;
    service_ = service;
    since_ = std::chrono::steady_clock::now();
  }

 private:
  void watch() {
    std::unique_lock lock(mutex_);
    while (!over_) {
      changed_.wait_for(lock, 100ms);
      if (std::chrono::steady_clock::now() - since_ < 600s) continue;
      std::fprintf(stderr, "the service hangs: %s\n", what_.c_str());
      if (service_ != nullptr) std::fprintf(stderr, "%s\n", service_->state().c_str());
      std::abort();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string what_;
  const NetService* service_ = nullptr;
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
    auto device = std::make_unique<PretendedDevice>(time);
    device_ = device.get();
    ServiceSettings settings;
    settings.lead = 1e-3 * rng_.uniform();
    if (rng_.below(3) == 0)  // some weights leave; each lane keeps one of each shape
      settings.memory = 2 * PretendedDevice::kShapeBytes + 7 * PretendedDevice::kWeightBytes;
    service_ = std::make_unique<NetService>(std::move(device), settings);
    const int count = 1 + static_cast<int>(rng_.below(10));
    for (int i = 0; i < count; ++i) nets_.push_back(service_->serve(scaled(1), limit));
    if (rng_.below(2) == 0)
      nets_.push_back(service_->serve(scaled(1, {{3, 9, 9}, kPlayers, 1, 0, 1}), limit));
  }

  void play() {
    watchdog_.say(name_ + ", callers at work", service_.get());
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
    watchdog_.say(name_ + ", callers leave", service_.get());
    threads.clear();
    close();
  }

  // Closed with callers inside; all have come by then, later ones would find no service.
  void close_early() {
    watchdog_.say(name_ + ", callers come", service_.get());
    const std::uint32_t callers = 2 + rng_.below(60);
    std::vector<std::jthread> threads;
    for (std::uint32_t t = 0; t < callers; ++t)
      threads.emplace_back([this, rng = Rng(rng_.next())]() mutable { call(100, rng); });
    while (service_->statistics().requests < callers) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(rng_.below(300)));
    close();
    threads.clear();
  }

 private:
  void call(std::uint32_t most, Rng& rng) {
    try {
      ++(ask(*nets_[rng.below(static_cast<std::uint32_t>(nets_.size()))], 1 + rng.below(most),
             rng) != 0
             ? counts_.fine
             : counts_.wrong);
    } catch (const Error&) {
      ++counts_.failed;
    }
    if (rng.below(8) == 0) std::this_thread::sleep_for(std::chrono::microseconds(rng.below(500)));
  }

  void change(const std::stop_token& stop, Rng& rng) {
    while (!stop.stop_requested()) {
      auto& net = *nets_[rng.below(static_cast<std::uint32_t>(nets_.size()))];
      net.set_weights(scaled(static_cast<float>(1 + rng.below(3)), net.shape()));
      if (rng.below(16) == 0) device_->fail_waits = 1;
      if (rng.below(16) == 0) device_->fail_launches = 1;
      std::this_thread::sleep_for(std::chrono::microseconds(rng.below(1500)));
    }
  }

  void close() {
    watchdog_.say(name_ + ", service closes", nullptr);
    service_.reset();
  }

  Rng rng_;
  std::string name_;
  Watchdog& watchdog_;
  Counts& counts_;
  PretendedDevice* device_;
  std::unique_ptr<NetService> service_;
  std::vector<std::unique_ptr<ServedNet>> nets_;
};

TEST(service, LeavesNobodyBehind) {
  static std::uint64_t round = 0;  // goes on when the test is repeated
  Watchdog watchdog;
  Counts counts;
  const std::uint64_t end = round + (long_tests() ? 3000 : 60);
  for (; round < end || counts.fine <= 500 || counts.failed == 0; ++round) {
    Round now(round, watchdog, counts);
    if (round % 3 == 2)
      now.close_early();
    else
      now.play();
  }
  EXPECT_EQ(counts.wrong, 0) << "a position saw two sets of weights, or values of another one";
}

}  // namespace
}  // namespace polymax::service_stress_test
