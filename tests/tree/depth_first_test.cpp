// What all depth-first searches promise whatever their rule: budgets, stops, memory, the same
// verdict again.
#include "tree/depth_first.hpp"

#include <chrono>
#include <thread>

#include "search/brs.hpp"
#include "search/brs_plus.hpp"
#include "search/maxn.hpp"
#include "search/paranoid.hpp"
#include "tests/search/depth_first_checks.hpp"

namespace polymax {
namespace {

using checks::Ground;
using namespace std::chrono_literals;

template <Game G>
void expect_same(const Verdict<G>& a, const Verdict<G>& b) {
  EXPECT_TRUE(a.best == b.best && a.value == b.value && a.pv == b.pv);
  EXPECT_TRUE(a.cost.evaluations == b.cost.evaluations && a.cost.nodes == b.cost.nodes &&
              a.cost.bytes == b.cost.bytes);
  EXPECT_TRUE(a.cost.depth == b.cost.depth && a.proof == b.proof);
  ASSERT_EQ(a.children.size(), b.children.size());
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    const auto &x = a.children[i], &y = b.children[i];
    EXPECT_TRUE(x.move == y.move && x.value == y.value && x.visits == y.visits &&
                x.resolved == y.resolved);
  }
}

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
        expect_same(S(ground.task()).think(ground.root, budget),
                    S(ground.task()).think(ground.root, budget));
      }
    }
  });
}

TEST(depth_first, StopsSoon) {
  Ground<hex::Rules> ground({11});
  const auto check = [&]<template <class> class Search>() {
    Search<hex::Rules> search(ground.task());
    std::stop_source source;
    Budget budget;
    budget.stop = source.get_token();
    std::chrono::steady_clock::time_point asked;
    std::jthread stopper([&] {
      std::this_thread::sleep_for(100ms);
      asked = std::chrono::steady_clock::now();
      source.request_stop();
    });
    const auto verdict = search.think(ground.root, budget);
    const auto answered = std::chrono::steady_clock::now();
    stopper.join();
    EXPECT_LT(answered - asked, 10s);  // however busy the machine
    EXPECT_GE(verdict.cost.depth, 1);
    EXPECT_EQ(verdict.children.size(), 121u);
    budget.seconds = 1e-6;
    EXPECT_EQ(search.think(ground.root, budget).cost.depth, 1);
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
}  // namespace polymax
