// Several threads on one tree whose network knows the moves.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "search/mcts.hpp"
#include "search/unbounded_maxn.hpp"
#include "tests/search/best_first_checks.hpp"
#include "tests/search/knowing.hpp"
#include "tests/search/mcts_checks.hpp"

namespace polymax::priors_threads_test {
namespace {

using tree_game::Payoffs;
using Trees = tree_game::Rules;
using Maxn = unbounded_maxn::Search<Trees>;

TEST(widening, SolvesRightlyWithThreads) {
  for (int seed = 0; seed < 40; ++seed) {
    const Trees game({.seats = 3,
                      .depth = 5,
                      .branching = 5,
                      .seed = seed,
                      .payoffs = Payoffs::joint_wins,
                      .shared = seed % 3 == 0});
    Knowing eval(game, Knowing::Prior::hostile);
    Maxn search({&game, Points::gain, eval, 0}, {.threads = 4, .widen = 1});
    search.think({}, {});
    ASSERT_NO_FATAL_FAILURE(expect_solved(search, game)) << seed;
  }
}

// An evaluator that fails leaves a tree that can be searched on.
TEST(widening, GoesOnAfterAFailure) {
  int failed = 0;
  for (int seed = 0; seed < 60; ++seed) {
    const Trees game({.depth = 5, .branching = 5, .seed = seed});
    Knowing eval(game, Knowing::Prior::hostile);
    eval.fail_at = 2 + seed % 20;
    Maxn search({&game, Points::gain, eval, 0}, {.threads = 1 + seed % 3, .widen = 1});
    try {
      search.think({}, {});
    } catch (const Error&) {
      ++failed;
      search.think({}, {});
    }
    ASSERT_NO_FATAL_FAILURE(expect_solved(search, game)) << seed;
  }
  EXPECT_GT(failed, 30);
}

TEST(puct, SpendsTheSameWithThreads) {
  const Trees game({.depth = 9, .branching = 5, .seed = 6, .early = 0});
  Knowing eval(game);
  for (const bool table : {false, true}) {
    const mcts::Params params{
        .select = mcts::Select::puct, .lo = -8, .hi = 8, .table = table, .threads = 4};
    const auto verdict =
        mcts::Search<Trees>({&game, Points::score, eval, 1}, params).think({}, evaluations(5000));
    EXPECT_EQ(visits_of(verdict), 4999u);
  }
}

}  // namespace
}  // namespace polymax::priors_threads_test
