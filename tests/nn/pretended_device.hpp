// A device for tests that needs no hardware: it takes its time, fails on demand, and finds misuse:
// two batches in a lane, a shape that is prepared while a lane is at work, weights of another
// shape. Values can be checked by who asked, and by which network was asked.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/rng.hpp"
#include "nn/service.hpp"

namespace polymax {

inline constexpr int kPlayers = 3;
inline const NetShape kShape{{2, 5, 5}, kPlayers, 1, 0, 1};  // two words a position

// Networks differ by their scale alone.
inline Net scaled(float scale, const NetShape& shape = kShape) {
  Net net;
  net.shape = shape;
  net.scale = scale;
  return net;
}

// How long a batch takes. Batches of different lanes wait for each other, as large ones do on a
// GPU.
struct PretendedTime {
  std::chrono::nanoseconds batch{50'000}, position{0};
  bool random = false;  // anything from 0 to that
};

// "Computes" scale * (word 0 + player), slowly; fails on demand. Its lanes have slots as a GPU's:
// weights are copied there when a batch begins.
class PretendedDevice : public Device {
 public:
  static constexpr std::size_t kShapeBytes = 1000, kWeightBytes = 100, kMemory = 1'000'000;

  // The lanes behind the first three take small batches alone.
  static constexpr int kLanes = 5, kWide = 3, kNarrow = 8;

  explicit PretendedDevice(PretendedTime time = {}) : time_(time), jobs_(kLanes) {}

  std::string name() const override { return "a pretended device"; }
  int lanes() const override { return kLanes; }
  std::size_t memory() const override { return kMemory; }
  std::size_t estimated_bytes(const BatchShape&) const override { return kShapeBytes; }

  std::unique_ptr<DeviceShape> prepare(const BatchShape& shape) override {
    for (const auto& job : jobs_)
      EXPECT_EQ(job.batch, nullptr) << "prepared beside a running batch";
    EXPECT_TRUE(preparer_ == std::thread::id() || preparer_ == std::this_thread::get_id());
    preparer_ = std::this_thread::get_id();
    ++prepared;
    if (fail_prepares.load() > 0 && fail_prepares.fetch_sub(1) > 0)
      throw Error("no graph", Error::Kind::failed);
    return std::make_unique<Shape>(shape);
  }

  std::vector<std::byte> pack(const Net& net) const override {
    ++packs;
    std::vector<std::byte> out(kWeightBytes);
    std::memcpy(out.data(), &net.scale, sizeof net.scale);
    return out;
  }

  std::shared_ptr<DeviceWeights> upload(DeviceShape& shape,
                                        std::span<const std::byte> packed) override {
    ++uploads;
    auto out = std::make_shared<Weights>();
    std::memcpy(&out->scale, packed.data(), sizeof out->scale);
    out->shape = static_cast<Shape&>(shape).settings.net;
    return out;
  }

  void launch(int lane, DeviceShape& shape, const std::shared_ptr<DeviceWeights>& weights,
              HostBatch& batch, int positions) override {
    auto& job = jobs_[static_cast<std::size_t>(lane)];
    EXPECT_EQ(job.batch, nullptr) << "a lane got two batches at once";
    EXPECT_LE(positions, shape.most());
    EXPECT_TRUE(shape.takes(lane, positions)) << positions << " in lane " << lane;
    const auto& numbers = static_cast<const Weights&>(*weights);
    EXPECT_EQ(numbers.shape, static_cast<Shape&>(shape).settings.net) << "of another network";
    if (fail_launches.load() > 0 && fail_launches.fetch_sub(1) > 0)
      throw Error("launch failed", Error::Kind::failed);
    const auto& own = static_cast<Shape&>(shape);
    job = {&batch,        own.words, positions,        own.settings.net.places(),
           numbers.scale, weights,   end_of(positions)};
    largest = std::max(largest.load(), positions);
    {
      const std::scoped_lock lock(mutex_);
      launched.emplace_back(numbers.scale, positions);
      launches = static_cast<int>(launched.size());
    }
  }

  void wait(int lane) override {
    auto& job = jobs_[static_cast<std::size_t>(lane)];
    std::this_thread::sleep_until(job.end);
    while (held && !let_go()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    HostBatch* batch = std::exchange(job.batch, nullptr);
    if (fail_waits.load() > 0 && fail_waits.fetch_sub(1) > 0)
      throw Error("computation failed", Error::Kind::failed);
    for (int i = 0; i < job.positions; ++i)
      for (int p = 0; p < kPlayers; ++p)
        batch->values[i * kPlayers + p] =
            job.scale *
            static_cast<float>(batch->planes[job.words * i] + static_cast<std::uint64_t>(p));
    for (int i = 0; i < batch->moves; ++i) {  // of a move: scale * (word 0 of its position + place)
      const auto position = static_cast<int>(batch->asked[i]) / job.places;
      EXPECT_LT(position, job.positions);
      batch->logits[i] =
          job.scale * static_cast<float>(batch->planes[job.words * position] +
                                         batch->asked[i] % static_cast<std::uint32_t>(job.places));
    }
  }

  std::atomic<int> fail_launches{0}, fail_waits{0}, fail_prepares{0}, largest{0}, prepared{0},
      uploads{0}, launches{0};
  mutable std::atomic<int> packs{0};
  std::atomic<bool> held{false};                // no batch ends meanwhile,
  std::atomic<int> allowed{0};                  // but so many
  std::vector<std::pair<float, int>> launched;  // scale and positions; to be read when all is over

 private:
  using Clock = std::chrono::steady_clock;

  struct Shape : DeviceShape {
    explicit Shape(const BatchShape& shape) : settings(shape), words(settings.net.input.words()) {}
    std::size_t bytes() const override { return kShapeBytes; }
    int most() const override { return settings.most; }
    int computed(int positions) const override { return positions; }
    bool takes(int lane, int positions) const override {
      return lane < kWide || positions <= kNarrow;
    }
    std::unique_ptr<HostBatch> make_batch() override {
      struct Memory : HostBatch {
        std::vector<std::uint64_t> p;
        std::vector<float> v, l;
        std::vector<std::uint32_t> a;
      };
      auto out = std::make_unique<Memory>();
      out->p.resize(static_cast<std::size_t>(words * settings.most));
      out->v.resize(static_cast<std::size_t>(kPlayers * settings.most));
      out->a.resize(settings.room());
      out->l.resize(settings.room());
      out->asked = out->a.data();
      out->logits = out->l.data();
      out->planes = out->p.data();
      out->values = out->v.data();
      return out;
    }
    BatchShape settings;
    int words;
  };

  struct Weights : DeviceWeights {
    float scale = 0;
    NetShape shape;
  };

  struct Job {
    HostBatch* batch = nullptr;
    int words = 0, positions = 0, places = 0;
    float scale = 1;
    std::shared_ptr<DeviceWeights> kept;
    Clock::time_point end;
  };

  bool let_go() {
    int left = allowed;
    while (left > 0)
      if (allowed.compare_exchange_weak(left, left - 1)) return true;
    return false;
  }

  Clock::time_point end_of(int positions) {
    const std::scoped_lock lock(mutex_);
    auto time = time_.batch + positions * time_.position;
    if (time_.random)
      time = std::chrono::nanoseconds(rng_.below(static_cast<std::uint32_t>(time.count() + 1)));
    return end_ = std::max(end_, Clock::now()) + time;
  }

  PretendedTime time_;
  std::mutex mutex_;
  Clock::time_point end_;  // of all that was launched
  std::thread::id preparer_;
  Rng rng_{7};
  std::vector<Job> jobs_;
};

// Positions whose callers wait for them.
inline std::size_t gathered(const NetService& service) {
  constexpr std::string_view kBatch = "; batch ";
  const std::string state = service.state();
  std::size_t out = 0;
  for (auto at = state.find(kBatch); at != std::string::npos; at = state.find(kBatch, at + 1))
    out += std::stoul(state.substr(at + kBatch.size()));
  return out;
}

// Asks for `count` positions; returns the scale of the first, 0 when the values of some position do
// not agree on one whole scale. (A request may lie in two batches, a position never.)
inline float ask(ServedNet& net, std::size_t count, Rng& rng) {
  const auto words = static_cast<std::size_t>(net.shape().input.words());
  std::vector<std::uint64_t> planes(words * count);
  for (auto& word : planes) word = 1 + rng.below(1000);
  std::vector<float> values(kPlayers * count, -1);
  net.evaluate(planes, values);
  const auto scale_of = [&](std::size_t i) {
    return values[i * kPlayers] / static_cast<float>(planes[words * i]);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const float scale = scale_of(i);
    if (scale < 1 || scale != static_cast<float>(static_cast<int>(scale))) return 0;
    for (std::size_t p = 0; p < kPlayers; ++p)
      if (values[i * kPlayers + p] != scale * static_cast<float>(planes[words * i] + p)) return 0;
  }
  return scale_of(0);
}

}  // namespace polymax
