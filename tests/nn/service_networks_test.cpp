// Many networks of several shapes on one pretended device: values are always those of the network
// that was asked, none starves, weights come and go within the memory, and what does not fit is
// said clearly. Also run under the thread sanitizer.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "core/error.hpp"
#include "core/rng.hpp"
#include "tests/nn/pretended_device.hpp"

namespace polymax::service_networks_test {
namespace {

using namespace std::chrono_literals;

const NetShape kOther{{3, 9, 9}, kPlayers, 1, 0, 1};  // six words a position

struct Fixture {
  explicit Fixture(PretendedTime time = {}, ServiceSettings settings = {}) {
    auto made = std::make_unique<PretendedDevice>(time);
    device = made.get();
    service = std::make_unique<NetService>(std::move(made), settings);
  }
  // Networks with the scales 1, 2, ...; every third of the other shape.
  void serve(int count, int most) {
    for (int i = 0; i < count; ++i)
      nets.push_back(service->serve(
          scaled(static_cast<float>(nets.size() + 1), i % 3 == 2 ? kOther : kShape), most));
  }
  PretendedDevice* device;
  std::unique_ptr<NetService> service;
  std::vector<std::unique_ptr<ServedNet>> nets;
};

// Threads that each ask one network at a time, as `which` says; true when all values were right.
bool all_right(Fixture& f, int threads, int rounds,
               const std::function<std::size_t(std::uint64_t thread, Rng&)>& which) {
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> callers;
    for (std::uint64_t t = 0; t < static_cast<std::uint64_t>(threads); ++t)
      callers.emplace_back([&, t] {
        Rng rng(t);
        for (int i = 0; i < rounds; ++i) {
          const std::size_t n = which(t, rng);
          wrong += ask(*f.nets[n], 1 + rng.below(30), rng) != static_cast<float>(n + 1);
        }
      });
  }
  return wrong == 0;
}

TEST(service, ValuesAreOfTheNetworkThatWasAsked) {
  Fixture f({60us, 100ns, true});
  f.serve(20, 64);
  EXPECT_TRUE(all_right(f, 40, 60, [](std::uint64_t, Rng& rng) { return rng.below(20); }));
  EXPECT_EQ(f.device->prepared, 2) << "one for each shape";
  EXPECT_EQ(f.device->uploads, 20) << "each network is sent once";
  EXPECT_EQ(f.service->memory().networks, 20);
  EXPECT_EQ(f.service->memory().shapes, 2 * PretendedDevice::kShapeBytes);
  EXPECT_EQ(f.service->memory().weights, 20 * PretendedDevice::kWeightBytes);
  f.nets.resize(5);
  EXPECT_LE(f.service->memory().networks, 5) << "networks that are gone leave";
}

// Room for two shapes and twelve networks: lanes keep one each, and the others take turns.
TEST(service, WeightsComeAndGoWithinTheLimit) {
  ServiceSettings settings;
  settings.memory = 2 * PretendedDevice::kShapeBytes + 12 * PretendedDevice::kWeightBytes;
  Fixture f({20us, 0ns, true}, settings);
  f.serve(30, 64);
  std::atomic<std::size_t> most{0};
  EXPECT_TRUE(all_right(f, 20, 60, [&](std::uint64_t, Rng& rng) {
    most = std::max(most.load(), f.service->memory().weights);
    return rng.below(30);
  }));
  const auto memory = f.service->memory();
  EXPECT_LE(most, 12 * PretendedDevice::kWeightBytes);
  EXPECT_GT(memory.evictions, 20u);
  EXPECT_EQ(memory.uploads, static_cast<std::uint64_t>(f.device->uploads));
}

// Three full batches hold the wide lanes: a small one is computed beside them, a large one waits.
TEST(service, SmallBatchesPassLargeOnes) {
  Fixture f;
  f.serve(2, 16);
  std::vector<std::jthread> callers;
  struct Hold {  // callers end only after it
    std::atomic<bool>& held;
    ~Hold() { held = false; }
  } const hold{f.device->held};
  f.device->held = true;
  const auto ask_for = [&](std::size_t net, std::size_t count) {
    callers.emplace_back([&f, net, count] {
      Rng rng(count);
      EXPECT_EQ(ask(*f.nets[net], count, rng), static_cast<float>(net + 1));
    });
  };
  const auto launched = [&](int count) {
    while (f.device->launches < count) std::this_thread::sleep_for(1ms);
    return f.device->launches.load();
  };
  ask_for(0, 16 * PretendedDevice::kWide);
  ASSERT_EQ(launched(PretendedDevice::kWide), PretendedDevice::kWide);
  ask_for(1, 16);
  ask_for(0, 2);
  EXPECT_EQ(launched(PretendedDevice::kWide + 1), PretendedDevice::kWide + 1);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(f.device->launches, PretendedDevice::kWide + 1) << "no lane takes the large one yet";
  f.device->held = false;
  callers.clear();
  EXPECT_EQ(f.device->launched[PretendedDevice::kWide], std::pair(1.0f, 2));
  EXPECT_EQ(f.device->launched.back(), std::pair(2.0f, 16));
}

TEST(service, TheLeastRecentlyUsedLeave) {
  ServiceSettings settings;
  settings.memory = 2 * PretendedDevice::kShapeBytes + 12 * PretendedDevice::kWeightBytes;
  Fixture f({1us}, settings);
  f.serve(13, 64);
  Rng rng(1);
  for (std::size_t i = 0; i < 12; ++i) ask(*f.nets[i], 1, rng);
  EXPECT_EQ(f.device->uploads, 12);
  ask(*f.nets[0], 1, rng);   // used again: the second is now the oldest
  ask(*f.nets[12], 1, rng);  // needs a place
  EXPECT_EQ(f.device->uploads, 13);
  ask(*f.nets[0], 1, rng);
  ask(*f.nets[11], 1, rng);
  EXPECT_EQ(f.device->uploads, 13) << "a network that was just used had left";
  ask(*f.nets[1], 1, rng);
  EXPECT_EQ(f.device->uploads, 14);
}

TEST(service, SaysHowMuchMemoryIsNeeded) {
  ServiceSettings settings;
  settings.memory = PretendedDevice::kShapeBytes + PretendedDevice::kWeightBytes - 1;
  Fixture f({}, settings);
  f.serve(3, 64);
  Rng rng(1);
  const auto message = [&](ServedNet& net) -> std::string {
    try {
      ask(net, 1, rng);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::failed);
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(*f.nets[0]).find("a network's weights"), std::string::npos);
  const std::string shape = message(*f.nets[2]);  // a second shape
  EXPECT_NE(shape.find("a pretended device"), std::string::npos) << shape;
  EXPECT_NE(shape.find("0.01 GiB in all; the limit is 0.01 GiB (--gpu-memory"), std::string::npos)
      << shape;
}

// One network has callers for full batches all the time, others have one caller each: these go
// before batches of the crowd that are ready.
TEST(service, NobodyStarves) {
  constexpr std::size_t kAlone = PretendedDevice::kNarrow + 2;
  Fixture f({500us});
  f.serve(6, 64);
  Rng first(1);
  for (const auto& net : f.nets) ask(*net, 1, first);  // shapes are prepared while lanes are idle
  const auto begin = static_cast<std::size_t>(f.device->launches);
  std::atomic<bool> over{false};
  std::atomic<int> crowd{0};
  std::vector<int> asked;  // launches before a lone caller asked
  {
    std::vector<std::jthread> callers;
    for (std::uint64_t t = 0; t < 24; ++t)
      callers.emplace_back([&, t] {
        Rng rng(t);
        while (!over) crowd += ask(*f.nets[0], 32, rng) == 1;
      });
    while (crowd < 50) std::this_thread::sleep_for(1ms);
    for (std::size_t i = 0; i < 50; ++i) {
      f.device->held = true;  // until the lone caller is there
      asked.push_back(f.device->launches);
      std::jthread lone([&f, i] {
        const std::size_t n = 1 + i % 5;
        Rng rng(i);
        EXPECT_EQ(ask(*f.nets[n], kAlone, rng), static_cast<float>(n + 1));
      });
      const std::string there = "batch " + std::to_string(kAlone) + "/" + std::to_string(kAlone);
      while (f.service->state().find(there) == std::string::npos) std::this_thread::yield();
      f.device->held = false;
    }
    over = true;
  }
  std::vector<int> waited;  // launches until its own
  const auto& launched = f.device->launched;
  for (std::size_t i = 0, at = begin; i < asked.size(); ++i, ++at) {
    while (launched[at].first == 1) ++at;
    waited.push_back(static_cast<int>(at) - asked[i]);
  }
  std::ranges::nth_element(waited, waited.begin() + 25);
  EXPECT_LE(waited[25], 8) << "three lanes at work, the time of a batch, and one more";
}

// While all lanes are held, a crowd fills six batches of one network and four others ask for
// little: one batch of the crowd goes first, since it waited longest, then each of the others, then
// the rest. One batch ends at a time: threads that launch at once may do so in either order.
TEST(service, NetworksTakeTurns) {
  Fixture f({20us});
  f.serve(5, 64);
  Rng rng(1);
  ask(*f.nets[2], 1, rng);  // its shape is prepared while lanes are idle
  for (int i = 0; i < 60; ++i) ask(*f.nets[0], 64, rng);  // what a batch takes is known
  const std::size_t before = f.device->launched.size();
  std::vector<std::jthread> callers;
  const auto come = [&](std::size_t net, std::size_t count, const std::string& until) {
    callers.emplace_back([&f, net, count] {
      Rng own(net);
      EXPECT_EQ(ask(*f.nets[net], count, own), static_cast<float>(net + 1));
    });
    while (f.service->state().find(until) == std::string::npos) std::this_thread::sleep_for(1ms);
  };
  f.device->held = true;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 1; i <= 3; ++i) come(0, 64, "lanes at work " + std::to_string(i));
  for (int i = 1; i <= 6; ++i) come(0, 64, "batches ready " + std::to_string(i));
  for (std::size_t net = 1; net < 5; ++net)
    come(net, PretendedDevice::kNarrow + 2, "open " + std::to_string(net));
  std::this_thread::sleep_for(std::chrono::steady_clock::now() - begin);
  for (int launches = f.device->launches; launches < static_cast<int>(before) + 13; ++launches) {
    f.device->allowed = 1;
    while (f.device->launches == launches) std::this_thread::sleep_for(1ms);
  }
  f.device->held = false;
  callers.clear();
  std::vector<float> order;
  for (std::size_t i = before; i < f.device->launched.size(); ++i)
    order.push_back(f.device->launched[i].first);
  EXPECT_EQ(order, (std::vector<float>{1, 1, 1, 1, 2, 3, 4, 5, 1, 1, 1, 1, 1}));
}

}  // namespace
}  // namespace polymax::service_networks_test
