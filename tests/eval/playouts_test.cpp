// Random games: exact where only one game is possible, unbiased elsewhere, the same whoever asks
// and however often.
#include "eval/playouts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

#include "games/hex.hpp"
#include "tests/search/tree_game.hpp"

namespace polymax::playouts_test {
namespace {

using Tree = tree_game::Rules;
using OnTree = playouts::Eval<Tree>;

Tree::State end_of(const Tree& game) {
  Tree::State state{};
  while (!game.over(state)) state.node = game.node(state).children[0];
  return state;
}

// What uniformly random play is worth, by the definition of expectation.
std::array<double, kMaxPlayers> expectation(const Tree& game, Tree::State state, Points points) {
  std::array<double, kMaxPlayers> out{};
  const auto& children = game.node(state).children;
  if (children.empty()) {
    const Scores end = terminal_points(game, state, points);
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = static_cast<double>(end.seats[p]);
    return out;
  }
  for (const auto child : children) {
    const auto below = expectation(game, {child}, points);
    for (std::size_t p = 0; p < out.size(); ++p)
      out[p] += below[p] / static_cast<double>(children.size());
  }
  return out;
}

TEST(playouts, AreExactWhereOnlyOneGameIsPossible) {
  for (int seed = 0; seed < 50; ++seed) {
    const Tree game(
        {.depth = 6, .branching = 1, .seed = seed, .payoffs = tree_game::Payoffs::joint_wins});
    const auto end = end_of(game);
    for (const auto points : {Points::score, Points::depth, Points::gain}) {
      OnTree eval({&game, points, 1}, {.n = 3});
      EXPECT_EQ(EvaluatorRef<Tree>(eval).evaluate(Tree::State{}),
                terminal_points(game, end, points));
    }
    OnTree eval({&game, Points::score, 1});
    Rng rng(7);
    EXPECT_EQ(EvaluatorRef<Tree>(eval).sample({}, rng), game.gain(end));
  }
}

TEST(playouts, TheirOwnSeedMakesOneFunctionForEveryPlayer) {
  const Tree game(
      {.depth = 6, .branching = 4, .seed = 3, .payoffs = tree_game::Payoffs::partial_ties});
  const auto value = [&](std::uint64_t player, int own) {
    OnTree eval({&game, Points::score, player}, {.n = 2, .seed = own});
    return EvaluatorRef<Tree>(eval).evaluate(Tree::State{});
  };
  int other_players = 0, other_functions = 0;
  for (int seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(value(1, seed), value(2, seed));
    const auto player = static_cast<std::uint64_t>(seed);
    other_players += value(player, -1) != value(player + 1, -1) ? 1 : 0;
    other_functions += value(1, seed) != value(1, seed + 1) ? 1 : 0;
  }
  EXPECT_GT(other_players, 5);
  EXPECT_GT(other_functions, 5);
}

TEST(playouts, AreUnbiased) {
  for (int seed = 0; seed < 20; ++seed) {
    const Tree game(
        {.depth = 4, .branching = 4, .seed = seed, .payoffs = tree_game::Payoffs::partial_ties});
    const OnTree eval({&game, Points::score, 5}, {.n = 1000});
    const auto points = expectation(game, {}, Points::score),
               gain = expectation(game, {}, Points::gain);
    Rng rng(1);
    Scores mean;
    eval.evaluate(std::vector{Tree::State{}}, {&mean, 1});
    const Scores sample = eval.sample({}, rng);
    for (int p = 0; p < 3; ++p) {  // scores are at most 5, gains at most 1: five standard errors
      EXPECT_NEAR(mean[p], points[static_cast<std::size_t>(p)], 5 * 5 / std::sqrt(1000.0));
      EXPECT_NEAR(sample[p], gain[static_cast<std::size_t>(p)], 5 / std::sqrt(1000.0));
    }
  }
}

std::vector<hex::Rules::State> positions(const hex::Rules& game) {
  std::vector<hex::Rules::State> out{game.start(0)};
  MoveList<hex::Rules> moves;
  for (std::size_t i = 0; i < 20; ++i) {
    moves.clear();
    game.moves(out.back(), moves);
    out.push_back(out.back());
    game.play(out.back(), moves[(7 * i) % moves.size()]);
  }
  return out;
}

TEST(playouts, ArePureAndSafeFromSeveralThreads) {
  const hex::Rules game({.n = 7});
  const auto states = positions(game);
  const playouts::Eval<hex::Rules> eval({&game, Points::depth, 3}, {.n = 2}),
      other({&game, Points::depth, 4}, {.n = 2});
  std::vector<Scores> batch(states.size()), elsewhere(states.size()), otherwise(states.size());
  std::thread thread([&] { eval.evaluate(states, elsewhere); });
  eval.evaluate(states, batch);
  thread.join();
  other.evaluate(states, otherwise);
  EXPECT_EQ(batch, elsewhere);
  EXPECT_NE(batch, otherwise);
  for (std::size_t i = states.size(); i-- > 0;) {
    Scores alone;
    eval.evaluate({&states[i], 1}, {&alone, 1});
    EXPECT_EQ(alone, batch[i]);
  }
}

TEST(playouts, SampleDrawsNewGamesFromTheCallersNumbers) {
  const hex::Rules game({.n = 5});
  const playouts::Eval<hex::Rules> eval({&game, Points::depth, 3});
  Rng a(1), b(1);
  int wins = 0;
  for (int i = 0; i < 200; ++i) {
    const Scores drawn = eval.sample(game.start(0), a);
    EXPECT_EQ(drawn, eval.sample(game.start(0), b));
    EXPECT_EQ(std::abs(drawn[0]), 1);
    EXPECT_EQ(drawn[0], -drawn[1]);
    wins += drawn[0] > 0;
  }
  EXPECT_GT(wins, 50);
  EXPECT_LT(wins, 190);
}

}  // namespace
}  // namespace polymax::playouts_test
