// Names to games, matches and players: what the command line, the web page and Python stand on.
#include "catalog/catalog.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "catalog/bind.hpp"
#include "games/tictactoe.hpp"
#include "tests/message_of.hpp"
#include "tests/search/mcts_checks.hpp"

namespace polymax::catalog_test {
namespace {

TEST(catalog, HasAGameForEveryFile) {
  std::set<std::string> files, names;
  for (const auto& file : std::filesystem::directory_iterator(POLYMAX_SOURCE_DIR "/src/games"))
    files.insert(file.path().stem().string());
  for (const auto& game : catalog::games()) names.insert(game.entry.name);
  EXPECT_EQ(files, names);
}

TEST(catalog, NamesWhatThereIsWhenAskedForSomethingElse) {
  EXPECT_NE(message_of([] { catalog::open_game("chess"); }).find("no game 'chess'; there are "),
            std::string::npos);
  EXPECT_EQ(message_of([] { catalog::open_game("hex(n=1)"); }),
            "n=1 is not allowed: n takes a whole number from 2 to 20 (character 7 of 'hex(n=1)')");
  EXPECT_EQ(message_of([] { catalog::open_game("hex(m=1)"); }),
            "'hex' has no setting 'm'; it has n, points (character 5 of 'hex(m=1)')");
  EXPECT_EQ(message_of([] { catalog::open_game("hex(points=win)"); }),
            "points=win is not allowed: points takes score | depth | gain (character 12 of "
            "'hex(points=win)')");
  const auto hex = catalog::open_game("hex");
  EXPECT_NE(message_of([&] {
              hex->player(Spec::parse("deep_blue"), 1);
            }).find("no search 'deep_blue'; there are "),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              hex->player(Spec::parse("greedy(eval=crystal)"), 1);
            }).find("no evaluator 'crystal'"),
            std::string::npos);
  EXPECT_EQ(message_of([&] { hex->player(Spec::parse("random(eval=zero)"), 1); }),
            "'random' has no setting 'eval'; it has none (character 8 of 'random(eval=zero)')");
}

// aim=win of a player is points=gain of its game, for that player alone.
TEST(catalog, APlayerMayAimAtWins) {
  const auto scored = catalog::open_game("quadrothello(n=6)");
  const auto gains = catalog::open_game("quadrothello(n=6,points=gain)");
  for (const std::string search : {"unbounded_maxn", "maxn", "paranoid", "mcts", "greedy"})
    for (const std::string eval : {"estimate", "playouts(seed=3)"}) {
      const auto budget = catalog::parse_budget("evals=300");
      const auto aims = scored->player(Spec::parse(search + "(eval=" + eval + ",aim=win)"), 1),
                 plays = gains->player(Spec::parse(search + "(eval=" + eval + ")"), 1),
                 points = scored->player(Spec::parse(search + "(aim=points,eval=" + eval + ")"), 1);
      EXPECT_EQ(aims->spec(), search + "(aim=win,eval=" + eval + ")");
      EXPECT_EQ(points->spec(), search + "(eval=" + eval + ")");
      const auto a = aims->think(*scored->start(1), budget),
                 b = plays->think(*gains->start(1), budget);
      EXPECT_EQ(a.best, b.best) << search << eval;
      EXPECT_EQ(a.value, b.value) << search << eval;
      for (int p = 0; p < 4; ++p) EXPECT_LE(std::abs(a.value[p]), 1);
    }
  EXPECT_EQ(message_of([&] { scored->player(Spec::parse("maxn(aim=glory)"), 1); }),
            "aim=glory is not allowed: aim takes points | win (character 10 of 'maxn(aim=glory)')");
  EXPECT_NE(
      message_of([&] { scored->player(Spec::parse("random(aim=win)"), 1); }).find("no setting"),
      std::string::npos);
}

TEST(catalog, GivesCanonicalSpecs) {
  EXPECT_EQ(catalog::open_game("hex( n = 11 )")->spec(), "hex");
  EXPECT_EQ(catalog::open_game("hex(points=gain,n=5)")->spec(), "hex(n=5,points=gain)");
  EXPECT_EQ(catalog::open_game("hex(points=depth)")->spec(), "hex");
  EXPECT_EQ(catalog::open_game("hex")->player(Spec::parse("greedy"), 1)->spec(),
            "greedy(eval=estimate)");
  EXPECT_EQ(catalog::open_game("hex")
                ->player(Spec::parse("mcts(eval=playouts( seed = -1, n = 1 ))"), 1)
                ->spec(),
            "mcts(eval=playouts)");
  EXPECT_EQ(catalog::open_game("hex")
                ->player(Spec::parse("greedy(eval=playouts(seed=3,n=02))"), 1)
                ->spec(),
            "greedy(eval=playouts(n=2,seed=3))");
}

TEST(catalog, PointsAreWhatTheSpecSays) {
  for (const auto& [points, expected] :
       std::vector<std::pair<std::string, float>>{{"gain", 1}, {"score", 1}, {"depth", 5}}) {
    const auto game = catalog::open_game("hex(n=3,points=" + points + ")");
    const auto match = game->start(0);
    for (const char* move : {"a1", "b1", "a2", "b2", "a3"}) match->play(move);
    ASSERT_TRUE(match->over());
    EXPECT_EQ(match->points()[0], expected) << points;  // depth: 9 cells - 5 moves + 1
    EXPECT_EQ(match->points()[1], -match->points()[0]);
  }
}

TEST(catalog, MovesAreMatchedByTextOrBeginning) {
  const auto game = catalog::open_game("hex");
  const auto match = game->start(0);
  EXPECT_EQ(match->match_move("a10"), "a10");
  EXPECT_EQ(match->match_move("a1"), "a1") << "the whole text wins over a beginning";
  EXPECT_NE(message_of([&] { match->play("a"); }).find("'a' is no legal move here; legal: a1 "),
            std::string::npos);
  EXPECT_NE(message_of([&] { match->play(""); }).find("is no legal move"), std::string::npos);
  match->play("a1");
  EXPECT_NE(message_of([&] { match->play("a1"); }).find("'a1' is no legal move here"),
            std::string::npos);
  EXPECT_EQ(match->history(), std::vector<std::string>{"a1"});
}

TEST(catalog, UndoGoesBackToTheStart) {
  for (const auto& entry : catalog::games()) {
    const auto game = catalog::open_game(entry.entry.name);
    const auto match = game->start(3);
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 10 && !match->over(); ++i) {
      hashes.push_back(match->hash());
      match->play(match->legal()[static_cast<std::size_t>(i) % match->legal().size()]);
    }
    for (; !hashes.empty(); hashes.pop_back()) {
      ASSERT_TRUE(match->undo());
      EXPECT_EQ(match->hash(), hashes.back());
    }
    EXPECT_FALSE(match->undo());
  }
}

// A search that keeps its tree: going on from it shows in the visits, beginning anew too.
TEST(catalog, PlayersFollowTheMatchAndSurviveUndo) {
  constexpr std::uint64_t kEach = 300;
  const auto game = catalog::open_game("hex(n=4)");
  Budget budget;
  budget.evaluations = kEach;
  const auto fresh = [&](const AnyMatch& match) {
    return game->player(Spec::parse("mcts"), 1)->think(match, budget);
  };
  const auto expect_fresh = [&](const AnyVerdict& found, const AnyMatch& match) {
    const auto expected = fresh(match);
    EXPECT_EQ(visits_of(found), kEach);
    EXPECT_EQ(found.best, expected.best);
    for (std::size_t i = 0; i < expected.children.size(); ++i)
      EXPECT_EQ(found.children[i].visits, expected.children[i].visits);
  };
  const auto match = game->start(0);
  const auto player = game->player(Spec::parse("mcts"), 1);
  const auto first = player->think(*match, budget);
  expect_fresh(first, *match);
  ASSERT_GE(first.pv.size(), 2u);
  for (const auto& move : {first.pv[0], first.pv[1]}) match->play(move);
  EXPECT_GT(visits_of(player->think(*match, budget)), kEach) << "goes on with its tree";
  EXPECT_EQ(visits_of(fresh(*match)), kEach);
  match->undo();
  expect_fresh(player->think(*match, budget), *match);
  match->undo();
  const auto legal = match->legal();
  match->play(legal[0] == first.pv[0] ? legal[1] : legal[0]);
  expect_fresh(player->think(*match, budget), *match);
}

TEST(catalog, PlayersRefuseMatchesOfOtherRules) {
  const auto game = catalog::open_game("amazons(n=5)"), again = catalog::open_game("amazons(n=5)");
  Budget budget;
  budget.evaluations = 10;
  const auto player = game->player(Spec::parse("greedy"), 1);
  EXPECT_NO_THROW(player->think(*game->start(0), budget));
  EXPECT_NO_THROW(player->think(*again->start(0), budget)) << "the same rules, opened again";
  for (const char* other : {"amazons(n=6)", "hex"}) {
    const auto match = catalog::open_game(other)->start(0);
    EXPECT_THROW(player->think(*match, budget), Error) << other;
    EXPECT_THROW(game->perft(*match, 1), Error) << other;
  }
}

// Tic-tac-toe whose moves lie in far more planes than it needs.
struct Wide : tictactoe::Rules {
  using Rules::Rules;
  int move_planes() const { return kMaxMovePlanes * 8; }
};

TEST(catalog, RefusesMorePlacesOfMovesThanNetworksTellApart) {
  const auto open = [] {
    catalog::make_game(catalog::binding_of<Wide>("wide"), catalog::open_rules_of<Wide>("wide", {}),
                       Points::gain);
  };
  EXPECT_NE(message_of(open).find("73728 places of moves"), std::string::npos) << message_of(open);
}

TEST(catalog, EverySearchPlaysEveryGameItIsOfferedFor) {
  Budget budget;
  budget.evaluations = 30;
  budget.nodes = 3000;
  for (const auto& entry : catalog::games()) {
    const auto game = catalog::open_game(entry.entry.name);
    for (const auto& search : entry.searches) {
      SCOPED_TRACE(entry.entry.name + " " + search.name);
      const auto match = game->start(1);
      const auto player = game->player(Spec::parse(search.name), 1);
      for (int i = 0; i < 3 && !match->over(); ++i) {
        const auto verdict = player->think(*match, budget);
        const auto legal = match->legal();
        EXPECT_NE(std::ranges::find(legal, verdict.best), legal.end());
        EXPECT_EQ(verdict.children.size(), legal.size());
        EXPECT_FALSE(verdict.pv.empty());
        match->play(verdict.best);
      }
    }
  }
}

TEST(catalog, BudgetsAreReadFromText) {
  EXPECT_EQ(catalog::parse_budget("evals=2000").evaluations, 2000u);
  EXPECT_EQ(catalog::parse_budget("nodes=7,seconds=0.5").nodes, 7u);
  EXPECT_EQ(catalog::parse_budget("nodes=7,seconds=0.5").seconds, 0.5);
  EXPECT_EQ(catalog::parse_budget("depth=3").depth, 3);
  EXPECT_EQ(catalog::parse_budget("solved").evaluations, Budget::kNoLimit);
  EXPECT_EQ(catalog::parse_budget("solved").nodes, Budget::kNoLimit);
  EXPECT_TRUE(std::isinf(catalog::parse_budget("solved").seconds));
  EXPECT_EQ(catalog::parse_budget("evals=2e4").evaluations, 20'000u);
  for (const char* bad :
       {"", "evals=0", "seconds=0", "seconds=-1", "evals", "time=3", "depth=x", "evals=1)(",
        "solved=off", "solved=on", "evals=1,solved", "evals=1,solved=on", "evals=2.7", "nodes=1.5",
        "seconds=inf", "evals=1,seconds=inf"})
    EXPECT_NE(message_of([&] { catalog::parse_budget(bad); }), "(no error)") << bad;
}

TEST(catalog, BudgetsSurviveTheirText) {
  for (const char* text : {"evals=2000", "nodes=7,seconds=0.1", "evals=1,nodes=2,seconds=3,depth=4",
                           "seconds=1e+20", "solved"})
    EXPECT_EQ(catalog::budget_text(catalog::parse_budget(text)), text);
}

}  // namespace
}  // namespace polymax::catalog_test
