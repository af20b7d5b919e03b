// Opponents between "each for itself" and "all against me": the tree against its definition, what
// is solved against brute force, and what moves of a match tell of those who made them.
#include "tree/care.hpp"

#include <gtest/gtest.h>

#include "eval/estimate.hpp"
#include "search/unbounded_maxn.hpp"
#include "search/unbounded_minimax.hpp"
#include "tests/search/best_first_checks.hpp"
#include "tests/search/verdicts.hpp"

namespace polymax::care_test {
namespace {

using tree_game::Payoffs;
using Trees = tree_game::Rules;
using Maxn = unbounded_maxn::Search<Trees>;

tree_game::Options tree_of(int seed) {
  return random_tree(seed, seed % 5 < 2);
}

TEST(care, IsItsDefinition) {
  for (int seed = 0; seed < 1000; ++seed) {
    const Trees game(tree_of(seed));
    estimate::Eval<Trees> eval({&game, Points::score, 0});
    naive::BestFirst oracle(game);
    oracle.spoiled = game.to_move({});
    oracle.care = 0.5f * static_cast<float>(seed % 5);
    BestFirstRules rules;
    rules.care = all_seats(game.players(), oracle.care);
    BestFirst<Trees> tree({&game, Points::score, eval, 0}, rules);
    ASSERT_NO_FATAL_FAILURE(expect_same_lines(tree, oracle, game.players())) << "seed " << seed;
  }
}

// Every seat prefers its own gain: what is solved is an equilibrium, and among these rather one
// that leaves the thinking seat little.
TEST(care, SolvesToAnEquilibriumThatSpoils) {
  double with = 0, without = 0;
  for (int seed = 0; seed < 3000; ++seed) {
    const Trees game(tree_of(seed));
    estimate::Eval<Trees> eval({&game, Points::gain, 0});
    const Task<Trees> task{&game, Points::gain, eval, 0};
    Maxn caring(task, {.care = 0.5}), plain(task, {});
    const int mover = game.to_move({});
    EXPECT_EQ(caring.think({}, {}).proof, Proof::none) << "a model proves nothing";
    plain.think({}, {});
    ASSERT_TRUE(caring.tree().solved());
    naive::Equilibria exact(game);
    ASSERT_TRUE(exact.contains(0, caring.tree().root_node().value)) << seed;
    with += static_cast<double>(caring.tree().root_node().value[mover]);
    without += static_cast<double>(plain.tree().root_node().value[mover]);
  }
  EXPECT_LT(with, without);
}

// Enough care is worth more than any points of its own: among moves that win or lose nothing the
// others play as a coalition would.
TEST(care, GoesFromMaxnToParanoid) {
  int as_maxn = 0, as_paranoid = 0;
  for (int seed = 0; seed < 300; ++seed) {
    const Trees game({.depth = 4,
                      .branching = 4,
                      .seed = seed,
                      .payoffs = Payoffs::joint_wins,
                      .turns_in_order = true,
                      .early = 0});
    estimate::Eval<Trees> eval({&game, Points::score, 0});
    const Task<Trees> task{&game, Points::score, eval, 0};
    const auto value = [&](auto&& search) {
      return search.think({}, evaluations(20)).value[game.to_move({})];
    };
    const float maxn = value(Maxn(task, {.decision = Decision::best})),
                most = value(Maxn(task, {.decision = Decision::best, .care = 1000})),
                coalition =
                    value(unbounded_minimax::Search<Trees>(task, {.decision = Decision::best}));
    as_maxn += most == maxn ? 1 : 0;
    as_paranoid += most == coalition ? 1 : 0;
  }
  EXPECT_GT(as_paranoid, as_maxn);
}

// Edges with random values, for a mover who takes what its weight says.
TEST(care, FindsOutWhatTheOthersCareFor) {
  Rng rng(3);
  for (const float truth : {0.0f, 0.5f, 2.0f}) {
    Care care;
    for (int move = 0; move < 40; ++move) {
      constexpr std::size_t kCount = 10;
      std::array<float, 3 * kCount> values{};
      std::array<std::uint16_t, kCount> flags{};
      for (auto& value : values) value = static_cast<float>(rng.uniform());
      const Edges edges{nullptr, values.data(), nullptr, flags.data(), kCount, 3};
      const Taste taste{1, 1, 0, truth};
      std::size_t best = 0;
      for (std::size_t e = 1; e < kCount; ++e)
        if (taste.of(edges.value(e)) > taste.of(edges.value(best))) best = e;
      care.saw(edges, best, 1, 0);
    }
    EXPECT_NEAR(care.weights()[1], truth, truth == 2 ? 1.01 : 0.26) << truth;
    EXPECT_EQ(care.weights()[2], 0) << "nothing was seen of it";
  }
}

// Against seats that spoil its points: legal moves, and what it expects is not always what a seat
// that learns nothing of them expects.
TEST(care, PlaysOnWithWhatItLearns) {
  int others = 0;
  for (int seed = 0; seed < 100; ++seed) {
    const Trees game(
        {.depth = 9, .branching = 3, .seed = seed, .turns_in_order = true, .early = 0});
    estimate::Eval<Trees> eval({&game, Points::score, 0});
    Maxn search({&game, Points::score, eval, 0}, {.care_from = CareFrom::match}),
        careless({&game, Points::score, eval, 0}, {});
    const auto spoiled = [&](std::uint32_t child) {
      const Trees::State state{child};
      return game.over(state) ? game.score(state)[0] : game.estimate(state)[0];
    };
    for (Trees::State state; !game.over(state);) {
      const auto& children = game.node(state).children;
      Trees::Move move;
      if (game.to_move(state) == 0) {
        const auto verdict = search.think(state, evaluations(60));
        others += verdict.value != careless.think(state, evaluations(60)).value;
        move = verdict.best;
      } else {
        move = {*std::ranges::min_element(children, {}, spoiled)};
      }
      ASSERT_NE(std::ranges::find(children, move.to), children.end());
      game.play(state, move);
      search.advance(move);
      careless.advance(move);
    }
  }
  EXPECT_GT(others, 10);
}

TEST(care, IsNothingForACoalition) {
  const Trees game;
  estimate::Eval<Trees> eval({&game, Points::score, 0});
  EXPECT_THROW(unbounded_minimax::Search<Trees>({&game, Points::score, eval, 0}, {.care = 1}),
               Error);
}

}  // namespace
}  // namespace polymax::care_test
