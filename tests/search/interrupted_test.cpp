// A search that is interrupted does not wait until all children of a position are valued. Of a
// root it answers with the best of those that were; elsewhere what it had begun leaves no trace.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stop_token>

#include "core/clock.hpp"
#include "eval/estimate.hpp"
#include "games/hex.hpp"
#include "search/brs_plus.hpp"
#include "search/descent.hpp"
#include "search/greedy.hpp"
#include "search/maxn.hpp"
#include "search/paranoid.hpp"
#include "search/unbounded_maxn.hpp"
#include "search/unbounded_minimax.hpp"
#include "tests/search/knowing.hpp"
#include "tests/search/verdicts.hpp"

namespace polymax::interrupted_test {
namespace {

using Rules = hex::Rules;
using Trees = tree_game::Rules;

// Positions, when the evaluator is as slow as this one.
constexpr std::size_t kFirstSlice = 16, kSlice = 8;
constexpr std::size_t kThreeSlices = kFirstSlice + 2 * kSlice;

// Another evaluator that takes its time, so that slices are as small as they can be, and asks for
// a stop when it is called for the `stops_at`th time.
template <class Eval>
class Slow {
 public:
  explicit Slow(Eval& eval) : eval_(eval) {}

  template <class State>
  void evaluate(std::span<const State> states, std::span<Scores> out) {
    eval_.evaluate(states, out);
    spend(states.size());
  }
  template <class State>
  void evaluate(std::span<const State> states, std::span<Scores> out, MovePriors& priors) {
    eval_.evaluate(states, out, priors);
    spend(states.size());
  }
  bool knows_moves() const requires requires(const Eval e) { e.knows_moves(); }
  { return true; }

  Budget stopping_at(int call) {
    calls = 0;
    stops_at = call;
    stop = {};
    Budget out;
    out.stop = stop.get_token();
    return out;
  }

  int calls = 0, stops_at = -1;
  std::size_t positions = 0;
  std::stop_source stop;

 private:
  void spend(std::size_t count) {
    positions += count;
    const double until = thread_cpu_seconds() + 0.0005 * static_cast<double>(count);
    while (thread_cpu_seconds() < until) {
    }
    if (++calls == stops_at) stop.request_stop();
  }

  Eval& eval_;
};

// Hex with 49 cells and one stone, so that moves differ.
struct Ground {
  Ground() { game.play(root, {17}); }

  const Rules game{{.n = 7}};
  Rules::State root = game.start(0);
  estimate::Eval<Rules> estimates{{&game, Points::depth, 0}};
  Slow<estimate::Eval<Rules>> eval{estimates};
  Task<Rules> task{&game, Points::depth, eval, 0};
  int mover = game.to_move(root);
};

// The root's 48 children are valued in five slices; the stop comes with the first slice of the next
// position's 47.
template <class Search>
void expect_stop_within_a_position(std::size_t slice) {
  Ground cut, calm;
  const auto verdict = Search(cut.task).think(cut.root, cut.eval.stopping_at(6));
  EXPECT_EQ(cut.eval.calls, 6);
  EXPECT_EQ(cut.eval.positions, 48u + slice);
  const auto first = Search(calm.task).think(calm.root, evaluations(1));
  EXPECT_EQ(verdict.best, first.best);
  EXPECT_EQ(verdict.value, first.value);
  EXPECT_EQ(verdict.children.size(), 48u);
}

TEST(interrupted, BestFirstWithinAPosition) {
  expect_stop_within_a_position<unbounded_maxn::Search<Rules>>(kSlice);
}

TEST(interrupted, DepthFirstWithinAPosition) {  // each depth has a pace of its own
  expect_stop_within_a_position<maxn::Search<Rules>>(kFirstSlice);
}

// Three calls of the evaluator for the 48 moves of the root, then a stop.
template <class Search>
void expect_best_of_some(const typename Search::Params& params, std::size_t valued) {
  Ground on;
  Search search(on.task, params);
  const auto verdict = search.think(on.root, on.eval.stopping_at(3));
  EXPECT_EQ(on.eval.positions, valued);
  EXPECT_EQ(verdict.cost.evaluations, valued);
  EXPECT_EQ(verdict.proof, Proof::none);
  ASSERT_EQ(verdict.children.size(), 48u);
  ASSERT_FALSE(verdict.pv.empty());
  EXPECT_EQ(verdict.pv[0], verdict.best);
  float most = -std::numeric_limits<float>::infinity();
  std::size_t seen = 0;
  for (const auto& child : verdict.children) {
    EXPECT_FALSE(child.bound && child.move == verdict.best);
    EXPECT_LE(child.value[on.mover], verdict.value[on.mover]);
    if (child.bound) continue;
    ++seen;
    most = std::max(most, child.value[on.mover]);
  }
  EXPECT_EQ(seen, valued);
  EXPECT_EQ(verdict.value[on.mover], most);
}

TEST(interrupted, AnswersWithTheBestMoveThatWasValued) {
  expect_best_of_some<unbounded_maxn::Search<Rules>>({}, kThreeSlices);
  expect_best_of_some<unbounded_maxn::Search<Rules>>({.decision = Decision::best}, kThreeSlices);
  expect_best_of_some<unbounded_maxn::Search<Rules>>({.batch = false}, 3);
  expect_best_of_some<unbounded_minimax::Search<Rules>>({}, kThreeSlices);
  expect_best_of_some<maxn::Search<Rules>>({}, kThreeSlices);
  expect_best_of_some<greedy::Search<Rules>>({}, kThreeSlices);
}

template <class P>
P with(void (*set)(P&)) {
  P out;
  set(out);
  return out;
}

TEST(interrupted, DepthFirstAnswersWithAllItsSettings) {
  using Maxn = maxn::Search<Rules>;
  using Paranoid = paranoid::Search<Rules>;
  expect_best_of_some<Maxn>(with<Maxn::Params>([](auto& p) { p.batch = false; }), 3);
  expect_best_of_some<Maxn>(with<Maxn::Params>([](auto& p) { p.k = 30; }), kThreeSlices);
  expect_best_of_some<Maxn>(with<Maxn::Params>([](auto& p) { p.leaves = true; }), kThreeSlices);
  expect_best_of_some<Paranoid>({}, kThreeSlices);
  expect_best_of_some<brs_plus::Search<Rules>>({}, kThreeSlices);
  expect_best_of_some<Paranoid>(with<Paranoid::Params>([](auto& p) { p.batch = false; }), 3);
}

// Those that the game's own guess likes.
TEST(interrupted, ValuesPromisingMovesFirst) {
  Ground on;
  unbounded_maxn::Search<Rules> search(on.task);
  const auto verdict = search.think(on.root, on.eval.stopping_at(2));
  float least = std::numeric_limits<float>::infinity(), most = -least;
  for (const auto& child : verdict.children) {
    Rules::State after = on.root;
    on.game.play(after, child.move);
    const float guess = on.game.estimate(after)[on.mover];
    child.bound ? most = std::max(most, guess) : least = std::min(least, guess);
  }
  EXPECT_GE(least, most);
}

// What a depth-first search knew of a root in part is not taken for the whole later.
TEST(interrupted, DepthFirstForgetsARootInPart) {
  Ground cut, calm;
  maxn::Search<Rules> one(calm.task), other(cut.task);
  other.think(cut.root, cut.eval.stopping_at(1));
  EXPECT_TRUE(
      same(one.think(calm.root, evaluations(100)), other.think(cut.root, evaluations(100))));
}

// Learning wants every child.
TEST(interrupted, DescentValuesItsRootWhole) {
  Ground on;
  descent::Search<Rules> search(on.task);
  const auto verdict = search.think(on.root, on.eval.stopping_at(1));
  EXPECT_EQ(on.eval.positions, 48u);
  EXPECT_TRUE(std::ranges::none_of(verdict.children, [](const auto& c) { return c.bound; }));
}

// One search is cut off again and again, in the root and in the middle of positions whose values
// come in slices; the other is not. After as many evaluations both know the same.
template <class G, class Eval>
void expect_no_trace(const G& game, Points points, Eval& eval, const BestFirstParams& params) {
  constexpr std::uint64_t kBudget = 200;
  Slow whole(eval), cut(eval);
  unbounded_maxn::Search<G> one({&game, points, whole, 0}, params),
      other({&game, points, cut, 0}, params);
  const auto root = game.start(0);
  const auto expected = one.think(root, evaluations(kBudget));
  std::uint64_t done = 0;
  for (int stops = 0; done < expected.cost.evaluations && stops < 1000; ++stops) {
    Budget rest = cut.stopping_at(1 + stops % 3);
    rest.evaluations = kBudget - done;
    done += other.think(root, rest).cost.evaluations;
  }
  EXPECT_EQ(done, expected.cost.evaluations);
  EXPECT_GT(cut.positions, done);  // some were thrown away
  EXPECT_TRUE(say_the_same(one.think(root, evaluations(0)), other.think(root, evaluations(0))));
}

TEST(interrupted, LeavesNoTrace) {
  const Rules game({.n = 5});
  estimate::Eval<Rules> eval({&game, Points::depth, 0});
  expect_no_trace(game, Points::depth, eval, {});
}

TEST(interrupted, LeavesNoTraceWhileItWidens) {
  const Trees game({.depth = 3, .branching = 50, .seed = 3, .early = 0});
  ASSERT_GT(game.node({}).children.size(), 20u);
  Knowing eval(game);
  expect_no_trace(game, Points::score, eval, {.widen = 20});
}

}  // namespace
}  // namespace polymax::interrupted_test
