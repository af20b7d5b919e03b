// The depth-first searches against their definitions in positions of real games: late ones of
// random play, where lines end, seats are skipped and turns of several moves happen.
#include "games/hex3.hpp"
#include "games/quadamazons.hpp"
#include "games/quadrothello.hpp"
#include "games/threehex.hpp"
#include "games/triinversion.hpp"
#include "search/brs.hpp"
#include "search/brs_plus.hpp"
#include "search/maxn.hpp"
#include "search/paranoid.hpp"
#include "tests/games/uniform.hpp"
#include "tests/search/depth_first_checks.hpp"

namespace polymax::depth_first_games_test {
namespace {

using checks::Ground;

template <Game G>
void check_position(Ground<G>& ground, const typename G::State& state, int k, int deepest) {
  oracle::Definition<G> definition = ground.definition(k);
  definition.root = ground.game.to_move(state);
  const auto with_k = [&](auto params) {
    params.k = k;
    return params;
  };
  checks::check_depths<maxn::Search>(oracle::Maxn<G>{definition}, state, with_k(maxn::Params{}),
                                     deepest);
  checks::check_depths<paranoid::Search>(oracle::Paranoid<G>{definition}, state,
                                         with_k(paranoid::Params{}), deepest);
  checks::check_depths<brs_plus::Search>(oracle::BrsPlus<G>{definition}, state,
                                         with_k(brs_plus::Params{}), deepest,
                                         {.all_seats = false, .whole_line = false});
  if constexpr (TurnSkipping<G>)
    checks::check_depths<brs::Search>(oracle::Brs<G>{definition}, state, with_k(brs::Params{}),
                                      deepest, {.whole_line = false});
}

// Positions `left` moves and more before the end of random games.
template <Game G>
void check_game(const typename G::Options& options, std::size_t left, int deepest) {
  Ground<G> ground(options);
  for (std::uint64_t seed = 0; seed < 6 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto states = uniform::random_game(ground.game, seed).states;
    const std::size_t at = states.size() - 1 - std::min(states.size() - 1, left + seed);
    check_position(ground, states[at], seed % 2 == 0 ? 0 : 3, deepest);
  }
}

TEST(depth_first_games, hex3) {
  check_game<hex3::Rules>({.side = 2}, 5, 5);
}
TEST(depth_first_games, threehex) {
  check_game<threehex::Rules>({.side = 2}, 5, 4);
}
TEST(depth_first_games, triinversion) {
  check_game<triinversion::Rules>({.side = 3}, 4, 5);
}
TEST(depth_first_games, quadrothello) {
  check_game<quadrothello::Rules>({.n = 6}, 4, 5);
}
TEST(depth_first_games, quadamazons) {
  check_game<quadamazons::Rules>({.n = 8}, 4, 4);
}

}  // namespace
}  // namespace polymax::depth_first_games_test
