// The service on a pretended device with one network: values reach their callers, batches are
// joined, weights never mix, failures reach the callers, nothing hangs. Also run under the thread
// sanitizer.
#include "nn/service.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/error.hpp"
#include "core/rng.hpp"
#include "nn/batch_time.hpp"
#include "tests/nn/pretended_device.hpp"

namespace polymax::service_test {
namespace {

struct Fixture {
  explicit Fixture(int most = 64, std::chrono::microseconds time = std::chrono::microseconds(50)) {
    auto made = std::make_unique<PretendedDevice>(PretendedTime{time});
    device = made.get();
    service = std::make_unique<NetService>(std::move(made), ServiceSettings{});
    net = service->serve(scaled(1), most);
  }
  PretendedDevice* device;
  std::unique_ptr<NetService> service;
  std::unique_ptr<ServedNet> net;
};

TEST(service, OneCallerGetsItsValues) {
  Fixture f;
  Rng rng(1);
  for (const std::size_t count : {1u, 5u, 63u, 64u}) EXPECT_EQ(ask(*f.net, count, rng), 1);
  EXPECT_EQ(f.service->statistics().batches, 4u);
  EXPECT_EQ(f.net->evaluated(), 133u);
  EXPECT_EQ(f.service->positions_of(kShape), 133u);
}

TEST(service, RequestsLargerThanABatchAreSplit) {
  Fixture f(16);
  Rng rng(1);
  EXPECT_EQ(ask(*f.net, 1000, rng), 1);
  EXPECT_EQ(f.service->statistics().positions, 1000u);
  EXPECT_LE(f.device->largest, 16);
}

// Positions with up to 40 moves, some with none, one with very many; true when all that came back
// is what the pretended device computes.
bool ask_with_moves(ServedNet& net, std::size_t count, Rng& rng, std::uint32_t most_moves = 40) {
  std::vector<std::uint64_t> planes(2 * count);
  std::vector<std::uint32_t> ends;
  std::vector<std::uint16_t> places;
  for (std::size_t i = 0; i < count; ++i) {
    planes[2 * i] = rng.below(1000);
    for (std::uint32_t n = rng.below(most_moves); n > 0; --n)
      places.push_back(static_cast<std::uint16_t>(rng.below(100)));
    ends.push_back(static_cast<std::uint32_t>(places.size()));
  }
  std::vector<float> values(kPlayers * count), logits(places.size(), -1);
  net.evaluate(planes, values, {ends, places, logits});
  bool right = true;
  for (std::size_t i = 0, k = 0; i < count; ++i) {
    for (std::size_t p = 0; p < kPlayers; ++p)
      right &= values[kPlayers * i + p] == static_cast<float>(planes[2 * i] + p);
    for (; k < ends[i]; ++k) right &= logits[k] == static_cast<float>(planes[2 * i] + places[k]);
  }
  return right;
}

const NetShape kTwoHeads{{2, 5, 5}, kPlayers, 1, 0, 1, 4};  // 100 places

TEST(service, LogitsReachWhoAskedForThem) {
  Fixture f(16);
  const auto net = f.service->serve(scaled(1, kTwoHeads), 16);
  Rng rng(1);
  for (const std::size_t count : {1u, 5u, 16u, 200u}) EXPECT_TRUE(ask_with_moves(*net, count, rng));
  EXPECT_EQ(ask(*net, 20, rng), 1) << "values alone";
  EXPECT_EQ(net->evaluated(), 242u);
  EXPECT_EQ(f.device->prepared, 2) << "graphs with and without moves";
  EXPECT_TRUE(ask_with_moves(*net, 40, rng, 3000)) << "a batch is full of moves before positions";
  EXPECT_THROW(ask_with_moves(*f.net, 1, rng), Error) << "no second head";
}

TEST(service, BothHeadsShareTheWeights) {
  Fixture f(16);
  const int before = f.device->packs;
  const auto net = f.service->serve(scaled(1, kTwoHeads), 16);
  Rng rng(1);
  for (float scale = 1; scale < 3; ++scale) {
    EXPECT_EQ(ask(*net, 5, rng), scale);
    ask_with_moves(*net, 5, rng);
    EXPECT_EQ(f.device->packs, before + static_cast<int>(scale));
    EXPECT_EQ(f.device->uploads, static_cast<int>(scale));
    net->set_weights(scaled(scale + 1, kTwoHeads));
  }
}

TEST(service, ManyCallersAskForMoves) {
  Fixture f(64, std::chrono::microseconds(300));
  const auto net = f.service->serve(scaled(1, kTwoHeads), 64);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (std::uint64_t t = 0; t < 32; ++t)
    threads.emplace_back([&, t] {
      Rng rng(t);
      for (int i = 0; i < 30; ++i)
        wrong += t % 2 == 0 ? !ask_with_moves(*net, 1 + rng.below(8), rng, 1000)
                            : ask(*net, 1 + rng.below(8), rng) != 1;
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(service, RefusesSpansThatDoNotFit) {
  Fixture f;
  std::vector<std::uint64_t> planes(3);
  std::vector<float> values(3);
  EXPECT_THROW(f.net->evaluate(planes, values), Error);
  EXPECT_THROW(f.net->set_weights(scaled(2, {{2, 5, 6}, kPlayers, 1, 0, 1})), Error);
}

// All callers ask while no batch ends: what the lanes do not hold by then travels together.
TEST(service, ManyCallersShareBatches) {
  constexpr std::uint64_t kCallers = 64, kMost = 64, kLargest = 8;
  Fixture f(kMost, std::chrono::microseconds(300));
  std::atomic<int> wrong{0};
  std::vector<std::jthread> threads;
  const auto come = [&](int requests) {
    for (std::uint64_t t = 0; t < kCallers; ++t)
      threads.emplace_back([&, t, requests] {
        Rng rng(t);
        for (int i = 0; i < requests; ++i) wrong += ask(*f.net, 1 + t % kLargest, rng) != 1;
      });
  };
  f.device->held = true;
  come(1);
  const std::uint64_t positions = kCallers * (1 + kLargest) / 2;
  while (gathered(*f.service) < positions) std::this_thread::yield();
  f.device->held = false;
  threads.clear();
  EXPECT_LE(f.service->statistics().batches, PretendedDevice::kLanes + positions / kMost + 1);
  come(29);
  threads.clear();
  EXPECT_EQ(wrong, 0);
  const auto statistics = f.service->statistics();
  EXPECT_EQ(statistics.requests, kCallers * 30);
  EXPECT_GT(statistics.utilisation(), 0);
  EXPECT_EQ(f.device->uploads, 1) << "the weights are sent once";
}

// While the device is busy a batch is filled, whatever lanes are idle: all who come meanwhile share
// the next one.
TEST(service, LaunchesJustInTime) {
  constexpr int kRounds = 2;
  Fixture f(4096, std::chrono::milliseconds(400));
  Rng rng(100);
  for (const std::size_t count : {50u, 1000u}) ask(*f.net, count, rng);  // its time is known
  const auto before = f.service->statistics().batches;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::jthread> threads;
    const auto come = [&](std::uint64_t number) {
      threads.emplace_back([&f, number] {
        Rng own(number);
        ask(*f.net, 50, own);
      });
    };
    const int launches = f.device->launches;
    come(0);
    while (f.device->launches == launches) std::this_thread::yield();
    for (std::uint64_t t = 1; t < 20; ++t) come(t);
  }
  EXPECT_LE(f.service->statistics().batches - before, 2u * kRounds);
}

TEST(service, KnowsHowLongABatchTakes) {
  BatchTime time;
  EXPECT_EQ(time(100), 0);
  for (int i = 0; i < 10; ++i) time.add(1000, 0.5);
  EXPECT_NEAR(time(2000), 1, 1e-9) << "one size alone: in proportion";
  for (int i = 0; i < 400; ++i) time.add(100 * (1 + i % 7), 0.1 + 0.001 * 100 * (1 + i % 7));
  EXPECT_NEAR(time(300), 0.4, 0.01);
  EXPECT_NEAR(time(3000), 3.1, 0.1);
}

TEST(service, FailuresReachTheCallersAndThenItGoesOn) {
  Fixture f;
  Rng rng(1);
  f.device->fail_prepares = 1;
  EXPECT_THROW(ask(*f.net, 3, rng), Error);
  f.device->fail_launches = 1;
  EXPECT_THROW(ask(*f.net, 3, rng), Error);
  f.device->fail_waits = 1;
  EXPECT_THROW(ask(*f.net, 3, rng), Error);
  EXPECT_EQ(ask(*f.net, 3, rng), 1);
  EXPECT_EQ(f.device->prepared, 2);
}

TEST(service, SurvivesRandomStopsSwapsAndFailures) {
  Fixture f(32, std::chrono::microseconds(100));
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0}, failed{0}, fine{0};
  for (std::uint64_t t = 0; t < 64; ++t)
    threads.emplace_back([&, t] {
      Rng rng(t);
      const int rounds = 5 + static_cast<int>(rng.below(40));  // callers stop at different times
      for (int i = 0; i < rounds; ++i) try {
          ++(ask(*f.net, 1 + rng.below(50), rng) != 0 ? fine : wrong);
        } catch (const Error&) {
          ++failed;
        }
    });
  std::thread trainer([&] {
    for (int i = 0; i < 30; ++i) {
      f.net->set_weights(scaled(static_cast<float>(1 + i % 3)));
      if (i % 5 == 0) f.device->fail_waits = 1;
      if (i % 7 == 0) f.device->fail_launches = 1;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  for (auto& thread : threads) thread.join();
  trainer.join();
  EXPECT_EQ(wrong, 0) << "a position saw two sets of weights, or values of another one";
  EXPECT_GT(fine, 500);
  EXPECT_GT(failed, 0) << "nothing was broken";
}

TEST(service, ARequestAfterNewWeightsHasThem) {
  Fixture f(64, std::chrono::milliseconds(1));
  std::atomic<bool> over{false};
  std::vector<std::jthread> others;
  for (std::uint64_t t = 0; t < 8; ++t)
    others.emplace_back([&, t] {
      Rng rng(t);
      while (!over) EXPECT_NE(ask(*f.net, 20, rng), 0);
    });
  Rng rng(9);
  for (int i = 1; i <= 40; ++i) {
    f.net->set_weights(scaled(static_cast<float>(i)));
    EXPECT_EQ(ask(*f.net, 3, rng), static_cast<float>(i));
  }
  over = true;
}

TEST(service, ClosingReleasesTheCallers) {
  int released = 0;
  for (int round = 0; round < 10; ++round) {
    Fixture f(4, std::chrono::milliseconds(20));
    std::atomic<int> closed{0}, served{0};
    std::vector<std::thread> threads;
    for (std::uint64_t t = 0; t < 40; ++t)
      threads.emplace_back([&, t] {
        Rng rng(t);
        try {
          served += ask(*f.net, 2, rng) == 1;
        } catch (const Error&) {
          ++closed;
        }
      });
    while (f.service->statistics().requests < 40) std::this_thread::yield();
    f.service.reset();  // with all callers inside: three lanes at work, the rest waiting
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(served + closed, 40);
    released += closed;
  }
  EXPECT_GT(released, 0) << "callers were inside, unless this machine stood still in every round";
}

}  // namespace
}  // namespace polymax::service_test
