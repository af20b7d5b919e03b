// Networks that see boards turned so that the mover is seat 0, for every game: tables against
// turning bit by bit, values against those of symmetric positions, refusal where a game has no such
// symmetries.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/mover_turns.hpp"
#include "eval/network.hpp"
#include "nn/net_file.hpp"
#include "tests/games/uniform.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::uniform {

// A random game and its image, position by position, the finished one last.
template <Learnable G>
std::vector<std::pair<typename G::State, typename G::State>> with_images(const G& game,
                                                                         const Symmetry& by,
                                                                         std::uint64_t seed) {
  Rng rng(seed);
  const auto board_seed = rng.next();
  auto state = start_with(game, board_seed, 0), image = image_of_start(game, state, board_seed, by);
  const auto names = image_names(game, state, by);
  std::vector<std::pair<typename G::State, typename G::State>> out{{state, image}};
  while (!game.over(state)) {
    const auto list = legal(game, state);
    const auto move = list[rng.below(static_cast<std::uint32_t>(list.size()))];
    game.play(image, turned_move(game, image, game.move_text(state, move), names).value());
    game.play(state, move);
    out.emplace_back(state, image);
  }
  return out;
}

template <Learnable G>
Net turned_net(const G& game, const std::string& name) {
  Net net = untrained_net({game.planes(), game.players(), 4, 1, 8}, name, G::about.version, 3);
  net.turned = true;
  return net;
}

// The prior of a turned network turns with the position: what it says of a move it says of the move
// at the turned place, whatever its weights.
template <MoveMapped G>
void check_priors(const G& game, const std::string& name, std::size_t seat, std::uint64_t seed) {
  const auto by = turns_of(game)[seat];
  Net net = untrained_net({game.planes(), game.players(), 4, 1, 8, game.move_planes()}, name,
                          G::about.version, 3);
  net.turned = true;
  network::Eval<G> eval(game, make_live_net(net, {}, 64));
  ASSERT_TRUE(eval.knows_moves());
  int checked = 0;
  for (const auto& [state, image] : with_images(game, by, seed)) {
    if (game.over(state) || game.to_move(state) != static_cast<int>(seat) || ++checked > 4)
      continue;
    Scores a, b, alone;
    MovePriors here, there;
    eval.evaluate({&state, 1}, {&a, 1}, here);
    eval.evaluate({&image, 1}, {&b, 1}, there);
    eval.evaluate({&state, 1}, {&alone, 1});
    EXPECT_EQ(a, alone);
    const auto places = places_of(game, state), images = places_of(game, image);
    ASSERT_EQ(here.of(0).size(), places.size());
    std::map<MovePlace, float> of_image;
    for (std::size_t i = 0; i < images.size(); ++i) of_image[images[i]] = there.of(0)[i];
    float sum = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      sum += here.of(0)[i];
      ASSERT_NEAR(here.of(0)[i], of_image.at(by.turned(places[i])), 1e-6);
    }
    EXPECT_NEAR(sum, 1, 1e-4);
  }
  EXPECT_GT(checked, 0);
}

template <Learnable G>
void check_turned_refused(const G& game, const std::string& name) {
  const TemporaryFolder folder;
  const std::string file = folder / "net.safetensors";
  save_net(turned_net(game, name), file, NetPrecision::fp32);
  try {
    network::Eval<G>({&game, G::default_points, 1, name},
                     {file, Engine::cpu, TorchDevice::cpu, Isa::plain});
    FAIL() << "the game cannot be turned";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("it wants boards turned"), std::string::npos)
        << error.what();
  }
}

// The tables do what a loop over all bits does. Some games name seat 0 as the mover of every
// finished position.
template <Learnable G>
void check_tables(const G& game, const Symmetry& by, std::uint64_t seed) {
  const auto turns = mover_turns(game);
  const auto by_seat = turns_of(game);
  std::vector<std::uint64_t> out(static_cast<std::size_t>(game.planes().words()), ~0ull);
  for (const auto& [state, image] : with_images(game, by, seed)) {
    const auto mover = static_cast<std::size_t>(game.to_move(state));
    ASSERT_TRUE(game.over(state) || game.to_move(image) == by.seats[mover]);
    write_planes(game, state, turns.get(), out);
    ASSERT_EQ(out, turned_planes(game, planes_of(game, state), by_seat[mover]));
    ASSERT_EQ(turns->seat(game.to_move(state), mover), 0u);
  }
}

// The values of a turned network turn with the position, whatever its weights.
template <Learnable G>
void check_values(const G& game, const std::string& name, std::size_t seat, std::uint64_t seed) {
  const auto by = turns_of(game)[seat];
  Net net = turned_net(game, name);
  network::Eval<G> eval(game, make_live_net(net, {}, 64));
  net.turned = false;
  network::Eval<G> plain(game, make_live_net(net, {}, 64));
  bool plain_differs = false;
  for (const auto& [state, image] : with_images(game, by, seed)) {
    if (game.over(state) || game.to_move(state) != static_cast<int>(seat)) continue;
    Scores a, b, c, d;
    eval.evaluate({&state, 1}, {&a, 1});
    eval.evaluate({&image, 1}, {&b, 1});
    plain.evaluate({&state, 1}, {&c, 1});
    plain.evaluate({&image, 1}, {&d, 1});
    EXPECT_EQ(b, d) << "seat 0 moves: nothing is turned";
    for (std::size_t p = 0; p < static_cast<std::size_t>(game.players()); ++p) {
      EXPECT_EQ(a.seats[p], b.seats[by.seats[p]]);
      plain_differs |= c.seats[p] != d.seats[by.seats[p]];
    }
  }
  EXPECT_EQ(plain_differs, seat != 0) << "a network that is not turned knows nothing of symmetries";
}

template <Game G>
void check_turned(const G& game, const std::string& name) {
  if constexpr (Learnable<G>) {
    const auto by_seat = turns_of(game);
    if (by_seat.empty()) return check_turned_refused(game, name);
    ASSERT_EQ(by_seat.size(), static_cast<std::size_t>(game.players()));
    EXPECT_EQ(by_seat[0], game.symmetries()[0]) << "seat 0 sees the board as it is";
    for (std::size_t seat = 0; seat < by_seat.size(); ++seat) {
      SCOPED_TRACE("seat " + std::to_string(seat));
      EXPECT_EQ(by_seat[seat].seats[seat], 0);
      check_tables(game, by_seat[seat], 5 + seat);
      check_values(game, name, seat, 50 + seat);
      if constexpr (MoveMapped<G>) check_priors(game, name, seat, 50 + seat);
    }
  } else {
    GTEST_SKIP() << "the game has no planes";
  }
}

}  // namespace polymax::uniform
