#include "arena/levels.hpp"

#include <gtest/gtest.h>

#include "catalog/catalog.hpp"
#include "core/error.hpp"

namespace polymax::arena::levels_test {
namespace {

TEST(levels, EveryGameHasFourThatCanPlay) {
  for (const auto& entry : catalog::games()) {
    const auto game = catalog::open_game(entry.entry.name);
    ASSERT_EQ(level_names().size(), 4u);
    for (const auto& each : level_names()) {
      EXPECT_TRUE(is_level(each.name));
      const Level one = level(*game, each.name);
      EXPECT_NO_THROW(game->player(Spec::parse(one.player), 1)) << entry.entry.name;
      const Budget budget = catalog::parse_budget(one.budget);
      EXPECT_EQ(level_of(*game, Spec::parse(one.player), budget), each.name) << entry.entry.name;
    }
  }
  EXPECT_EQ(level_list(), "beginner, casual, strong, maximum");
}

TEST(levels, APlayerAndABudgetTellTheLevel) {
  const auto game = catalog::open_game("othello");
  const Spec as_saved = Spec::parse("mcts(eval=playouts)");
  EXPECT_EQ(level_of(*game, as_saved, catalog::parse_budget("evals=24")), "beginner");
  EXPECT_EQ(level_of(*game, Spec::parse("mcts"), catalog::parse_budget("evals=25")), "");
  EXPECT_EQ(level_of(*game, Spec::parse("mcts(c=0.5)"), catalog::parse_budget("evals=24")), "");
}

TEST(levels, TheStrongestUsesTheNetworkThatShips) {
  const auto with = catalog::open_game("quadrothello"), without = catalog::open_game("othello");
  EXPECT_EQ(level(*with, "strong").player, "unbounded_maxn(eval=network)");
  EXPECT_EQ(level(*without, "strong").player, "mcts");
  EXPECT_EQ(default_player(*with), "unbounded_maxn(eval=network)");
  const auto many_moves = catalog::open_game("blokus");
  EXPECT_EQ(level(*many_moves, "strong").player.find("mcts(select=puct"), 0u);
  EXPECT_EQ(level(*catalog::open_game("blokus(score=pieces)"), "strong").player, "mcts");
  EXPECT_EQ(default_player(*many_moves), "unbounded_maxn(eval=network)");
  EXPECT_EQ(default_player(*without), "unbounded_maxn") << "mcts needs a budget with an end";
  EXPECT_THROW(level(*with, "godlike"), Error);
  EXPECT_FALSE(is_level("mcts"));
}

TEST(levels, HigherOnesMaySpendMore) {
  const auto game = catalog::open_game("othello");
  const auto evaluations = [&](const char* name) {
    return catalog::parse_budget(level(*game, name).budget).evaluations;
  };
  const auto seconds = [&](const char* name) {
    return catalog::parse_budget(level(*game, name).budget).seconds;
  };
  EXPECT_LT(evaluations("beginner"), evaluations("casual"));
  EXPECT_LT(seconds("strong"), seconds("maximum"));
}

}  // namespace
}  // namespace polymax::arena::levels_test
