#include "search/maxn.hpp"

#include "tests/search/depth_first_checks.hpp"

namespace polymax::maxn_test {
namespace {

using checks::Ground;

template <Game G>
void check(Ground<G>& ground, int k, maxn::Ties ties, int deepest) {
  SCOPED_TRACE("k " + std::to_string(k) + " ties " + std::to_string(static_cast<int>(ties)));
  maxn::Params params;
  params.k = k;
  params.ties = ties;
  const oracle::Maxn<G> oracle{ground.definition(k), ties == maxn::Ties::paranoid};
  checks::check_depths<maxn::Search>(oracle, ground.root, params, deepest);
  checks::check_match<maxn::Search>(oracle, params, 1);
}

TEST(maxn, EqualsItsDefinitionOnRandomTrees) {
  for (int seed = 0; seed < checks::samples(2000) && !HasFailure(); ++seed) {
    SCOPED_TRACE("tree " + std::to_string(seed));
    Ground<tree_game::Rules> ground(checks::random_tree(seed));
    check(ground, seed % 4, seed % 3 == 0 ? maxn::Ties::paranoid : maxn::Ties::first, 6);
  }
}

TEST(maxn, EqualsItsDefinitionOnSmallBoards) {
  for (const int k : {0, 3})
    for (const auto points : {Points::gain, Points::depth}) {
      Ground<tictactoe::Rules> noughts({}, points);
      check(noughts, k, maxn::Ties::first, 4);
      Ground<hex::Rules> hex({3}, points);
      check(hex, k, maxn::Ties::paranoid, 4);
    }
  for (int seed = 0; seed < 40; ++seed) {
    Ground<claim_game::Rules> claim(checks::random_claim(seed));
    check(claim, seed % 3, seed % 2 == 0 ? maxn::Ties::first : maxn::Ties::paranoid, 6);
  }
}

}  // namespace
}  // namespace polymax::maxn_test
