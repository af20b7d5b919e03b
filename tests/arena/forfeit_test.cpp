// A player that breaks the rules of the match loses it; the record says so in every format.
#include <gtest/gtest.h>

#include "arena/match.hpp"
#include "arena/record.hpp"
#include "arena/sgf.hpp"
#include "arena/tournament.hpp"
#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "tests/message_of.hpp"

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

TEST(forfeit, OfASeatThatTheGameDoesNotHaveIsRefused) {
  const auto record = read_record_line(
      R"json({"game":"tictactoe","seed":0,"players":["random","random"],"moves":["b2"],"seats":"1",
      "forfeit":{"seat":4,"reason":"x"},"score":[1,1],"gain":[1,1],"points":[1,1]})json");
  EXPECT_NE(message_of([&] { replay(record); }).find("seat 4 forfeited, the game has 2 seats"),
            std::string::npos);
}

// Leaves every second match.
class Quitter final : public AnyPlayer {
 public:
  Quitter(std::unique_ptr<AnyPlayer> inner, std::uint64_t seed)
      : inner_(std::move(inner)), seed_(seed) {}
  const std::string& spec() const override { return inner_->spec(); }
  AnyVerdict think(const AnyMatch& match, const Budget& budget,
                   const polymax::Watch& watch) override {
    if (seed_ % 2 == 0) throw Forfeit("it has left");
    return inner_->think(match, budget, watch);
  }

 private:
  std::unique_ptr<AnyPlayer> inner_;
  std::uint64_t seed_;
};

TEST(forfeit, GivesNoPoints) {
  catalog::offer_player({"quitter", {}, {}}, [](const AnyGame& game, const Spec&, auto seed) {
    return std::make_unique<Quitter>(game.player(Spec::parse("random"), seed), seed);
  });
  const auto game = catalog::open_game("fish");
  TournamentSettings settings;
  settings.game = game.get();
  settings.players.assign(static_cast<std::size_t>(game->players()), Spec::parse("random"));
  settings.players[1] = Spec::parse("quitter");
  settings.budgets = {Budget{}};
  settings.starts = 12;
  double points = 0;
  std::uint64_t whole = 0;
  const auto result =
      tournament(settings, [&](std::uint64_t, const MatchRecord& record, const TournamentResult&) {
        if (record.forfeit < 0) ++whole, points += static_cast<double>(record.points[0]);
        return true;
      });
  EXPECT_GT(whole, 0u);
  EXPECT_GT(result.forfeits, 0u);
  EXPECT_EQ(result.players[0].results, 12u);
  EXPECT_EQ(result.players[0].forfeits, 12 - whole);
  EXPECT_DOUBLE_EQ(result.players[0].mean_points(), points / static_cast<double>(whole));
}

}  // namespace
}  // namespace polymax::arena::forfeit_test
