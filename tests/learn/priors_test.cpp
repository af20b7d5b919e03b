// What is taught of moves: shares against their definition, many children, recall, batches.
#include "learn/priors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"

namespace polymax::learn::priors_test {
namespace {

std::vector<ValuedPlace> children(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<ValuedPlace> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back({static_cast<std::uint16_t>(7 * i), static_cast<float>(4 * rng.uniform())});
  return out;
}

std::map<std::uint16_t, double> softmax(const std::vector<ValuedPlace>& of, float scale) {
  std::map<std::uint16_t, double> out;
  double sum = 0;
  for (const auto& child : of)
    sum += out[child.place] = std::exp(static_cast<double>(child.value / scale));
  for (auto& [place, share] : out) share /= sum;
  return out;
}

TEST(priors, FewChildrenAreAllKept) {
  Rng rng(1);
  auto given = children(64, 2);
  const auto wanted = softmax(given, 0.7f);
  Priors priors;
  priors.add(given, 0.7f, rng);
  priors.add({}, 0.7f, rng);
  priors.check(2);
  PriorBatch batch;
  batch.add(priors, 0);
  ASSERT_EQ(batch.places.size(), TrainingPriors::kChildren);
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_NEAR(batch.shares[i], wanted.at(batch.places[i]), 1e-4);
    EXPECT_EQ(batch.weights[i], 1);
  }
  batch.add(priors, 1);
  for (std::size_t i = 64; i < 128; ++i) EXPECT_EQ(batch.weights[i] + batch.shares[i], 0);
}

// The best are there with their own shares; the drawn ones stand for all others and share what
// these have; each of the others is drawn as often as any.
TEST(priors, OfManyChildrenTheBestAndSomeOthersAreKept) {
  const auto all = children(300, 3);
  const auto wanted = softmax(all, 1.0f);
  auto best = all;
  std::ranges::sort(best, std::ranges::greater(), &ValuedPlace::value);
  double others = 0;
  for (std::size_t i = Priors::kBest; i < best.size(); ++i) others += wanted.at(best[i].place);
  Rng rng(1);
  std::map<std::uint16_t, int> drawn;
  for (int round = 0; round < 2000; ++round) {
    auto given = all;
    Priors priors;
    priors.add(given, 1.0f, rng);
    priors.check(1);
    PriorBatch batch;
    batch.add(priors, 0);
    std::map<std::uint16_t, std::size_t> at;
    for (std::size_t i = 0; i < Priors::kMost; ++i) at[batch.places[i]] = i;
    ASSERT_EQ(at.size(), Priors::kMost) << "a child twice";
    double moves = 0;
    for (const float weight : batch.weights) moves += static_cast<double>(weight);
    ASSERT_NEAR(moves, 300, 1e-3);
    for (std::size_t i = 0; i < best.size(); ++i) {
      const auto found = at.find(best[i].place);
      ASSERT_TRUE(i >= Priors::kBest || found != at.end());
      if (found == at.end()) continue;
      const bool exact = i < Priors::kBest;
      ASSERT_NEAR(batch.shares[found->second], exact ? wanted.at(best[i].place) : others / 32,
                  1e-3);
      ASSERT_EQ(batch.weights[found->second] == 1, exact);
      if (!exact) ++drawn[best[i].place];
    }
  }
  EXPECT_EQ(drawn.size(), 300 - Priors::kBest);
  const double each = 2000.0 * 32 / 268;
  for (const auto& [place, times] : drawn) EXPECT_NEAR(times, each, 5 * std::sqrt(each));
}

TEST(priors, TheSpreadIsTheStandardDeviation) {
  const std::vector<ValuedPlace> given{{0, 1.0f}, {1, 3.0f}, {2, 5.0f}};
  EXPECT_NEAR(spread(given), std::sqrt(8.0 / 3), 1e-6);
  EXPECT_EQ(spread(std::span(given).first(1)), 0);
  EXPECT_EQ(spread({}), 0);
}

TEST(priors, WhatDoesNotFitIsRefused) {
  Rng rng(1);
  auto given = children(3, 1);
  Priors good;
  good.add(given, 1, rng);
  good.check(1);
  EXPECT_THROW(good.check(2), Error);
  Priors bad = good;
  bad.positions[0].end = 4;
  EXPECT_THROW(bad.check(1), Error);
  bad = good;
  bad.shares.pop_back();
  EXPECT_THROW(bad.check(1), Error);
  bad = good;
  bad.positions[0].drawn = 3;
  EXPECT_THROW(bad.check(1), Error) << "three drawn that stand for none";
  Priors().check(5);
}

TEST(recall, CountsWhereTheBestChildStands) {
  Recall out;
  const std::vector<float> values{1, 5, 2, 5, 0, 0, 0, 0, 0, 0};
  out.add(values, std::vector<float>{.1f, .2f, .15f, .4f, 0, 0, 0, 0, 0, 0});  // first
  out.add(values, std::vector<float>{.3f, .2f, .4f, .1f, 0, 0, 0, 0, 0, 0});   // third
  out.add(values, std::vector<float>(10, 0.1f));  // eight others are liked as much
  // nothing is lost but at the last one, where the first eight may be the worst: 5 - 2; the mean
  // child is worth 1.3
  EXPECT_NEAR(out.lost_mean, 3 * (5 - 1.3), 1e-12);
  EXPECT_EQ(out, (Recall{3, 1, 2, 2, 30, 3, out.lost_mean}));
  EXPECT_NEAR(out.mean(&Recall::lost8), 1, 1e-12);
  EXPECT_NEAR(out.share(&Recall::first4), 2.0 / 3, 1e-12);
  Recall twice = out;
  twice.add(out);
  EXPECT_EQ(twice, (Recall{6, 2, 4, 4, 60, 6, out.lost_mean * 2}));
}

}  // namespace
}  // namespace polymax::learn::priors_test
