// Intervals, ranks and correlations: known values, simulated coverage, and the paper's interval
// failing where networks are shared.
#include "arena/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "core/rng.hpp"
#include "tests/arena/normal.hpp"
#include "tests/long_tests.hpp"

namespace polymax::arena::statistics_test {
namespace {

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
  NOT_UNDER_SANITIZERS();
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

TEST(QuickInterval, IsAboutTheBootstraps) {
  EXPECT_FALSE(quick_interval({}).known);
  const std::vector<double> wins(10, 1.0);
  EXPECT_EQ(quick_interval(wins), mean_interval(wins, 1)) << "nothing is drawn";
  Rng rng(8);
  std::vector<double> scores(60);
  for (double& s : scores) s = rng.uniform() < 0.4 ? 1 : rng.uniform() < 0.5 ? 0 : -1;
  const Interval quick = quick_interval(scores), exact = mean_interval(scores, 1);
  EXPECT_EQ(quick.mean, exact.mean);
  EXPECT_NEAR(quick.low, exact.low, 0.02);
  EXPECT_NEAR(quick.high, exact.high, 0.02);
}

TEST(NormalInterval, ASingleMatchTellsNoRadius) {
  EXPECT_FALSE(normal_interval({}).known);
  const std::vector<double> one{-1}, two{-1, 1};
  EXPECT_EQ(normal_interval(one), (Interval{-1, -1, -1, false}));
  EXPECT_TRUE(normal_interval(two).known);
  EXPECT_DOUBLE_EQ(normal_interval(two).radius(), normal_radius(two));
  const std::vector<std::vector<double>> strata{{1, 0, 1}, {-1}};
  EXPECT_EQ(stratified_interval(strata, 5), (Interval{0.25, 0.25, 0.25, false}));
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
// are shared by the matches, seats differ. What a network is worth to its own player and what it
// costs that player in the others' hands may be one thing (as in a game with one winner), two
// independent ones, or nothing.
enum class Roles { same, independent, half, nothing };

struct World {
  int networks = 12, players = 3;
  Roles roles = Roles::same;
  double effect = 0.1;
  int diagonals = 0;  // of pairs (i, j) that were played; 0: all

  NetworkSample play(std::uint64_t seed) const {
    Rng rng(seed);
    const int m = players - 1;
    std::vector<double> as_row, as_column;
    for (int k = 0; k < networks; ++k) {
      const double strength = roles == Roles::nothing ? 0 : effect * normal(rng);
      const double other = effect * normal(rng);
      as_row.push_back(strength);
      as_column.push_back((roles == Roles::independent ? other
                           : roles == Roles::half      ? -strength / 2 + other / 2
                                                       : -strength) /
                          m);
    }
    NetworkSample out{networks, m, {}};
    for (int d = 0; d < (diagonals > 0 ? diagonals : networks); ++d)
      for (int i = 0; i < networks; ++i) add(out, i, (i + d) % networks, as_row, as_column, rng);
    return out;
  }

 private:
  void add(NetworkSample& out, int i, int j, const std::vector<double>& as_row,
           const std::vector<double>& as_column, Rng& rng) const {
    double chance = 1.0 / players + as_row[static_cast<std::size_t>(i)] + 0.05 * normal(rng);
    for (int u = 0; u < out.shared; ++u)
      chance += as_column[static_cast<std::size_t>((j + u) % networks)];
    for (int seat = 0; seat < players; ++seat) {
      const double here = chance + (seat == 0 ? 0.05 : seat == 1 ? -0.05 : 0);
      out.scores.push_back({i, j, rng.uniform() < here ? 1.0 : -1.0});
    }
  }
};

struct Coverage {
  double paper = 0, networks = 0;  // shares of runs
  double radius = 0, needed = 0;   // of the networks' interval; what 1.96 errors of the mean are
};

Coverage coverage(const World& world, int runs) {
  Coverage out;
  const double truth = parity(world.players);
  double squares = 0;
  for (int run = 0; run < runs; ++run) {
    const NetworkSample sample = world.play(static_cast<std::uint64_t>(run) + 1000);
    std::vector<std::vector<double>> strata(1);
    for (const auto& s : sample.scores) strata[0].push_back(s.score);
    const Interval networks = network_interval(std::span(&sample, 1));
    const double error = normal_radius(strata[0]), off = std::fabs(networks.mean - truth);
    out.paper += off <= error ? 1.0 / runs : 0;
    out.networks += networks.low <= truth && truth <= networks.high ? 1.0 / runs : 0;
    out.radius += networks.radius() / runs;
    squares += off * off / runs;
  }
  out.needed = 1.96 * std::sqrt(squares);
  return out;
}

// For docs/results.
void tell(const World& world, const Coverage& rate) {
  const char* const names[] = {"same", "independent", "half", "nothing"};
  std::printf("roles %s, %d networks, %d seats: covers %.1f %%, radius %.3f, needed %.3f\n",
              names[static_cast<int>(world.roles)], world.networks, world.players,
              100 * rate.networks, rate.radius, rate.needed);
}

// Bounds with room for 400 runs: a coverage of 95 % shows between 92.5 and 97.5.
int runs() {
  return long_tests() ? 4000 : 400;
}

// Many networks take ten times as long as few: the short form plays them with three seats alone.
bool is_simulated(int networks, int players) {
  return long_tests() || networks < 30 || players == 3;
}

TEST(NetworkInterval, CoversWhereOneNetworkPlaysBothRoles) {
  NOT_UNDER_SANITIZERS();
  for (const int networks : {10, 30})
    for (const int players : {2, 3, 4}) {
      if (!is_simulated(networks, players)) continue;
      const World world{networks, players, Roles::same, 0.06, 0};
      const Coverage rate = coverage(world, runs());
      tell(world, rate);
      EXPECT_GE(rate.networks, 0.94) << networks << " " << players;
      EXPECT_LE(rate.radius, (networks == 30 ? 1.5 : 2.2) * rate.needed) << players;
    }
}

TEST(NetworkInterval, CoversWhereTheRolesAreIndependent) {
  NOT_UNDER_SANITIZERS();
  for (const int networks : {10, 30})
    for (const int players : {2, 3, 4}) {
      if (!is_simulated(networks, players)) continue;
      const World world{networks, players, Roles::independent, 0.08, 0};
      const Coverage rate = coverage(world, runs());
      tell(world, rate);
      EXPECT_GE(rate.networks, 0.90) << networks << " " << players;
      EXPECT_LE(rate.networks, 0.99) << networks << " " << players;
      EXPECT_LE(rate.radius, 1.4 * rate.needed) << networks << " " << players;
      EXPECT_LT(rate.paper, networks == 30 ? 0.75 : 0.9) << "matches are not independent";
    }
}

TEST(NetworkInterval, CoversInBetweenWithoutEffectsAndUnfinished) {
  NOT_UNDER_SANITIZERS();
  const int networks = long_tests() ? 30 : 12;
  EXPECT_GE(coverage({networks, 3, Roles::half, 0.06, 0}, 400).networks, 0.90);
  EXPECT_GE(coverage({networks, 4, Roles::nothing, 0, 0}, 400).networks, 0.94);
  for (const Roles roles : {Roles::same, Roles::independent})
    for (const int diagonals : {3, 10})
      EXPECT_GE(coverage({30, 3, roles, 0.06, diagonals}, 400).networks, 0.92) << diagonals;
}

TEST(NetworkInterval, ComponentsAreFound) {
  NOT_UNDER_SANITIZERS();
  double rows = 0, columns = 0, roles = 0;
  for (std::uint64_t run = 0; run < 400; ++run) {
    const NetworkVariance v = network_variance(World{12, 3, Roles::same, 0.1, 0}.play(run));
    rows += v.rows / 400;
    columns += v.columns / 400;
    roles += v.roles / 400;
  }
  const double a = 4 * 0.01 / 12;  // scores are twice chances: 4 * 0.1^2 over 12 networks
  EXPECT_NEAR(rows, a, 0.0005);
  EXPECT_NEAR(columns, a, 0.0005) << "two networks of half the effect each";
  EXPECT_NEAR(roles, -2 * a, 0.0008) << "what one gives the others take";
}

TEST(NetworkInterval, NotKnownFromOneNetwork) {
  const World world{1, 3, Roles::nothing, 0, 0};
  EXPECT_FALSE(network_interval(std::vector{world.play(1)}).known);
  const World two{2, 3, Roles::nothing, 0, 0};  // every column holds both networks
  EXPECT_FALSE(network_interval(std::vector{two.play(1)}).known);
  const World three{3, 3, Roles::nothing, 0, 0};
  EXPECT_TRUE(network_interval(std::vector{three.play(1)}).known);
  EXPECT_FALSE(network_interval(std::vector<NetworkSample>{}).known);
}

TEST(NetworkInterval, PoolsOverMatches) {
  const std::vector<NetworkSample> games{World{6, 3, Roles::same, 0.1, 0}.play(1),
                                         World{6, 4, Roles::same, 0.1, 0}.play(2)};
  double sum = 0, count = 0;
  for (const auto& game : games)
    for (const auto& s : game.scores) sum += s.score, count += 1;
  const Interval pooled = network_interval(games);
  EXPECT_NEAR(pooled.mean, sum / count, 1e-12);
  EXPECT_EQ(pooled, network_interval(games));
}

TEST(NetworkInterval, TakesAnUnfinishedStudy) {
  NetworkSample sample = World{8, 3, Roles::same, 0.1, 0}.play(3);
  sample.scores.resize(sample.scores.size() / 2 + 1);
  const Interval interval = network_interval(std::span(&sample, 1));
  EXPECT_TRUE(interval.known);
  EXPECT_LT(interval.low, interval.mean);
  EXPECT_LT(interval.mean, interval.high);
}

TEST(Ranks, ThoseThatDifferStandApart) {
  const Interval clear{0.1, 0.05, 0.15, true}, open{0.02, -0.05, 0.09, true}, none{};
  const std::vector<std::vector<Interval>> differences{
      {none, open, clear, clear}, {none, none, open, clear}, {none, none, none, open}, {}};
  EXPECT_EQ(paired_ranks(differences), (std::vector<int>{1, 1, 2, 2}));
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
}  // namespace polymax::arena::statistics_test
