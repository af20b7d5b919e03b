// The game's guess as it is for scores; squeezed into -1..1, order kept, for gains; scaled by the
// moves left for depth.
#include "eval/estimate.hpp"

#include <gtest/gtest.h>

#include "tests/search/tree_game.hpp"

namespace polymax::estimate_test {
namespace {

using Tree = tree_game::Rules;

Scores value(const Tree& game, Points points, Tree::State state = {}) {
  estimate::Eval<Tree> eval({&game, points, 0});
  return EvaluatorRef<Tree>(eval).evaluate(state);
}

TEST(estimate, IsTheGuessWhenScoresCount) {
  for (int seed = 0; seed < 20; ++seed) {
    const Tree game({.seed = seed});
    EXPECT_EQ(value(game, Points::score), game.node({}).guess);
  }
}

TEST(estimate, KeepsTheOrderOfSeatsAsGain) {
  for (int seed = 0; seed < 200; ++seed) {
    const Tree game({.seats = 2 + seed % 3, .seed = seed});
    const Scores guess = game.node({}).guess, gain = value(game, Points::gain);
    for (int p = 0; p < game.players(); ++p) {
      EXPECT_GT(gain[p], -1);
      EXPECT_LT(gain[p], 1);
      for (int q = 0; q < game.players(); ++q) {
        EXPECT_EQ(guess[p] < guess[q], gain[p] < gain[q]);
      }
    }
    for (int p = game.players(); p < kMaxPlayers; ++p) EXPECT_EQ(gain[p], 0);
  }
}

TEST(estimate, IsFairBetweenTwoSeats) {
  const Tree game({.seats = 2, .seed = 3, .payoffs = tree_game::Payoffs::zero_sum});
  const Scores gain = value(game, Points::gain);
  EXPECT_EQ(gain[0], -gain[1]);
}

TEST(estimate, CountsHalfTheMovesLeftAsDepth) {
  const Tree game({.depth = 8, .branching = 1, .seed = 2});
  const Scores gain = value(game, Points::gain), depth = value(game, Points::depth);
  for (int p = 0; p < 3; ++p) EXPECT_FLOAT_EQ(depth[p], gain[p] * 5);
}

}  // namespace
}  // namespace polymax::estimate_test
