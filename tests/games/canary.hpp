// A tiny network for every game with the values of ten positions, kept in tests/golden/canary/:
// notices when planes, rules, the file format or an engine change what a network says.
// POLYMAX_WRITE_GOLDEN=1 writes the files anew.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "eval/network.hpp"
#include "nn/net_file.hpp"
#include "tests/games/uniform.hpp"

namespace polymax::uniform {

// Ten positions of a random game, spread over its length.
template <Game G>
std::vector<typename G::State> ten_positions(const G& game) {
  const auto played = random_game(game, 2026);
  std::vector<typename G::State> out;
  for (std::size_t i = 0; i < 10; ++i) out.push_back(played.states[i * played.moves.size() / 10]);
  return out;
}

template <Game G>
std::vector<Scores> network_values(const G& game, const std::string& name, const std::string& file,
                                   Isa isa) {
  const auto states = ten_positions(game);
  std::vector<Scores> out(states.size());
  network::Eval<G>({&game, G::default_points, 1, name}, {file, Engine::cpu, TorchDevice::cpu, isa})
      .evaluate(states, out);
  return out;
}

template <Game G>
void write_canary(const G& game, const std::string& name, const std::string& stem) {
  Net net = untrained_net({game.planes(), game.players(), 8, 1, 16}, name, G::about.version, 7);
  net.scale = 10;
  save_net(net, stem + ".safetensors", NetPrecision::bf16);
  std::ofstream out(stem + ".txt");
  for (const Scores& value : network_values(game, name, stem + ".safetensors", Isa::plain)) {
    for (int p = 0; p < game.players(); ++p)
      out << value[p] << (p + 1 < game.players() ? ' ' : '\n');
  }
}

template <Game G>
void check_canary(const G& game, const std::string& name, const std::string& folder) {
  if constexpr (Learnable<G>) {
    const std::string stem = folder + "/" + name;
    if (std::getenv("POLYMAX_WRITE_GOLDEN") != nullptr) write_canary(game, name, stem);
    ASSERT_TRUE(std::filesystem::exists(stem + ".safetensors"))
        << "no canary: POLYMAX_WRITE_GOLDEN=1 writes one";
    for (const Isa isa : available_isas()) {
      std::ifstream expected(stem + ".txt");
      // untrained networks cancel: their values are a tenth of what bf16 rounds on the way, twice
      // as much by patches
      const double tolerance = isa == Isa::avx512bf16 ? 4e-2 : isa == Isa::amx ? 2e-2 : 1e-4;
      for (const Scores& value : network_values(game, name, stem + ".safetensors", isa))
        for (int p = 0; p < game.players(); ++p) {
          double wanted = NAN;
          expected >> wanted;
          EXPECT_NEAR(value[p], wanted, tolerance * (1 + std::abs(wanted)))
              << kIsaNames[static_cast<std::size_t>(isa)];
        }
    }
  } else {
    GTEST_SKIP() << "the game has no planes";
  }
}

// With points=gain: a network of points tells gains where points tell who wins, and is refused
// elsewhere.
template <Game G>
void check_gains(const G& game, const std::string& name, const std::string& folder) {
  if constexpr (Learnable<G>) {
    if (G::default_points == Points::gain) GTEST_SKIP() << "gains are all it knows";
    const std::string file = folder + "/" + name + ".safetensors";
    const EvaluatorSetup<G> setup{&game, Points::gain, 1, name + "(points=gain)"};
    if constexpr (PointsTellWins<G>) {
      const auto states = ten_positions(game);
      const auto points = network_values(game, name, file, Isa::plain);
      for (const double spread : {0.0, 3.0}) {
        std::vector<Scores> gains(states.size());
        network::Eval<G> eval(setup, {.file = file, .isa = Isa::plain, .spread = spread});
        eval.evaluate(states, gains);
        for (std::size_t i = 0; i < states.size(); ++i)
          EXPECT_EQ(gains[i],
                    gains_of_points<G>(points[i], game.players(), spread > 0 ? 3.0f : 10.0f))
              << "its scale is 10";
        EXPECT_EQ(eval.bounds().lo, -1);
        EXPECT_EQ(eval.bounds().hi, 1);
      }
      EXPECT_THROW((network::Eval<G>({&game, G::default_points, 1, name},
                                     {.file = file, .isa = Isa::plain, .spread = 3.0})),
                   Error);
      const bool depth = G::default_points == Points::depth;
      EXPECT_THROW((network::Eval<G>({&game, depth ? Points::score : Points::depth, 1,
                                      name + (depth ? "(points=score)" : "(points=depth)")},
                                     {file})),
                   Error);
    } else {
      EXPECT_THROW((network::Eval<G>(setup, {file})), Error);
    }
  } else {
    GTEST_SKIP() << "the game has no planes";
  }
}

}  // namespace polymax::uniform
