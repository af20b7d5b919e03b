// Replay by match: shares, no repetition before all were used, delta uses on average.
#include "learn/replay.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace polymax::learn::replay_test {
namespace {

Samples made(std::size_t count, std::uint64_t tag) {
  Samples out;
  for (std::size_t i = 0; i < count; ++i) {
    out.planes.push_back(tag << 32 | i);
    out.points.insert(out.points.end(), {static_cast<float>(i), -static_cast<float>(i)});
  }
  return out;
}

TEST(replay, FirstPhaseUsesEverySampleDeltaTimes) {
  Replay replay({75, 3}, 1);
  const auto phase = replay.push(made(100, 0), 2);
  std::map<std::uint32_t, int> uses;
  for (const auto& ref : phase) ++uses[ref.sample];
  ASSERT_EQ(phase.size(), 300u);
  for (const auto& [sample, times] : uses) EXPECT_EQ(times, 3) << sample;
}

TEST(replay, NoSampleTwiceBeforeAllOthers) {
  Replay replay({10, 1}, 2);
  std::vector<std::uint32_t> order;  // uses of the first match
  for (std::uint64_t match = 0; match < 10; ++match)
    for (const auto& ref : replay.push(made(60, match), 2))
      if (ref.match == 0) order.push_back(ref.sample);
  // each phase is shuffled, so look at whole rounds
  ASSERT_GE(order.size(), 60u);
  std::set<std::uint32_t> first(order.begin(), order.begin() + 60);
  EXPECT_EQ(first.size(), 60u);
}

TEST(replay, UsesAreDeltaOnAverageDuringTheStay) {
  constexpr int kMemory = 20;
  Replay replay({kMemory, 3}, 3);
  Rng rng(4);
  std::map<std::uint64_t, int> uses;  // by the tag in the planes
  std::map<std::uint64_t, std::size_t> sizes;
  for (std::uint64_t match = 0; match < 200; ++match) {
    sizes[match] = 20 + rng.below(200);
    for (const auto& ref : replay.push(made(sizes[match], match), 2))
      ++uses[replay.match(ref.match).planes[ref.sample] >> 32];
  }
  double used = 0, there = 0;
  for (std::uint64_t match = kMemory; match < 200 - kMemory; ++match) {
    used += uses[match];
    there += static_cast<double>(sizes[match]);
    EXPECT_NEAR(uses[match] / static_cast<double>(sizes[match]), 3, 0.06) << match;
  }
  EXPECT_NEAR(used / there, 3, 0.01);
}

TEST(replay, DrawsEveryMatchInProportionAndInItsOrder) {
  Replay replay({10, 3}, 7);
  const std::vector<std::size_t> sizes{10, 40, 0, 50};
  for (std::uint64_t match = 0; match < sizes.size(); ++match)
    replay.store(made(sizes[match], match), 2);
  std::vector<std::vector<int>> uses{{}, {}, {}, {}};
  for (std::size_t m = 0; m < sizes.size(); ++m) uses[m].resize(sizes[m]);
  for (int i = 0; i < 100; ++i)
    for (const auto& ref : replay.draw(200)) ++uses.at(ref.match).at(ref.sample);
  for (std::size_t m : {0, 1, 3}) {
    const auto [least, most] = std::ranges::minmax(uses[m]);
    EXPECT_LE(most - least, 1) << m;  // none twice before all others of its match
    EXPECT_NEAR(least, 200, 20) << m;
  }
}

TEST(replay, ForgetsTheOldest) {
  Replay replay({3, 3}, 5);
  for (std::uint64_t match = 0; match < 5; ++match) replay.push(made(10, match), 2);
  ASSERT_EQ(replay.matches(), 3u);
  EXPECT_EQ(replay.samples(), 30u);
  EXPECT_EQ(replay.match(0).planes[0] >> 32, 2u);
}

TEST(replay, GoesOnAfterRestore) {
  Replay whole({5, 2}, 6), half({5, 2}, 6);
  for (std::uint64_t match = 0; match < 7; ++match) {
    whole.push(made(31, match), 2);
    half.push(made(31, match), 2);
  }
  Replay rest({5, 2}, 99);
  rest.restore(half.stored(), half.rng());
  for (std::uint64_t match = 7; match < 12; ++match)
    EXPECT_EQ(rest.push(made(17, match), 2), whole.push(made(17, match), 2));
}

}  // namespace
}  // namespace polymax::learn::replay_test
