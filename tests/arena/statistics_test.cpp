// Intervals, ranks and correlations: known values, simulated coverage, and the paper's interval
// failing where networks are shared.
#include "arena/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/rng.hpp"

namespace polymax::arena {
namespace {

double normal(Rng& rng) {
  return normal_quantile(std::min(std::max(rng.uniform(), 1e-12), 1 - 1e-12));
}

TEST(Quantiles, TabulatedValues) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963985, 1e-8);
  EXPECT_NEAR(normal_quantile(0.1), -1.281551566, 1e-8);
  EXPECT_NEAR(student_quantile(0.975, 1), 12.7062047, 1e-6);
  EXPECT_NEAR(student_quantile(0.975, 4), 2.776445105, 1e-8);
  EXPECT_NEAR(student_quantile(0.975, 29), 2.045229642, 1e-8);
  EXPECT_NEAR(student_quantile(0.05, 10), -1.812461123, 1e-8);
  EXPECT_NEAR(student_quantile(0.975, 1e9), 1.959963985, 1e-8);
}

TEST(MeanInterval, EmptyConstantAndDeterministic) {
  EXPECT_FALSE(mean_interval({}, 1).known);
  const std::vector<double> wins(10, 1.0);
  const Interval all = mean_interval(wins, 1);
  EXPECT_EQ(all.mean, 1);
  EXPECT_EQ(all.high, 1);
  EXPECT_NEAR(all.low, 1 - 2 * (1 - std::pow(0.025, 0.1)),
              1e-12);  // ten wins do not prove that no loss is possible
  const std::vector<double> some{1, -1, 0, 1, 1, -1, 0, 1};
  EXPECT_EQ(mean_interval(some, 7), mean_interval(some, 7));
  EXPECT_NE(mean_interval(some, 7), mean_interval(some, 8));
  const Interval mixed = mean_interval(some, 7);
  EXPECT_DOUBLE_EQ(mixed.mean, 0.25);
  EXPECT_LT(mixed.low, 0.25);
  EXPECT_GT(mixed.high, 0.25);
}

TEST(MeanInterval, StaysInRange) {
  const std::vector<double> scores{1, 1, 1, -1};
  const Interval interval = mean_interval(scores, 3);
  EXPECT_GE(interval.low, -1);
  EXPECT_LE(interval.high, 1);
}

TEST(MeanInterval, CoversAtTheStatedRate) {
  constexpr int kRuns = 1500;
  int inside = 0;
  for (int run = 0; run < kRuns; ++run) {
    Rng rng(static_cast<std::uint64_t>(run) + 100);
    std::vector<double> scores(24);
    for (double& s : scores) s = rng.uniform() < 0.4 ? 1 : rng.uniform() < 0.5 ? 0 : -1;
    const Interval interval = mean_interval(scores, static_cast<std::uint64_t>(run), 400);
    inside += interval.low <= 0.1 && 0.1 <= interval.high ? 1 : 0;
  }
  EXPECT_GE(inside, 0.93 * kRuns);
  EXPECT_LE(inside, 0.97 * kRuns);
}

TEST(StratifiedInterval, PoolsOverMatchesNotGames) {
  const std::vector<std::vector<double>> strata{{1, 1, 1, 1, 1, 1}, {-1, -1}};
  const Interval interval = stratified_interval(strata, 5);
  EXPECT_DOUBLE_EQ(interval.mean, 0.5);  // the mean of the two games would be 0
  EXPECT_EQ(interval.low, 0.5);          // strata keep their sizes: nothing varies
  EXPECT_EQ(interval.high, 0.5);
  EXPECT_FALSE(stratified_interval({}, 5).known);
}

TEST(StratifiedInterval, AgreesWithTheNormalRadius) {
  Rng rng(4);
  std::vector<std::vector<double>> strata(1);
  for (int k = 0; k < 2700; ++k) strata[0].push_back(rng.uniform() < 0.3 ? 1 : -1);
  const Interval interval = stratified_interval(strata, 11);
  EXPECT_NEAR(interval.radius(), normal_radius(strata[0]), 0.002);
  EXPECT_NEAR(normal_radius(strata[0]), 1.96 * 2 * std::sqrt(0.3 * 0.7 / 2700), 0.001);
}

// One game of the paper's protocol: n networks, P seats; effects of networks on the chance to win
// are shared by the matches, seats differ.
struct World {
  int networks = 12, players = 3;
  double row_effect = 0, column_effect = 0;

  NetworkSample play(std::uint64_t seed) const {
    Rng rng(seed);
    std::vector<double> as_row, as_column;
    for (int k = 0; k < networks; ++k) as_row.push_back(row_effect * normal(rng));
    for (int k = 0; k < networks; ++k) as_column.push_back(column_effect * normal(rng));
    NetworkSample out;
    out.shared = players - 1;
    for (int i = 0; i < networks; ++i) {
      for (int j = 0; j < networks; ++j) {
        double chance = 1.0 / players + as_row[static_cast<std::size_t>(i)];
        for (int u = 0; u < out.shared; ++u)
          chance += as_column[static_cast<std::size_t>((j + u) % networks)];
        for (int seat = 0; seat < players; ++seat) {
          const double here = chance + (seat == 0 ? 0.1 : seat == 1 ? -0.1 : 0);
          out.scores.push_back({i, j, rng.uniform() < here ? 1.0 : -1.0});
        }
      }
    }
    return out;
  }
};

struct Coverage {
  double paper = 0, networks = 0;
};

Coverage coverage(const World& world, int runs) {
  Coverage out;
  const double truth = parity(world.players);
  for (int run = 0; run < runs; ++run) {
    const NetworkSample sample = world.play(static_cast<std::uint64_t>(run) + 1000);
    std::vector<std::vector<double>> strata(1);
    for (const auto& s : sample.scores) strata[0].push_back(s.score);
    const auto seed = static_cast<std::uint64_t>(run);
    const Interval paper = stratified_interval(strata, seed, 250);
    const Interval networks = network_interval(std::span(&sample, 1), seed, 250);
    out.paper += paper.low <= truth && truth <= paper.high ? 1.0 / runs : 0;
    out.networks += networks.low <= truth && truth <= networks.high ? 1.0 / runs : 0;
  }
  return out;
}

TEST(NetworkInterval, HoldsWhereThePapersIntervalIsTooNarrow) {
  for (const World& world :
       {World{12, 3, 0.08, 0.08}, World{12, 3, 0.1, 0}, World{10, 4, 0.05, 0.05}}) {
    const Coverage rate = coverage(world, 700);
    EXPECT_GE(rate.networks, 0.93) << world.players;
    EXPECT_LE(rate.networks, 0.97) << world.players;
    EXPECT_LT(rate.paper, 0.80) << world.players;
  }
}

TEST(NetworkInterval, PapersIntervalCoversWhenNothingIsShared) {
  const Coverage rate = coverage(World{12, 3, 0, 0}, 700);
  EXPECT_GE(rate.paper, 0.93);
  EXPECT_LE(rate.paper, 0.97);
  EXPECT_GE(rate.networks, 0.95);  // wider than needed here
}

TEST(NetworkInterval, ThirtyNetworksAsInThePaper) {
  const Coverage rate = coverage(World{30, 3, 0.06, 0.04}, 250);
  EXPECT_GE(rate.networks, 0.93);
  EXPECT_LE(rate.networks, 0.97);
  EXPECT_LT(rate.paper, 0.75);
}

TEST(NetworkInterval, ComponentsAreFound) {
  double rows = 0, columns = 0;
  for (std::uint64_t run = 0; run < 200; ++run) {
    const NetworkVariance v = network_variance(World{12, 3, 0.1, 0.05}.play(run));
    rows += v.rows / 200;
    columns += v.columns / 200;
  }
  EXPECT_NEAR(rows, 4 * 0.01 / 12, 0.0006);  // scores are twice chances: 4 * 0.1^2 over 12 rows
  EXPECT_NEAR(columns, 4 * 4 * 0.0025 / 12,
              0.0007);  // two networks a column: 4 * (2 * 0.05)^2 over 12 columns
}

TEST(NetworkInterval, NotKnownFromOneNetwork) {
  const NetworkSample one = World{1, 3, 0, 0}.play(1);
  EXPECT_FALSE(network_interval(std::span(&one, 1), 1).known);
  const NetworkSample two = World{2, 3, 0, 0}.play(1);  // every column holds both networks
  EXPECT_FALSE(network_interval(std::span(&two, 1), 1).known);
  EXPECT_TRUE(network_interval(std::vector{World{3, 3, 0, 0}.play(1)}, 1).known);
  EXPECT_FALSE(network_interval(std::vector<NetworkSample>{}, 1).known);
}

TEST(NetworkInterval, PoolsOverMatchesAndIsDeterministic) {
  const std::vector<NetworkSample> games{World{6, 3, 0.1, 0.1}.play(1),
                                         World{6, 4, 0.1, 0.1}.play(2)};
  double sum = 0, count = 0;
  for (const auto& game : games)
    for (const auto& s : game.scores) sum += s.score, count += 1;
  const Interval pooled = network_interval(games, 9);
  EXPECT_NEAR(pooled.mean, sum / count, 1e-12);
  EXPECT_EQ(pooled, network_interval(games, 9));
}

TEST(NetworkInterval, TakesAnUnfinishedStudy) {
  NetworkSample sample = World{8, 3, 0.1, 0.05}.play(3);
  sample.scores.resize(sample.scores.size() / 2 + 1);
  const Interval interval = network_interval(std::span(&sample, 1), 1);
  EXPECT_TRUE(interval.known);
  EXPECT_LT(interval.low, interval.mean);
  EXPECT_LT(interval.mean, interval.high);
}

TEST(Parity, OneOfP) {
  EXPECT_DOUBLE_EQ(parity(2), 0);
  EXPECT_DOUBLE_EQ(parity(3), 2.0 / 3 - 1);
  EXPECT_DOUBLE_EQ(parity(4), -0.5);
}

TEST(Ranks, OverlapIsATie) {
  const std::vector<Interval> intervals{{0.5, 0.4, 0.6, true},
                                        {0.45, 0.35, 0.55, true},
                                        {0.1, 0, 0.2, true},
                                        {0.3, 0.15, 0.39, true},
                                        {}};
  EXPECT_EQ(ranks(intervals), (std::vector<int>{1, 1, 3, 2, 0}));
}

TEST(Correlation, KnownValues) {
  const std::vector<double> x{1, 2, 3, 4, 5}, y{2, 1, 4, 3, 5}, down{5, 4, 3, 2, 1},
      flat{1, 1, 1, 1, 1};
  EXPECT_NEAR(spearman(x, y), 0.8, 1e-12);
  EXPECT_NEAR(kendall(x, y), 0.6, 1e-12);
  EXPECT_NEAR(spearman(x, down), -1, 1e-12);
  EXPECT_NEAR(kendall(x, down), -1, 1e-12);
  EXPECT_TRUE(std::isnan(spearman(x, flat)));
  EXPECT_TRUE(std::isnan(kendall(x, flat)));
  const std::vector<double> tied{1, 2, 2, 3}, other{1, 2, 3, 4};
  EXPECT_NEAR(kendall(tied, other), 5 / std::sqrt(5.0 * 6.0), 1e-12);
  EXPECT_NEAR(spearman(tied, other), 4.5 / std::sqrt(4.5 * 5.0), 1e-12);
}

}  // namespace
}  // namespace polymax::arena
