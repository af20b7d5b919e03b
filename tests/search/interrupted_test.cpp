// A search that is interrupted does not wait until all children of a position are valued, and what
// it had begun leaves no trace.
#include <gtest/gtest.h>

#include <algorithm>
#include <stop_token>

#include "core/clock.hpp"
#include "eval/estimate.hpp"
#include "games/hex.hpp"
#include "search/maxn.hpp"
#include "search/unbounded_maxn.hpp"

namespace polymax {
namespace {

using Rules = hex::Rules;

// Asks for a stop when it is called for the `stops_at`th time, and takes its time.
class Slow {
 public:
  explicit Slow(const Rules& game) : inner_({&game, Points::depth, 0}) {}

  void evaluate(std::span<const Rules::State> states, std::span<Scores> out) {
    inner_.evaluate(states, out);
    positions += states.size();
    const double until = thread_cpu_seconds() + seconds_each * static_cast<double>(states.size());
    while (thread_cpu_seconds() < until) {
    }
    if (++calls == stops_at) stop.request_stop();
  }
  std::string label() const { return "slow"; }

  int calls = 0, stops_at = -1;
  std::size_t positions = 0;
  double seconds_each = 0;
  std::stop_source stop;

 private:
  estimate::Eval<Rules> inner_;
};

// The root's children are valued in one call; the stop comes with the first slice of the next
// position's 48.
template <class Search>
void expect_stop_within_a_position() {
  const Rules game({.n = 7});
  Slow eval(game);
  eval.stops_at = 2;
  Search search({&game, Points::depth, eval, 0});
  Budget budget;
  budget.stop = eval.stop.get_token();
  const auto verdict = search.think(game.start(0), budget);
  EXPECT_EQ(eval.calls, 2);
  EXPECT_LT(eval.positions, 49u + 48u);
  Slow calm(game);
  Search short_one({&game, Points::depth, calm, 0});
  Budget one;
  one.evaluations = 1;
  const auto first = short_one.think(game.start(0), one);
  EXPECT_EQ(verdict.best, first.best);
  EXPECT_EQ(verdict.value, first.value);
  EXPECT_EQ(verdict.children.size(), 49u);
}

TEST(interrupted, BestFirstWithinAPosition) {
  expect_stop_within_a_position<unbounded_maxn::Search<Rules>>();
}

TEST(interrupted, DepthFirstWithinAPosition) {
  expect_stop_within_a_position<maxn::Search<Rules>>();
}

// One search is cut off again and again, in the middle of positions whose values come in slices;
// the other is not. After as many evaluations both know the same.
TEST(interrupted, LeavesNoTrace) {
  const Rules game({.n = 4});
  Slow whole(game), cut(game);
  cut.seconds_each = 0.0005;  // some milliseconds for the 16 children of the root
  unbounded_maxn::Search<Rules> one({&game, Points::depth, whole, 0}),
      other({&game, Points::depth, cut, 0});
  Budget budget;
  budget.evaluations = 200;
  const auto expected = one.think(game.start(0), budget);
  std::uint64_t done = 0;
  int stops = 0;
  while (done < expected.cost.evaluations) {
    cut.stop = {};
    cut.calls = 0;
    cut.stops_at = 2 + stops % 3;
    Budget rest;
    rest.evaluations = budget.evaluations - done;
    rest.stop = cut.stop.get_token();
    done += other.think(game.start(0), rest).cost.evaluations;
    if (++stops > 1000) break;
  }
  EXPECT_EQ(done, expected.cost.evaluations);
  EXPECT_GT(cut.positions, done);  // some were thrown away
  budget.evaluations = 0;
  const auto a = one.think(game.start(0), budget), b = other.think(game.start(0), budget);
  EXPECT_EQ(a.best, b.best);
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.pv, b.pv);
  ASSERT_EQ(a.children.size(), b.children.size());
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    EXPECT_EQ(a.children[i].value, b.children[i].value);
    EXPECT_EQ(a.children[i].visits, b.children[i].visits);
  }
}

}  // namespace
}  // namespace polymax
