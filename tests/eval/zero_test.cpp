#include "eval/zero.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/search/tree_game.hpp"

namespace polymax::zero_test {
namespace {

TEST(zero, IsZeroForEverybody) {
  const tree_game::Rules game;
  zero::Eval<tree_game::Rules> eval({&game, Points::score, 0});
  const std::vector<tree_game::Rules::State> states(3);
  std::vector<Scores> out(3, all_seats(4, 9));
  EvaluatorRef<tree_game::Rules> ref(eval);
  ref.evaluate(states, out);
  EXPECT_EQ(out, std::vector<Scores>(3));
  EXPECT_FALSE(ref.samples());
}

}  // namespace
}  // namespace polymax::zero_test
