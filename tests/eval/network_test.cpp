// The network evaluator with random games mixed in (playouts=): between the network and
// eval=playouts, for points and for wins, with and without priors.
#include "eval/network.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/random_game.hpp"
#include "games/triinversion.hpp"

namespace polymax::network_test {
namespace {

using triinversion::Rules;
using State = Rules::State;
using Network = network::Eval<Rules>;

const std::string kFile = "nets/triinversion/moves.safetensors";

std::vector<State> positions(const Rules& game) {
  std::vector<State> out;
  MoveList<Rules> moves;
  Rng rng(1);
  State state = game.start(1);
  finish_randomly(game, state, moves, rng, [&](const State& met, const auto&) {
    if (game.played(met) % 20 == 3) out.push_back(met);
  });
  return out;
}

template <class E>
std::vector<Scores> values(E&& evaluator, const std::vector<State>& of) {
  std::vector<Scores> out(of.size());
  evaluator.evaluate(of, out);
  return out;
}

void check(Points points, const std::string& spec) {
  const Rules game;
  const EvaluatorSetup<Rules> setup{&game, points, 7, spec};
  const auto asked = positions(game);
  ASSERT_GT(asked.size(), 3u);
  const auto with = [&](int games, double mix) {
    network::Params out;
    out.file = kFile;
    out.playouts = games;
    out.mix = mix;
    return Network(setup, out);
  };
  const auto alone = values(with(0, 0.5), asked);
  const auto random = values(playouts::Eval<Rules>(setup, {.n = 5}), asked);
  EXPECT_NE(alone, random);
  EXPECT_EQ(values(with(5, 0), asked), alone);
  auto mixed = with(5, 0.25);
  const auto found = values(mixed, asked);
  MovePriors priors, own;
  std::vector<Scores> again(asked.size()), unmixed(asked.size());
  mixed.evaluate(asked, again, priors);
  with(0, 0.5).evaluate(asked, unmixed, own);
  EXPECT_EQ(again, found);
  EXPECT_EQ(priors.all, own.all) << "random games say nothing of moves";
  for (std::size_t i = 0; i < asked.size(); ++i)
    for (int p = 0; p < game.players(); ++p)
      EXPECT_NEAR(found[i][p], 0.75f * alone[i][p] + 0.25f * random[i][p], 1e-3) << i;
}

TEST(network, MixesPointsOfRandomGamesIn) {
  check(Points::score, "triinversion");
}

TEST(network, MixesWinsOfRandomGamesIn) {
  check(Points::gain, "triinversion(points=gain)");
}

}  // namespace
}  // namespace polymax::network_test
