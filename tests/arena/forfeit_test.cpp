// A player that breaks the rules of the match loses it; the record says so in every format.
#include <gtest/gtest.h>

#include "arena/match.hpp"
#include "arena/record.hpp"
#include "arena/sgf.hpp"
#include "arena/tournament.hpp"
#include "catalog/catalog.hpp"
#include "core/error.hpp"

namespace polymax::arena::forfeit_test {
namespace {

MatchRecord forfeited() {
  const auto game = catalog::open_game("threehex(side=3)");
  MatchSetup setup;
  setup.game = game.get();
  setup.players = std::vector<Spec>(3, Spec::parse("random"));
  setup.budgets = std::vector<Budget>(3, catalog::parse_budget("evals=5"));
  setup.make_player = [&](int seat) {
    if (seat == 1) throw Forfeit("it left ] the table");
    return game->player(Spec::parse("random"), 1);
  };
  return play_match(setup);
}

TEST(forfeit, TheSeatLosesAndAllOthersWin) {
  const MatchRecord record = forfeited();
  EXPECT_TRUE(record.over);
  EXPECT_EQ(record.forfeit, 1);
  EXPECT_EQ(record.reason, "it left ] the table");
  EXPECT_EQ(record.error, "");
  EXPECT_EQ(record.gain, (Scores{{1, -1, 1}}));
  EXPECT_NO_THROW(replay(record));
}

TEST(forfeit, IsKeptByBothFormats) {
  const MatchRecord record = forfeited();
  EXPECT_EQ(read_record_line(record_line(record)), record);
  EXPECT_EQ(read_sgf(sgf_text(record)), std::vector{record});
  MatchRecord wrong = record;
  wrong.forfeit = 2;
  EXPECT_THROW(replay(wrong), Error);
  for (Scores MatchRecord::*result :
       {&MatchRecord::gain, &MatchRecord::score, &MatchRecord::points}) {
    wrong = record;
    (wrong.*result)[0] = 7;
    EXPECT_THROW(replay(wrong), Error);
  }
}

TEST(forfeit, APlayerOfAnotherMakerIsOneOfEveryGame) {
  const auto game = catalog::open_game("tictactoe");
  const Spec spec = Spec::parse("borrowed(from=random)");
  EXPECT_THROW(game->player(spec, 0), Error);
  catalog::offer_player({"borrowed", {}, {}}, [](const AnyGame& g, const Spec& s, auto seed) {
    return g.player(s.arguments.at(0).value, seed);
  });
  EXPECT_EQ(game->player(spec, 0)->spec(), "random");
}

}  // namespace
}  // namespace polymax::arena::forfeit_test
