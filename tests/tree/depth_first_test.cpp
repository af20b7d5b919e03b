// What all depth-first searches promise whatever their rule: budgets, stops, memory, the same
// verdict again.
#include "tree/depth_first.hpp"

#include "search/brs.hpp"
#include "search/brs_plus.hpp"
#include "search/maxn.hpp"
#include "search/paranoid.hpp"
#include "tests/search/depth_first_checks.hpp"
#include "tests/search/verdicts.hpp"

namespace polymax::depth_first_test {
namespace {

using checks::Ground;

// f.template operator()<Search>() for each of the four.
template <class F>
void each_search(F f) {
  f.template operator()<maxn::Search>();
  f.template operator()<paranoid::Search>();
  f.template operator()<brs::Search>();
  f.template operator()<brs_plus::Search>();
}

// With pruning the moves that are not the best carry upper bounds, and say so; all else is as
// without.
TEST(depth_first, MarksBounds) {
  int bounds = 0;
  for (int seed = 0; seed < 20; ++seed) {
    Ground<claim_game::Rules> ground({.seats = 3, .cells = 9, .seed = seed});
    Budget budget;
    budget.depth = 2 + seed % 3;
    using S = paranoid::Search<claim_game::Rules>;
    const auto pruned = S(ground.task()).think(ground.root, budget);
    paranoid::Params params;
    params.pruning = false;
    const auto full = S(ground.task(), params).think(ground.root, budget);
    const int mover = ground.game.to_move(ground.root);
    for (std::size_t i = 0; i < full.children.size(); ++i) {
      const auto &child = pruned.children[i], &exact = full.children[i];
      EXPECT_FALSE(exact.bound);
      bounds += child.bound ? 1 : 0;
      if (child.bound)
        EXPECT_TRUE(child.move != pruned.best && child.value[mover] >= exact.value[mover] &&
                    !child.resolved && child.value[mover] <= pruned.value[mover]);
      else
        EXPECT_EQ(child.value[mover], exact.value[mover]);
    }
  }
  EXPECT_GT(bounds, 50);
}

TEST(depth_first, GivesTheSameVerdictAgain) {
  Ground<claim_game::Rules> ground({.seats = 4, .cells = 11, .seed = 3});
  each_search([&]<template <class> class Search>() {
    for (const std::uint64_t count : {1, 77, 5000, 60000}) {
      Budget evaluations, nodes;
      evaluations.evaluations = count;
      nodes.nodes = count;
      for (const auto& budget : {evaluations, nodes}) {
        using S = Search<claim_game::Rules>;
        EXPECT_TRUE(same(S(ground.task()).think(ground.root, budget),
                         S(ground.task()).think(ground.root, budget)));
      }
    }
  });
}

// At once: of the first depth as many moves as were valued.
TEST(depth_first, StopsWhenAsked) {
  const hex::Rules game({11});
  const auto root = game.start(1);
  estimate::Eval<hex::Rules> estimates({&game, Points::depth, 0});
  Budget instant;
  instant.seconds = 1e-6;
  const auto check = [&]<template <class> class Search>() {
    for (const int at : {1, 2, 1000}) {
      Stopping eval(estimates, at);
      Search<hex::Rules> search({&game, Points::depth, eval, 1});
      const auto verdict = search.think(root, eval.budget());
      EXPECT_TRUE(eval.asked());
      EXPECT_EQ(eval.calls_after(), 0);
      EXPECT_GE(verdict.cost.depth, 1);
      EXPECT_EQ(verdict.children.size(), 121u);
      EXPECT_EQ(search.think(root, instant).cost.depth, 1);
    }
  };
  check.template operator()<maxn::Search>();
  check.template operator()<paranoid::Search>();
  check.template operator()<brs_plus::Search>();
}

TEST(depth_first, SolvesSmallGames) {
  Ground<tictactoe::Rules> noughts;
  Ground<hex::Rules> hex({3}, Points::gain);
  const auto check = [&]<template <class> class Search>() {
    const auto draw = Search<tictactoe::Rules>(noughts.task()).think(noughts.root, {});
    EXPECT_EQ(draw.proof, Proof::exact);
    EXPECT_TRUE(draw.value == Scores{});
    const auto win = Search<hex::Rules>(hex.task()).think(hex.root, {});
    EXPECT_EQ(win.proof, Proof::exact);
    EXPECT_TRUE(win.value == (Scores{{1, -1}}));
  };
  check.template operator()<maxn::Search>();
  check.template operator()<paranoid::Search>();
  check.template operator()<brs_plus::Search>();
}

// What is left out is not proven, even when every line was followed to its end.
TEST(depth_first, SaysSolvedOnlyOfTheWholeTree) {
  Ground<tictactoe::Rules> noughts;
  maxn::Params narrow;
  narrow.k = 2;
  const auto some = maxn::Search<tictactoe::Rules>(noughts.task(), narrow).think(noughts.root, {});
  EXPECT_EQ(some.proof, Proof::none);
  EXPECT_LE(some.cost.depth, 9);
  Ground<claim_game::Rules> claim({.seats = 3, .cells = 5});
  EXPECT_EQ(brs::Search<claim_game::Rules>(claim.task()).think(claim.root, {}).proof, Proof::none);
}

TEST(depth_first, StaysRightWhenMemoryIsShort) {
  Ground<hex::Rules> ground({4});
  Budget budget;
  budget.depth = 6;
  const auto check = [&]<template <class> class Search>() {
    typename Search<hex::Rules>::Params small, large;
    small.memory = 1;
    small.pruning = large.pruning = false;
    const auto a = Search<hex::Rules>(ground.task(), small).think(ground.root, budget);
    const auto b = Search<hex::Rules>(ground.task(), large).think(ground.root, budget);
    EXPECT_EQ(a.cost.bytes, 1u << 20) << "the limit is met";
    EXPECT_GT(b.cost.bytes, a.cost.bytes);
    EXPECT_LT(b.cost.bytes, 64u << 20) << "memory grows with need";
    EXPECT_TRUE(a.best == b.best && a.value == b.value && a.cost.depth == b.cost.depth);
  };
  check.template operator()<maxn::Search>();
  check.template operator()<paranoid::Search>();
}

TEST(depth_first, BatchesDoNotChangeWhatMaxnCounts) {
  Ground<hex::Rules> ground({5});
  Budget budget;
  budget.evaluations = 20000;
  maxn::Params single;
  single.batch = false;
  const auto a = maxn::Search<hex::Rules>(ground.task()).think(ground.root, budget);
  const auto b = maxn::Search<hex::Rules>(ground.task(), single).think(ground.root, budget);
  EXPECT_TRUE(a.cost.depth == b.cost.depth && a.cost.nodes == b.cost.nodes && a.value == b.value);
}

}  // namespace
}  // namespace polymax::depth_first_test
