// What two players of a study differ, from the same starts: simulated coverage of its interval.
#include "arena/analysis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "core/rng.hpp"
#include "tests/arena/normal.hpp"
#include "tests/long_tests.hpp"

namespace polymax::arena::analysis_test {
namespace {

// Two players of one game with three seats: networks and starts help or hurt both alike, a network
// also suits one of them better than the other. The first wins more often by `kMore`.
constexpr double kMore = 0.06;
constexpr int kSeats = 3;

struct Pair {
  std::vector<Block> first, second;
};

Pair played(int networks, int repetitions, Rng& rng) {
  std::vector<double> strength, suits;
  for (int k = 0; k < networks; ++k) {
    strength.push_back(networks > 1 ? 0.06 * normal(rng) : 0);
    suits.push_back(networks > 1 ? 0.03 * normal(rng) : 0);
  }
  Pair out;
  for (int i = 0; i < networks; ++i)
    for (int j = 0; j < networks; ++j)
      for (int r = 0; r < repetitions; ++r) {
        double chance = 1.0 / kSeats + strength[static_cast<std::size_t>(i)] + 0.15 * normal(rng);
        for (int u = 0; u < kSeats - 1; ++u)
          chance -= strength[static_cast<std::size_t>((j + u) % networks)] / (kSeats - 1);
        for (const bool better : {true, false}) {
          Block block;
          block.at = {i, j, r};
          block.score.fill(NAN);
          const double own = chance + (better ? kMore + suits[static_cast<std::size_t>(i)] : 0);
          for (std::size_t seat = 0; seat < kSeats; ++seat)
            block.score[seat] = rng.uniform() < own ? 1 : -1;
          (better ? out.first : out.second).push_back(block);
        }
      }
  return out;
}

// Part of the runs whose interval holds the true difference.
double coverage(int networks, int repetitions) {
  const int runs = long_tests() ? 4000 : 200;
  // chances end at 0 and 1, so the true difference is a little less than 2 * kMore
  double truth = 0;
  std::vector<Interval> found;
  Rng rng(1);
  for (int run = 0; run < runs; ++run) {
    const Pair pair = played(networks, repetitions, rng);
    const std::vector samples{paired_sample(pair.first, pair.second, networks, kSeats - 1)};
    found.push_back(paired_interval(samples));
    EXPECT_TRUE(found.back().known);
    truth += found.back().mean / runs;
  }
  double covered = 0, radius = 0;
  for (const Interval& one : found) {
    covered += one.low <= truth && truth <= one.high ? 1.0 / runs : 0;
    radius += one.radius() / runs;
  }
  std::printf("differences, %d networks, %d repetitions: covers %.1f %%, radius %.3f\n", networks,
              repetitions, 100 * covered, radius);
  return covered;
}

// With room for 200 runs: 95 % shows between 92 and 98. Few networks are given more room.
TEST(PairedInterval, CoversWithNetworksAndWithOpeningsAlone) {
  NOT_UNDER_SANITIZERS();
  EXPECT_GE(coverage(10, 1), 0.93);
  const double over_blocks = coverage(1, 36);  // too few networks
  EXPECT_GE(over_blocks, 0.91);
  EXPECT_LE(over_blocks, 0.985);
  if (!long_tests()) return;
  EXPECT_NEAR(coverage(30, 1), 0.96, 0.03);
}

// One network a game, which shifts all of its matches: every game is a single draw.
TEST(PairedInterval, ByGamesCoversHoweverFewTheNetworks) {
  const int runs = long_tests() ? 4000 : 400;
  Rng rng(2);
  int covered = 0, fooled = 0;
  for (int run = 0; run < runs; ++run) {
    std::vector<NetworkSample> samples;
    for (int game = 0; game < 8; ++game) {
      const double of_network = 0.2 * normal(rng);
      NetworkSample sample{1, 2, {}};
      for (int match = 0; match < 30; ++match)
        sample.scores.push_back({0, 0, 0.1 + of_network + 0.5 * normal(rng)});
      samples.push_back(sample);
    }
    const Interval by_games = games_interval(samples, 2), by_blocks = paired_interval(samples);
    covered += by_games.low <= 0.1 && 0.1 <= by_games.high;
    fooled += by_blocks.low > 0.1 || 0.1 > by_blocks.high;
  }
  EXPECT_GE(covered, 0.92 * runs);
  EXPECT_LE(covered, 0.985 * runs);
  EXPECT_GE(fooled, 0.2 * runs) << "networks matter here, and blocks cannot know";
}

TEST(PairedInterval, ByGamesIsNotKnownFromThree) {
  const std::vector<NetworkSample> three(3, NetworkSample{1, 1, {{0, 0, 0.5}, {0, 0, -0.5}}});
  EXPECT_FALSE(games_interval(three).known);
  EXPECT_FALSE(games_interval({}).known);
  std::vector<NetworkSample> four = three;
  four.push_back({1, 1, {{0, 0, 1.0, 2}}});
  const Interval known = games_interval(four, 2);
  EXPECT_TRUE(known.known);
  EXPECT_DOUBLE_EQ(known.mean, 0.25);
  // means 0, 0, 0, 1 of equal weights: standard error 0.25, Student's quantile with 3 degrees
  EXPECT_NEAR(known.radius(), 3.1824463 * 0.25, 1e-6);
}

}  // namespace
}  // namespace polymax::arena::analysis_test
