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

}  // namespace
}  // namespace polymax::arena::analysis_test
