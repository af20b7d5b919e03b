#include "tree/sample_bounds.hpp"

#include <gtest/gtest.h>

#include "eval/estimate.hpp"
#include "eval/zero.hpp"
#include "tests/search/tree_game.hpp"

namespace polymax::sample_bounds_test {
namespace {

using Tree = tree_game::Rules;

TEST(sample_bounds, IsThatOfThePositionsMet) {
  const Tree game({.depth = 6, .branching = 1, .seed = 4, .scores = 50});  // one match is possible
  float lo = 100, hi = -100;
  for (const auto& node : game.nodes())
    for (int p = 0; p < 3; ++p) {
      const float value = node.children.empty() ? node.score[p] : node.guess[p];
      lo = std::min(lo, value);
      hi = std::max(hi, value);
    }
  estimate::Eval<Tree> eval({&game, Points::score, 0});
  const Bounds range = sample_bounds<Tree>({&game, Points::score, eval, 1}, 5, Meter({}));
  EXPECT_EQ(range.lo, lo);
  EXPECT_EQ(range.hi, hi);
}

TEST(sample_bounds, GrowsWithTheMatchesAndFollowsTheSeed) {
  const Tree game({.depth = 8, .branching = 4, .seed = 4, .scores = 1000});
  estimate::Eval<Tree> eval({&game, Points::score, 0});
  const auto of = [&](int matches, std::uint64_t seed) {
    return sample_bounds<Tree>({&game, Points::score, eval, seed}, matches, Meter({}));
  };
  EXPECT_LE(of(16, 1).lo, of(1, 1).lo);
  EXPECT_GE(of(16, 1).hi, of(1, 1).hi);
  EXPECT_EQ(of(1, 1).lo, of(1, 1).lo);
  EXPECT_TRUE(of(1, 1).lo != of(1, 2).lo || of(1, 1).hi != of(1, 2).hi);
}

TEST(sample_bounds, StopsAfterOneMatchWhenAsked) {
  const Tree game({.depth = 8, .branching = 4, .seed = 4, .scores = 1000});
  estimate::Eval<Tree> eval({&game, Points::score, 0});
  std::stop_source source;
  source.request_stop();
  Budget budget;
  budget.stop = source.get_token();
  const Task<Tree> task{&game, Points::score, eval, 1};
  EXPECT_EQ(sample_bounds(task, 16, Meter(budget)).lo, sample_bounds(task, 1, Meter({})).lo);
}

}  // namespace
}  // namespace polymax::sample_bounds_test
