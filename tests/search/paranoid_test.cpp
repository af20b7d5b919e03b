#include "search/paranoid.hpp"

#include "tests/search/depth_first_checks.hpp"

namespace polymax::paranoid_test {
namespace {

using checks::Ground;

template <Game G>
void check(Ground<G>& ground, int k, int deepest) {
  SCOPED_TRACE("k " + std::to_string(k));
  paranoid::Params params;
  params.k = k;
  const oracle::Paranoid<G> oracle{ground.definition(k)};
  checks::check_depths<paranoid::Search>(oracle, ground.root, params, deepest);
  checks::check_match<paranoid::Search>(oracle, params, 1);
}

TEST(paranoid, EqualsItsDefinitionOnRandomTrees) {
  for (int seed = 0; seed < checks::samples(2000) && !HasFailure(); ++seed) {
    SCOPED_TRACE("tree " + std::to_string(seed));
    Ground<tree_game::Rules> ground(checks::random_tree(seed));
    check(ground, seed % 4, 6);
  }
}

TEST(paranoid, EqualsItsDefinitionOnSmallBoards) {
  for (const int k : {0, 3})
    for (const auto points : {Points::gain, Points::depth}) {
      Ground<tictactoe::Rules> noughts({}, points);
      check(noughts, k, 4);
      Ground<hex::Rules> hex({3}, points);
      check(hex, k, 4);
    }
  for (int seed = 0; seed < 40; ++seed) {
    Ground<claim_game::Rules> claim(checks::random_claim(seed));
    check(claim, seed % 3, 6);
  }
}

// With two seats and (x, -x) the opponent's gain is the root's loss: Max^n is minimax, and so is
// this.
TEST(paranoid, IsMinimaxWithTwoSeats) {
  for (int seed = 0; seed < checks::samples(300) && !HasFailure(); ++seed) {
    SCOPED_TRACE("tree " + std::to_string(seed));
    auto options = checks::random_tree(seed);
    options.seats = 2;
    options.payoffs = tree_game::Payoffs::zero_sum;
    Ground<tree_game::Rules> ground(options);
    const oracle::Maxn<tree_game::Rules> minimax{ground.definition(0)};
    checks::check_depths<paranoid::Search>(minimax, ground.root, paranoid::Params{}, 6);
  }
}

}  // namespace
}  // namespace polymax::paranoid_test
