// Random numbers: the published sequences, and that they are uniform.
#include "core/rng.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

namespace polymax::rng_test {
namespace {

// The first outputs of SplitMix64 seeded with 1234567.
TEST(rng, MixIsSplitMix64) {
  constexpr std::array<std::uint64_t, 5> kExpected{6457827717110365317u, 3203168211198807973u,
                                                   9817491932198370423u, 4593380528125082431u,
                                                   16408922859458223821u};
  for (std::size_t i = 0; i < kExpected.size(); ++i)
    EXPECT_EQ(mix64(1234567 + i * 0x9e3779b97f4a7c15u), kExpected[i]);
}

// From a second implementation of xoshiro256++ seeded by SplitMix64, written from the papers.
// Records and golden files depend on these numbers: they never change.
TEST(rng, TheSequenceIsFixed) {
  const std::map<std::uint64_t, std::array<std::uint64_t, 6>> expected{
      {0,
       {0x53175d61490b23df, 0x61da6f3dc380d507, 0x5c0fdf91ec9a7bfc, 0x02eebf8c3bbe5e1a,
        0x7eca04ebaf4a5eea, 0x0543c37757f08d9a}},
      {1,
       {0xcfc5d07f6f03c29b, 0xbf424132963fe08d, 0x19a37d5757aaf520, 0xbf08119f05cd56d6,
        0x2f47184b86186fa4, 0x97299fcae7202345}},
      {2024,
       {0x8641253f8fed82d1, 0x4b7eeec62af66af9, 0x3e595fe9cf746b2a, 0x6bf1aa430346476c,
        0xbf8964d6922c13c4, 0xceecac21bb20bc65}},
      {~0ull,
       {0x56ccf8ce948e27b2, 0xe68588432e5a5b90, 0xe3e9b5a48119ca8b, 0x460f19495532ae73,
        0xa7d62040ea9263e1, 0x66f1fb2ac9402c14}}};
  for (const auto& [seed, numbers] : expected) {
    Rng rng(seed);
    for (const auto number : numbers) EXPECT_EQ(rng.next(), number) << "seed " << seed;
  }
}

TEST(rng, BelowUniformAndShuffleAreFixed) {
  Rng rng(7);
  for (const std::uint32_t number : {5, 17, 71, 42, 96, 46, 72, 32, 98, 7, 11, 17})
    EXPECT_EQ(rng.below(100), number);
  Rng again(7);
  EXPECT_EQ(again.uniform(), 0.05536043647833311);
  EXPECT_EQ(again.uniform(), 0.17211585444811772);
  std::vector<int> items(10);
  std::iota(items.begin(), items.end(), 0);
  Rng(7).shuffle(std::span(items));
  EXPECT_EQ(items, (std::vector{3, 8, 9, 4, 6, 7, 2, 5, 1, 0}));
}

TEST(rng, ACopyGoesOnTheSame) {
  Rng a(5);
  a.next();
  Rng b = a;
  EXPECT_TRUE(a == b);
  EXPECT_EQ(a.next(), b.next());
  b.next();
  EXPECT_FALSE(a == b);
}

// Chi-squared with k-1 degrees of freedom stays within 5 standard deviations of its mean.
void expect_uniform(const std::vector<int>& counts) {
  const double mean =
      std::accumulate(counts.begin(), counts.end(), 0.0) / static_cast<double>(counts.size());
  double chi2 = 0;
  for (const int n : counts) chi2 += (n - mean) * (n - mean) / mean;
  const auto freedom = static_cast<double>(counts.size() - 1);
  EXPECT_NEAR(chi2, freedom, 5 * std::sqrt(2 * freedom));
}

TEST(rng, BelowIsUniform) {
  Rng rng(11);
  for (const std::uint32_t n : {2u, 3u, 7u, 60u, 127u, 1000u}) {
    std::vector<int> counts(n);
    for (int i = 0; i < 200000; ++i) {
      const auto x = rng.below(n);
      ASSERT_LT(x, n);
      ++counts[x];
    }
    expect_uniform(counts);
  }
  for (int i = 0; i < 100; ++i) EXPECT_EQ(rng.below(1), 0u);
  std::uint32_t largest = 0;
  for (int i = 0; i < 1000; ++i) largest = std::max(largest, rng.below(~0u));
  EXPECT_GT(largest, 0xf0000000u);
}

TEST(rng, UniformIsUniform) {
  Rng rng(12);
  std::vector<int> counts(100);
  for (int i = 0; i < 200000; ++i) {
    const double x = rng.uniform();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    ++counts[static_cast<std::size_t>(100 * x)];
  }
  expect_uniform(counts);
}

TEST(rng, EveryBitIsFair) {
  Rng rng(13);
  std::array<int, 64> ones{};
  constexpr int kRounds = 40000;
  for (int i = 0; i < kRounds; ++i) {
    const auto x = rng.next();
    for (std::size_t b = 0; b < 64; ++b) ones[b] += static_cast<int>(x >> b & 1);
  }
  for (const int n : ones) EXPECT_NEAR(n, kRounds / 2, 5 * 100);
}

TEST(rng, EveryOrderIsAsLikely) {
  Rng rng(14);
  std::map<std::array<int, 4>, int> seen;
  for (int i = 0; i < 48000; ++i) {
    std::array items{0, 1, 2, 3};
    rng.shuffle(std::span<int>(items));
    ++seen[items];
  }
  ASSERT_EQ(seen.size(), 24u);
  std::vector<int> counts;
  for (const auto& [order, n] : seen) counts.push_back(n);
  expect_uniform(counts);
}

TEST(rng, ShuffleOfNothingAndOfOne) {
  Rng rng(15), same(15);
  std::vector<int> none, one{3};
  rng.shuffle(std::span(none));
  rng.shuffle(std::span(one));
  EXPECT_EQ(one, std::vector{3});
  EXPECT_TRUE(rng == same) << "nothing was drawn";
}

}  // namespace
}  // namespace polymax::rng_test
