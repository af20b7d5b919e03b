// The depth-first searches against their definitions in positions of real games: late ones of
// random play, where lines end, seats are skipped and turns of several moves happen. The games are
// in boxes, as they are in the program, so that one compilation serves all of them.
#include <memory>
#include <string_view>
#include <vector>

#include "catalog/boxed.hpp"
#include "catalog/catalog.hpp"
#include "catalog/rules_match.hpp"
#include "core/random_game.hpp"
#include "search/brs.hpp"
#include "search/brs_plus.hpp"
#include "search/maxn.hpp"
#include "search/paranoid.hpp"
#include "tests/search/depth_first_checks.hpp"

namespace polymax::depth_first_games_test {
namespace {

using G = catalog::Boxed<640>;
using State = G::State;
using checks::Ground;

void check_position(Ground<G>& ground, const State& state, bool skips_turns, int k, int deepest) {
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
  if (skips_turns)
    checks::check_depths<brs::Search>(oracle::Brs<G>{definition}, state, with_k(brs::Params{}),
                                      deepest, {.whole_line = false});
}

std::vector<State> random_game(const G& game, std::uint64_t seed) {
  Rng rng(seed);
  State state = game.start(seed);
  MoveList<G> moves;
  std::vector<State> out;
  finish_randomly(game, state, moves, rng,
                  [&](const State& met, const auto&) { out.push_back(met); });
  return out;
}

// Positions `left` moves and more before the end of random games.
void check_game(std::string_view spec, std::size_t left, int deepest) {
  const auto match = catalog::open_game(spec)->start(1);
  const auto& rules = dynamic_cast<const catalog::RulesMatch&>(*match).rules();
  ASSERT_LE(rules.state_bytes(), sizeof(State));
  Ground<G> ground({&rules});
  for (std::uint64_t seed = 0; seed < 6 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto states = random_game(ground.game, seed);
    const std::size_t at = states.size() - std::min(states.size(), left + seed);
    check_position(ground, states[at], rules.can(Can::kSkipTurns), seed % 2 == 0 ? 0 : 3, deepest);
  }
}

TEST(depth_first_games, hex3) {
  check_game("hex3(side=2)", 5, 5);
}
TEST(depth_first_games, threehex) {
  check_game("threehex(side=2)", 5, 4);
}
TEST(depth_first_games, triinversion) {
  check_game("triinversion(side=3)", 4, 5);
}
TEST(depth_first_games, quadrothello) {
  check_game("quadrothello(n=6)", 4, 5);
}
TEST(depth_first_games, quadamazons) {
  check_game("quadamazons(n=8)", 4, 4);
}

}  // namespace
}  // namespace polymax::depth_first_games_test
