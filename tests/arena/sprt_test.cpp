// The sequential test: error rates by simulation, early ends, bad settings.
#include "arena/sprt.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/rng.hpp"
#include "tests/long_tests.hpp"

namespace polymax::arena::sprt_test {
namespace {

// Blocks of a three-seat rotation: three matches of +1 or -1 with a mean of `mean`.
double block(double mean, Rng& rng) {
  double sum = 0;
  for (int seat = 0; seat < 3; ++seat) sum += rng.uniform() < (mean + 1) / 2 ? 1.0 : -1.0;
  return sum / 3;
}

struct Outcome {
  double accepted = 0, rejected = 0, blocks = 0;
};

Outcome simulate(double mean, int runs) {
  Outcome out;
  for (int run = 0; run < runs; ++run) {
    Rng rng(static_cast<std::uint64_t>(run) + 5);
    Sprt test({.mean0 = -1.0 / 3, .mean1 = -0.2});
    while (test.state() == Sprt::State::open && test.blocks() < 20000) test.add(block(mean, rng));
    out.accepted += test.state() == Sprt::State::accepted ? 1.0 / runs : 0;
    out.rejected += test.state() == Sprt::State::rejected ? 1.0 / runs : 0;
    out.blocks += static_cast<double>(test.blocks()) / runs;
  }
  return out;
}

TEST(Sprt, KeepsItsErrorRates) {
  NOT_UNDER_SANITIZERS();
  const Outcome null = simulate(-1.0 / 3, 1500), better = simulate(-0.2, 1500);
  EXPECT_LE(null.accepted, 0.06);
  EXPECT_GE(null.rejected, 0.94);
  EXPECT_LE(better.rejected, 0.06);
  EXPECT_GE(better.accepted, 0.94);
}

TEST(Sprt, EndsSoonerWhenItIsClear) {
  NOT_UNDER_SANITIZERS();
  EXPECT_LT(simulate(0.4, 200).blocks, simulate(-0.2, 200).blocks / 3);
}

TEST(Sprt, ARunOfEqualResultsNeedsSomeBlocks) {
  Sprt test({.mean0 = 0, .mean1 = 0.1});
  for (int k = 0; k < 7; ++k) test.add(1);
  EXPECT_EQ(test.state(), Sprt::State::open);
  while (test.state() == Sprt::State::open && test.blocks() < 50) test.add(1);
  EXPECT_EQ(test.state(), Sprt::State::accepted);
}

TEST(Sprt, StaysDecided) {
  Sprt test({.mean0 = 0, .mean1 = 0.5});
  while (test.state() == Sprt::State::open) test.add(-0.5);
  EXPECT_EQ(test.state(), Sprt::State::rejected);
  for (int k = 0; k < 1000; ++k) test.add(1);
  EXPECT_EQ(test.state(), Sprt::State::rejected);
}

TEST(Sprt, SaysWhereItStands) {
  Sprt test({.mean0 = 0, .mean1 = 0.1});
  EXPECT_EQ(test.text(),
            "open, more matches are needed (mean 0.000 over 0 starts, log-likelihood ratio 0.00 of "
            "-2.94 to 2.94)");
  test.add(1.0 / 3);
  EXPECT_NE(test.text().find("mean 0.333 over 1 start,"), std::string::npos);
  Sprt better = test, worse = test;
  while (better.state() == Sprt::State::open) better.add(1);
  while (worse.state() == Sprt::State::open) worse.add(-1);
  EXPECT_TRUE(better.text().starts_with("its score is 0.1 or more rather than 0 (mean 0."));
  EXPECT_TRUE(worse.text().starts_with("its score is 0 or less rather than 0.1 (mean -0."));
}

TEST(Sprt, RefusesSettingsThatMakeNoTest) {
  EXPECT_THROW(Sprt({.mean0 = 0.1, .mean1 = 0.1}), Error);
  EXPECT_THROW(Sprt({.mean0 = -2, .mean1 = 0.1}), Error);
  EXPECT_THROW(Sprt({.mean0 = 0, .mean1 = 0.1, .alpha = 0}), Error);
  EXPECT_THROW(Sprt({.mean0 = 0, .mean1 = 0.1, .beta = 0.7}), Error);
  EXPECT_THROW(Sprt({.mean0 = 0, .mean1 = 0.1, .least_blocks = 0}), Error);
}

}  // namespace
}  // namespace polymax::arena::sprt_test
