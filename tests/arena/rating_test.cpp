// Plackett-Luce ratings: closed forms, recovery of known strengths, ties, and players that win or
// lose everything.
#include "arena/rating.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "core/rng.hpp"
#include "tests/long_tests.hpp"

namespace polymax::arena::rating_test {
namespace {

TEST(Rating, TwoPlayersAreBradleyTerry) {
  std::vector<Placing> matches;
  for (int k = 0; k < 300; ++k) matches.push_back({{{0}, {1}}, true});
  for (int k = 0; k < 100; ++k) matches.push_back({{{1}, {0}}, true});
  const auto ratings = rate(2, matches, {.reference = 1, .prior = 1e-9});
  EXPECT_NEAR(ratings[0].strength, std::log(3.0), 1e-6);
  EXPECT_NEAR(ratings[0].error, std::sqrt(1.0 / 300 + 1.0 / 100), 1e-6);
  EXPECT_EQ(ratings[1].strength, 0);
  EXPECT_EQ(ratings[1].error, 0);
  EXPECT_NEAR(ratings[0].elo(), 400 * std::log10(3.0), 1e-4);
  EXPECT_EQ(ratings[0].matches, 400);
  EXPECT_TRUE(ratings[0].measured);
}

TEST(Rating, CountsEqualMatchesTogether) {
  std::vector<Placing> one_by_one(3, Placing{{{0}, {1}}, true});
  one_by_one.push_back({{{1}, {0}}, true});
  const std::vector<Placing> counted{{{{0}, {1}}, true, 3}, {{{1}, {0}}, true, 1}};
  const auto a = rate(2, one_by_one), b = rate(2, counted);
  EXPECT_DOUBLE_EQ(a[0].strength, b[0].strength);
  EXPECT_DOUBLE_EQ(a[0].error, b[0].error);
  EXPECT_EQ(b[0].matches, 4);
}

TEST(Rating, OneAgainstCopiesOfTheReference) {
  // Wins half its matches against two copies: twice the odds of one copy.
  std::vector<Placing> matches;
  for (int k = 0; k < 200; ++k) matches.push_back({{{1}, {0, 0}}, true});
  for (int k = 0; k < 200; ++k) matches.push_back({{{0}, {0, 1}}, true});
  const auto ratings = rate(2, matches, {.reference = 0, .prior = 1e-9});
  EXPECT_NEAR(ratings[1].strength, std::log(2.0), 1e-6);
}

// Draws a winner of three, or a tie of two, by the model itself.
Placing simulate(const std::vector<double>& strength, double tie, Rng& rng) {
  std::vector<std::vector<int>> groups{{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}};
  std::vector<double> odds;
  double sum = 0;
  for (const auto& group : groups) {
    double mean = 0;
    for (int p : group)
      mean += strength[static_cast<std::size_t>(p)] / static_cast<double>(group.size());
    odds.push_back((group.size() > 1 ? tie : 1) * std::exp(mean));
    sum += odds.back();
  }
  double at = rng.uniform() * sum;
  std::size_t k = 0;
  while (k + 1 < odds.size() && (at -= odds[k]) > 0) ++k;
  std::vector<int> rest;
  for (int p = 0; p < 3; ++p)
    if (std::find(groups[k].begin(), groups[k].end(), p) == groups[k].end()) rest.push_back(p);
  return {{groups[k], rest}, true};
}

TEST(Rating, RecoversStrengthsAndErrorsWithTies) {
  NOT_UNDER_SANITIZERS();
  const std::vector<double> truth{0, 0.7, -0.4};
  int inside = 0, runs = 200;
  for (int run = 0; run < runs; ++run) {
    Rng rng(static_cast<std::uint64_t>(run));
    std::vector<Placing> matches;
    for (int k = 0; k < 300; ++k) matches.push_back(simulate(truth, 0.4, rng));
    const auto ratings = rate(3, matches, {.reference = 0});
    for (std::size_t p : {1u, 2u})
      inside += std::fabs(ratings[p].strength - truth[p]) < 1.96 * ratings[p].error ? 1 : 0;
  }
  EXPECT_GE(inside, 0.93 * 2 * runs);
  EXPECT_LE(inside, 0.97 * 2 * runs);
}

TEST(Rating, WinningEverythingIsFiniteAndSaysSo) {
  std::vector<Placing> matches;
  for (int k = 0; k < 50; ++k) matches.push_back({{{0}, {1, 2}}, true});
  for (int k = 0; k < 20; ++k) matches.push_back({{{1}, {2}}, true});
  for (int k = 0; k < 20; ++k) matches.push_back({{{2}, {1}}, true});
  const auto ratings = rate(3, matches, {.reference = 1});
  EXPECT_TRUE(std::isfinite(ratings[0].strength));
  EXPECT_GT(ratings[0].strength, 2);
  EXPECT_GT(ratings[0].error, 1);  // the data say only: much better
  EXPECT_FALSE(ratings[0].measured);
  EXPECT_TRUE(ratings[1].measured);
  EXPECT_TRUE(ratings[2].measured);
}

TEST(Rating, LosingEverythingAndNoMatches) {
  std::vector<Placing> matches(30, Placing{{{0}, {1}}, true});
  const auto lost = rate(3, matches, {.reference = 0});
  EXPECT_LT(lost[1].strength, -2);
  EXPECT_FALSE(lost[1].measured);
  EXPECT_FALSE(lost[2].measured);
  EXPECT_EQ(lost[2].matches, 0);
  const auto nothing = rate(2, {}, {});
  EXPECT_EQ(nothing[0].strength, 0);
  EXPECT_FALSE(nothing[0].measured);
}

TEST(Rating, CommonDrawsPullTogether) {
  std::vector<Placing> wins(10, Placing{{{0}, {1}}, true}), mixed = wins;
  mixed.insert(mixed.end(), 30, Placing{{{0, 1}}, false});
  mixed.insert(mixed.end(), 1, Placing{{{1}, {0}}, true});
  wins.insert(wins.end(), 1, Placing{{{1}, {0}}, true});
  EXPECT_LT(rate(2, mixed)[0].strength, rate(2, wins)[0].strength);
  EXPECT_NEAR(rate(2, mixed)[0].strength + rate(2, mixed)[1].strength, 0,
              1e-9);  // no reference: the mean is 0
}

TEST(Rating, PlacingFromGains) {
  const std::vector<int> players{4, 5, 6};
  const auto win = placing_of(players, std::vector<float>{-1, 1, -1});
  EXPECT_EQ(win.groups, (std::vector<std::vector<int>>{{5}, {4, 6}}));
  EXPECT_TRUE(win.rest_open);
  const auto draw = placing_of(players, std::vector<float>{0, 0, 0});
  EXPECT_EQ(draw.groups, (std::vector<std::vector<int>>{{4, 5, 6}}));
  EXPECT_FALSE(draw.rest_open);
  const auto joint = placing_of(players, std::vector<float>{1, 1, -1});
  EXPECT_EQ(joint.groups, (std::vector<std::vector<int>>{{4, 5}, {6}}));
}

TEST(Rating, RefusesUnknownPlayers) {
  const std::vector<Placing> matches{{{{0}, {2}}, true}};
  EXPECT_THROW(rate(2, matches), Error);
}

}  // namespace
}  // namespace polymax::arena::rating_test
