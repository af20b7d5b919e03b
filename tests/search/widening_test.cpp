// Unbounded Max^n and Minimax with progressive widening: after every iteration the tree is that of
// the naive search; whatever the prior, what is resolved is right.
#include "tree/widening.hpp"

#include <gtest/gtest.h>

#include "eval/estimate.hpp"
#include "search/unbounded_maxn.hpp"
#include "search/unbounded_minimax.hpp"
#include "tests/search/best_first_checks.hpp"
#include "tests/search/knowing.hpp"
#include "tests/search/verdicts.hpp"

namespace polymax::widening_test {
namespace {

using tree_game::Payoffs;
using Trees = tree_game::Rules;
using Maxn = unbounded_maxn::Search<Trees>;
using Minimax = unbounded_minimax::Search<Trees>;

tree_game::Options tree_of(int seed, int branching, bool shared) {
  return {.seats = 2 + seed % 3,
          .depth = 2 + seed % 4,
          .branching = branching,
          .seed = seed,
          .payoffs = static_cast<Payoffs>(seed % 4),
          .turns_in_order = seed % 2 == 0,
          .shared = shared,
          .scores = 1 + seed % 4,
          .early = seed % 7 < 4 ? 0 : 6};
}

struct Setting {
  bool coalition = false, refresh = true, shared = true;
};

void compare(int seed, const Setting& setting) {
  const Trees game(tree_of(seed, 2 + seed % 6, setting.shared));
  Knowing eval(game);
  const int width = 1 + seed % 3;
  const double rate = 0.5 * (seed % 4);
  BestFirst<Trees> tree({&game, Points::score, eval, 0}, {.coalition = setting.coalition,
                                                          .refresh = setting.refresh,
                                                          .widen = width,
                                                          .widen_rate = rate});
  naive::BestFirst oracle(game);
  oracle.refresh = setting.refresh;
  if (setting.coalition) oracle.view = game.to_move({});
  oracle.widen = width;
  oracle.rate = rate;
  oracle.prior = [&](std::uint32_t s) { return eval.prior(s); };
  ASSERT_NO_FATAL_FAILURE(expect_same_lines(tree, oracle, game.players())) << "seed " << seed;
}

void compare_all(const Setting& setting) {
  for (int seed = 0; seed < 600; ++seed) ASSERT_NO_FATAL_FAILURE(compare(seed, setting));
}

TEST(widening, IsItsDefinitionOnTrees) {
  compare_all({.shared = false});
}
TEST(widening, IsItsDefinitionOnGraphs) {
  compare_all({});
}
TEST(widening, IsItsDefinitionWithoutRefresh) {
  compare_all({.refresh = false});
}
TEST(widening, IsItsDefinitionAgainstACoalition) {
  compare_all({.coalition = true});
}

// So many that none are left out: the search without widening, to the last evaluation.
TEST(widening, ToAllChildrenIsThePlainSearch) {
  for (int seed = 0; seed < 500; ++seed) {
    const Trees game(tree_of(seed, 5, seed % 2 == 0));
    Knowing eval(game);
    const Task<Trees> task{&game, Points::score, eval, 0};
    const auto decision = seed % 3 == 0 ? Decision::best : Decision::safe;
    Maxn plain(task, {.decision = decision}), wide(task, {.decision = decision, .widen = 5});
    const auto budget = evaluations(static_cast<std::uint64_t>(3 + seed % 50));
    const auto a = plain.think({}, budget), b = wide.think({}, budget);
    ASSERT_TRUE(say_the_same(a, b)) << seed;
    ASSERT_EQ(a.cost.evaluations, b.cost.evaluations) << seed;
  }
}

TEST(widening, IsTheSameOneByOneAndAgain) {
  for (int seed = 0; seed < 200; ++seed) {
    const Trees game(tree_of(seed, 8, true));
    Knowing eval(game);
    const Task<Trees> task{&game, Points::score, eval, 0};
    Maxn a(task, {.widen = 2}), b(task, {.batch = false, .widen = 2});
    const auto budget = evaluations(60);
    ASSERT_TRUE(same(a.think({}, budget), b.think({}, budget))) << seed;
  }
}

// The best moves come last: they are found all the same, and nothing is called resolved before.
TEST(widening, SolvesRightlyWhateverThePrior) {
  for (int seed = 0; seed < 3000; ++seed) {
    const Trees game(tree_of(seed, 3 + seed % 4, seed % 3 == 0));
    Knowing eval(game, seed % 2 == 0 ? Knowing::Prior::hostile : Knowing::Prior::random);
    Maxn search({&game, Points::gain, eval, 0},
                {.refresh = seed % 5 != 0, .widen = 1 + seed % 2, .widen_rate = 0.3});
    const auto verdict = search.think({}, {});
    ASSERT_EQ(verdict.proof, Proof::exact) << seed;
    ASSERT_NO_FATAL_FAILURE(expect_solved(search, game)) << seed;
  }
}

TEST(widening, SolvesTheGameAgainstACoalition) {
  for (int seed = 0; seed < 1000; ++seed) {
    const Trees game(tree_of(seed, 4, seed % 3 == 0));
    Knowing eval(game, Knowing::Prior::hostile);
    Minimax search({&game, Points::gain, eval, 0}, {.widen = 1});
    const auto verdict = search.think({}, {});
    const int view = game.to_move({});
    ASSERT_EQ(verdict.proof, Proof::exact);
    ASSERT_EQ(verdict.value[view], against_all(game, 0, view)) << seed;
  }
}

// The prior of a position comes with its valuation: only the root is valued for its prior alone.
TEST(widening, ValuesNoPositionTwice) {
  for (int seed = 0; seed < 200; ++seed) {
    const Trees game(tree_of(seed, 9, false));
    Knowing eval(game);
    Maxn search({&game, Points::score, eval, 0}, {.widen = 2});
    const auto verdict = search.think({}, evaluations(80));
    std::uint64_t sum = 0;
    for (const auto& [position, times] : eval.valued) {
      ASSERT_EQ(times, 1) << position;
      sum += static_cast<std::uint64_t>(times);
    }
    ASSERT_EQ(verdict.cost.evaluations, sum);
  }
}

TEST(widening, SaysWhichMovesWereNotValued) {
  int unseen = 0;
  for (int seed = 0; seed < 200; ++seed) {
    const Trees game(tree_of(seed, 9, false));
    Knowing eval(game);
    Maxn search({&game, Points::score, eval, 0}, {.widen = 2});
    const auto verdict = search.think({}, evaluations(5));
    const int mover = game.to_move({});
    float worst = verdict.value[mover];
    for (const auto& child : verdict.children)
      if (!child.bound) worst = std::min(worst, child.value[mover]);
    for (const auto& child : verdict.children) {
      if (!child.bound) continue;
      ++unseen;
      EXPECT_EQ(child.visits, 0u);
      EXPECT_FALSE(child.resolved);
      EXPECT_NE(child.move, verdict.best);
      EXPECT_LE(child.value[mover], worst);
    }
  }
  EXPECT_GT(unseen, 100);
}

TEST(widening, GoesOnWithLittleMemory) {
  const Trees game({.depth = 12, .branching = 6, .seed = 4, .early = 0});
  Knowing eval(game);
  Maxn search({&game, Points::score, eval, 0}, {.memory = 1, .widen = 2});
  const auto verdict = search.think({}, evaluations(40000));
  EXPECT_LE(verdict.cost.bytes, 1u << 20);
  EXPECT_TRUE(verdict.proof != Proof::none || verdict.cost.evaluations >= 40000);
}

TEST(widening, NeedsAnEvaluatorThatKnowsTheMoves) {
  const Trees game;
  estimate::Eval<Trees> eval({&game, Points::score, 0});
  EXPECT_THROW(Maxn({&game, Points::score, eval, 0}, {.widen = 2}), Error);
}

}  // namespace
}  // namespace polymax::widening_test
