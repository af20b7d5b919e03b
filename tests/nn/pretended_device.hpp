// A device for tests that needs no hardware: it takes its time, fails on demand, and finds misuse:
// two batches in a lane, weights that change under a running batch. Values can be checked by who
// asked.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/rng.hpp"
#include "nn/batcher.hpp"

namespace polymax {

inline constexpr int kPlayers = 3;
inline const NetShape kShape{{2, 5, 5}, kPlayers, 1, 0, 1};  // two words a position

// How long a batch takes. Batches of different lanes wait for each other, as large ones do on a
// GPU.
struct PretendedTime {
  std::chrono::nanoseconds batch{50'000}, position{0};
  bool random = false;  // anything from 0 to that
};

// "Computes" scale * (word 0 + player), slowly; fails on demand.
class PretendedDevice : public Device {
 public:
  explicit PretendedDevice(int most = 64, PretendedTime time = {})
      : most_(most), time_(time), jobs_(3) {}

  const NetShape& shape() const override { return kShape; }
  int lanes() const override { return 3; }
  int max_batch() const override { return most_; }

  std::unique_ptr<HostBatch> make_batch() override {
    struct Memory : HostBatch {
      std::vector<std::uint64_t> p;
      std::vector<float> v;
    };
    auto out = std::make_unique<Memory>();
    out->p.resize(static_cast<std::size_t>(2 * most_));
    out->v.resize(static_cast<std::size_t>(kPlayers * most_));
    out->planes = out->p.data();
    out->values = out->v.data();
    return out;
  }

  void launch(int lane, HostBatch& batch, int positions) override {
    auto& job = jobs_[static_cast<std::size_t>(lane)];
    EXPECT_EQ(job.batch, nullptr) << "a lane got two batches at once";
    EXPECT_LE(positions, most_);
    EXPECT_FALSE(changing_.load());
    if (fail_launches.load() > 0 && fail_launches.fetch_sub(1) > 0)
      throw Error("launch failed", Error::Kind::failed);
    job = {&batch, positions, scale_.load(), end_of(positions)};
    largest = std::max(largest.load(), positions);
  }

  void wait(int lane) override {
    auto& job = jobs_[static_cast<std::size_t>(lane)];
    std::this_thread::sleep_until(job.end);
    HostBatch* batch = std::exchange(job.batch, nullptr);
    if (fail_waits.load() > 0 && fail_waits.fetch_sub(1) > 0)
      throw Error("computation failed", Error::Kind::failed);
    for (int i = 0; i < job.positions; ++i)
      for (int p = 0; p < kPlayers; ++p)
        batch->values[i * kPlayers + p] =
            job.scale * static_cast<float>(batch->planes[2 * i] + static_cast<std::uint64_t>(p));
  }

  void set_weights(const Net& net) override {
    changing_ = true;
    for (const auto& job : jobs_)
      EXPECT_EQ(job.batch, nullptr) << "weights changed under a running batch";
    scale_ = net.scale;
    changing_ = false;
  }

  std::atomic<int> fail_launches{0}, fail_waits{0}, largest{0};

 private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    HostBatch* batch = nullptr;
    int positions = 0;
    float scale = 1;
    Clock::time_point end;
  };

  Clock::time_point end_of(int positions) {
    const std::scoped_lock lock(mutex_);
    auto time = time_.batch + positions * time_.position;
    if (time_.random)
      time = std::chrono::nanoseconds(rng_.below(static_cast<std::uint32_t>(time.count() + 1)));
    return end_ = std::max(end_, Clock::now()) + time;
  }

  int most_;
  PretendedTime time_;
  std::mutex mutex_;
  Clock::time_point end_;  // of all that was launched
  Rng rng_{7};
  std::vector<Job> jobs_;
  std::atomic<float> scale_{1};
  std::atomic<bool> changing_{false};
};

// Asks for `count` positions; returns the scale of the first, 0 when the values of some position do
// not agree on one of the scales 1, 2, 3. (A request may lie in two batches, a position never.)
inline float ask(Batcher& batcher, std::size_t count, Rng& rng) {
  std::vector<std::uint64_t> planes(2 * count);
  for (auto& word : planes) word = 1 + rng.below(1000);
  std::vector<float> values(kPlayers * count, -1);
  batcher.evaluate(planes, values);
  for (std::size_t i = 0; i < count; ++i) {
    const float scale = values[i * kPlayers] / static_cast<float>(planes[2 * i]);
    if (scale != 1 && scale != 2 && scale != 3) return 0;
    for (std::size_t p = 0; p < kPlayers; ++p)
      if (values[i * kPlayers + p] != scale * static_cast<float>(planes[2 * i] + p)) return 0;
  }
  return values[0] / static_cast<float>(planes[0]);
}

}  // namespace polymax
