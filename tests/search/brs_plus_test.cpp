#include "search/brs_plus.hpp"

#include "tests/search/depth_first_checks.hpp"

namespace polymax::brs_plus_test {
namespace {

using brs_plus::Special;
using checks::Ground;

template <Game G>
void check(Ground<G>& ground, int k, Special special, int deepest) {
  SCOPED_TRACE("k " + std::to_string(k) + " special " + std::to_string(static_cast<int>(special)));
  brs_plus::Params params;
  params.k = k;
  params.special = special;
  const oracle::BrsPlus<G> oracle{ground.definition(k), special == Special::root};
  const checks::Demands demands{.all_seats = false, .whole_line = false};
  checks::check_depths<brs_plus::Search>(oracle, ground.root, params, deepest, demands);
  checks::check_match<brs_plus::Search>(oracle, params, 1, demands);
}

TEST(brs_plus, EqualsItsDefinitionOnRandomTrees) {
  for (int seed = 0; seed < checks::samples(2000) && !HasFailure(); ++seed) {
    SCOPED_TRACE("tree " + std::to_string(seed));
    Ground<tree_game::Rules> ground(checks::random_tree(seed));
    check(ground, seed / 4 % 4, seed % 2 == 0 ? Special::own : Special::root, 6);
  }
}

TEST(brs_plus, EqualsItsDefinitionOnSmallBoards) {
  for (int seed = 0; seed < 100 && !HasFailure(); ++seed) {
    SCOPED_TRACE("board " + std::to_string(seed));
    Ground<claim_game::Rules> ground(checks::random_claim(seed));
    check(ground, seed / 6 % 3, seed % 2 == 0 ? Special::own : Special::root, 6);
  }
}

TEST(brs_plus, IsAlphaBetaWithTwoSeats) {
  for (int seed = 0; seed < checks::samples(300) && !HasFailure(); ++seed) {
    SCOPED_TRACE("tree " + std::to_string(seed));
    auto options = checks::random_tree(seed);
    options.seats = 2;
    Ground<tree_game::Rules> ground(options);
    brs_plus::Params params;
    const oracle::Paranoid<tree_game::Rules> minimax{ground.definition(0)};
    checks::check_depths<brs_plus::Search>(minimax, ground.root, params, 6);
  }
  Ground<tictactoe::Rules> noughts;
  checks::check_depths<brs_plus::Search>(oracle::Paranoid<tictactoe::Rules>{noughts.definition(0)},
                                         noughts.root, brs_plus::Params{}, 4);
}

}  // namespace
}  // namespace polymax::brs_plus_test
