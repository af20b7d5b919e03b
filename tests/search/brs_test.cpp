#include "search/brs.hpp"

#include "catalog/catalog.hpp"
#include "tests/games/uniform.hpp"
#include "tests/search/depth_first_checks.hpp"

namespace polymax::brs_test {
namespace {

using checks::Ground;

TEST(claim_game, IsAGame) {
  for (int seed = 0; seed < 50; ++seed) {
    const claim_game::Rules game(checks::random_claim(seed));
    uniform::check_contract(game, static_cast<std::uint64_t>(seed));
    uniform::check_give_turn(game, static_cast<std::uint64_t>(seed));
  }
}

TEST(brs, EqualsItsDefinition) {
  for (int seed = 0; seed < checks::samples(300) && !HasFailure(); ++seed) {
    SCOPED_TRACE("board " + std::to_string(seed));
    Ground<claim_game::Rules> ground(checks::random_claim(seed));
    brs::Params params;
    params.k = seed / 2 % 4;
    const oracle::Brs<claim_game::Rules> oracle{ground.definition(params.k)};
    checks::check_depths<brs::Search>(oracle, ground.root, params, 6, {.whole_line = false});
    checks::check_match<brs::Search>(oracle, params, 1, {.whole_line = false});
  }
}

TEST(brs, IsNotOfferedWithoutGiveTurn) {
  const auto game = catalog::open_game("tictactoe");
  try {
    game->player(Spec::parse("brs"), 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'brs'"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("brs_plus"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace polymax::brs_test
