// The trees themselves: finite, reproducible, of all the kinds that the searches must meet.
#include "tests/search/tree_game.hpp"

#include <gtest/gtest.h>

#include "tests/games/uniform.hpp"

namespace polymax::tree_game_test {
namespace {

TEST(tree_game, IsAGame) {
  for (int seed = 0; seed < 50; ++seed) {
    const tree_game::Rules game({.seats = 2 + seed % 3, .seed = seed, .shared = seed % 2 == 0});
    uniform::check_contract(game, static_cast<std::uint64_t>(seed));
  }
}

TEST(tree_game, MakesTheTreesThatSearchesMustMeet) {
  bool twice = false, joint = false, tie = false, shared = false;
  for (int seed = 0; seed < 100; ++seed) {
    const tree_game::Rules game(
        {.seed = seed, .payoffs = tree_game::Payoffs::joint_wins, .shared = true});
    std::vector<int> parents(game.nodes().size());
    for (const auto& node : game.nodes()) {
      joint |= std::ranges::count(node.gain.seats, 1.0f) > 1;
      tie |= std::ranges::count(node.gain.seats, -1.0f) == 1 &&
             std::ranges::count(node.gain.seats, 1.0f) == 0;
      for (const auto child : node.children) {
        twice |= game.nodes()[child].seat == node.seat;
        shared |= ++parents[child] > 1;
      }
    }
  }
  EXPECT_TRUE(twice && joint && tie && shared);
}

}  // namespace
}  // namespace polymax::tree_game_test
