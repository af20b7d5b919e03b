// order=prior of the depth-first searches: what they find is what the definition says when k-best
// and special moves go by the prior; only moves that are kept are valued.
#include <gtest/gtest.h>

#include "search/brs_plus.hpp"
#include "search/maxn.hpp"
#include "search/paranoid.hpp"
#include "tests/search/depth_first_checks.hpp"
#include "tests/search/knowing.hpp"

namespace polymax::order_test {
namespace {

using Trees = tree_game::Rules;

struct Ground {
  explicit Ground(const tree_game::Options& options) : game(options), eval(game) {}

  oracle::Definition<Trees> definition(int k) {
    return {{&game, Points::score, eval, 1}, game.to_move({}), k, [this](const Trees::State& s) {
              return eval.prior(s.node);
            }};
  }

  const Trees game;
  Knowing eval;
};

template <template <class> class Search, class Params, class Oracle>
void check(int seed, int k, const checks::Demands& demands) {
  SCOPED_TRACE("tree " + std::to_string(seed) + " k " + std::to_string(k));
  auto options = checks::random_tree(seed);
  options.branching = 2 + seed % 5;
  options.depth = 3 + seed % 3;
  Ground ground(options);
  Params params;
  params.k = k;
  params.order = MoveOrder::prior;
  const Oracle oracle{ground.definition(k)};
  checks::check_depths<Search>(oracle, Trees::State{}, params, 4, demands);
  checks::check_match<Search>(oracle, params, 1, demands);
}

TEST(order, MaxnByThePriorEqualsItsDefinition) {
  for (int seed = 0; seed < checks::samples(400) && !HasFailure(); ++seed)
    check<maxn::Search, maxn::Params, oracle::Maxn<Trees>>(seed, seed % 4, {});
}

TEST(order, ParanoidByThePriorEqualsItsDefinition) {
  for (int seed = 0; seed < checks::samples(400) && !HasFailure(); ++seed)
    check<paranoid::Search, paranoid::Params, oracle::Paranoid<Trees>>(seed, seed % 4,
                                                                       {.all_seats = false});
}

TEST(order, BrsPlusByThePriorEqualsItsDefinition) {
  for (int seed = 0; seed < checks::samples(400) && !HasFailure(); ++seed)
    check<brs_plus::Search, brs_plus::Params, oracle::BrsPlus<Trees>>(
        seed, seed % 4, {.all_seats = false, .whole_line = false});
}

// With all moves kept the prior changes the order alone.
TEST(order, ChangesNoValueWithoutKBest) {
  for (int seed = 0; seed < 200; ++seed) {
    Ground ground(checks::random_tree(seed));
    const Task<Trees> task{&ground.game, Points::score, ground.eval, 1};
    paranoid::Params by_prior;
    by_prior.order = MoveOrder::prior;
    Budget budget;
    budget.depth = 4;
    const auto a = paranoid::Search<Trees>(task, {}).think({}, budget),
               b = paranoid::Search<Trees>(task, by_prior).think({}, budget);
    ASSERT_EQ(a.best, b.best) << seed;
    ASSERT_EQ(a.value[ground.game.to_move({})], b.value[ground.game.to_move({})]) << seed;
  }
}

TEST(order, ValuesOnlyWhatItKeeps) {
  const Trees game({.depth = 4, .branching = 20, .seed = 10, .early = 0});
  Knowing eval(game);
  maxn::Params params;
  params.k = 3;
  params.order = MoveOrder::prior;
  maxn::Search<Trees> search({&game, Points::score, eval, 1}, params);
  Budget budget;
  budget.depth = 1;
  ASSERT_GT(game.node({}).children.size(), 3u);
  const auto verdict = search.think({}, budget);
  EXPECT_EQ(verdict.cost.evaluations, 4u);  // the root for its prior, three moves
  int left_out = 0;
  for (const auto& child : verdict.children) left_out += child.bound ? 1 : 0;
  EXPECT_EQ(left_out, static_cast<int>(verdict.children.size()) - 3);
  budget.depth = 3;
  EXPECT_LE(search.think({}, budget).cost.evaluations, 3u + 9 + 27);
}

TEST(order, RefusesWhatItCannotDo) {
  const Trees game;
  Knowing knowing(game);
  estimate::Eval<Trees> plain({&game, Points::score, 0});
  maxn::Params params;
  params.order = MoveOrder::prior;
  EXPECT_THROW(maxn::Search<Trees>({&game, Points::score, plain, 1}, params), Error);
  brs_plus::Params special;
  special.order = MoveOrder::prior;
  special.special = brs_plus::Special::root;
  EXPECT_THROW(brs_plus::Search<Trees>({&game, Points::score, knowing, 1}, special), Error);
}

}  // namespace
}  // namespace polymax::order_test
