// UCT with several threads on one tree: every visit counts, errors and requests to stop reach all
// of them.
#include <gtest/gtest.h>

#include <atomic>

#include "core/error.hpp"
#include "eval/playouts.hpp"
#include "games/hex.hpp"
#include "search/mcts.hpp"
#include "tests/search/mcts_checks.hpp"
#include "tests/search/tree_game.hpp"

namespace polymax::mcts_threads_test {
namespace {

using Tree = tree_game::Rules;

// Each of the other threads has at most begun one simulation more.
TEST(mcts_threads, StopsWhenAsked) {
  const hex::Rules game;
  playouts::Eval<hex::Rules> playouts({&game, Points::depth, 1});
  for (const int threads : {1, 2, 4}) {
    Stopping eval(playouts, 300);
    mcts::Search<hex::Rules> search({&game, Points::depth, eval, 1}, {.threads = threads});
    const Budget budget = eval.budget();
    const auto verdict = search.think(game.start(0), budget);
    EXPECT_TRUE(eval.asked());
    EXPECT_LE(eval.calls_after(), threads - 1);
    EXPECT_EQ(visits_of(verdict), verdict.cost.evaluations);
    auto later = game.start(0);
    game.play(later, verdict.best);
    const auto none = search.think(later, budget);
    EXPECT_EQ(none.cost.evaluations, 0u);
    EXPECT_EQ(none.pv.size(), 1u);
  }
}

TEST(mcts_threads, CountsEveryVisitOfEveryThread) {
  const hex::Rules game({.n = 5});
  for (const int threads : {2, 3, 4}) {
    playouts::Eval<hex::Rules> eval({&game, Points::depth, 1});
    mcts::Search<hex::Rules> search({&game, Points::depth, eval, 1},
                                    {.table = threads == 3, .threads = threads});
    const auto verdict = search.think(game.start(0), evaluations(5000));
    EXPECT_EQ(verdict.cost.evaluations, 5000u);
    EXPECT_EQ(visits_of(verdict), 5000u);
    for (const auto& child : verdict.children) EXPECT_NEAR(child.value[0], -child.value[1], 1e-6);
  }
}

TEST(mcts_threads, IsExactOnForcedTreesWithThreads) {
  const Tree game({.depth = 6, .branching = 1, .seed = 3});
  playouts::Eval<Tree> eval({&game, Points::score, 1});
  const auto verdict = mcts::Search<Tree>({&game, Points::score, eval, 1}, {.threads = 4})
                           .think({}, evaluations(2000));
  EXPECT_EQ(visits_of(verdict), 2000u);
  EXPECT_EQ(std::ranges::count(verdict.value.seats, 1.0f), 1);
}

struct Failing {
  std::atomic<int> left{100};
  void evaluate(std::span<const Tree::State>, std::span<Scores>) {
    if (--left == 0) throw Error("broken");
  }
};

TEST(mcts_threads, PassesOnErrorsAndGoesOnAfterwards) {
  const Tree game({.depth = 12, .branching = 4, .seed = 3});
  for (const int threads : {1, 3}) {
    Failing eval;
    mcts::Search<Tree> search({&game, Points::score, EvaluatorRef<Tree>(eval), 1},
                              {.lo = -5, .hi = 5, .threads = threads});
    EXPECT_THROW(search.think({}, evaluations(1000)), Error);
    EXPECT_EQ(visits_of(search.think({}, evaluations(300))), 300u);
  }
}

TEST(mcts_threads, MeasuresItsBoundsAgainAfterAnError) {
  const Tree game({.depth = 12, .branching = 4, .seed = 3});
  Failing eval;
  eval.left = 1;
  mcts::Search<Tree> search({&game, Points::score, EvaluatorRef<Tree>(eval), 1}, {});
  EXPECT_THROW(search.think({}, evaluations(300)), Error);
  const auto verdict = search.think({}, evaluations(300));
  EXPECT_EQ(visits_of(verdict), 300u);
  for (int p = 0; p < game.players(); ++p) EXPECT_TRUE(std::isfinite(verdict.value[p]));
}

}  // namespace
}  // namespace polymax::mcts_threads_test
