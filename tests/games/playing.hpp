// What tests of games share: random games, legal moves, positions by the texts of moves, planes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "board/bitboard.hpp"
#include "core/evaluator.hpp"
#include "core/game.hpp"
#include "core/rng.hpp"

namespace polymax::uniform {

// Plays a random game; `see(state, move)` is told every position with the move that is played
// there. Returns the finished position.
template <Game G, class See>
typename G::State walk_randomly(const G& game, std::uint64_t seed, const See& see) {
  Rng rng(seed);
  typename G::State state = game.start(rng.next());
  MoveList<G> list;
  while (!game.over(state)) {
    list.clear();
    game.moves(state, list);
    if (list.empty()) {
      ADD_FAILURE() << "no moves although the game is not over";
      break;
    }
    const auto move = list[rng.below(static_cast<std::uint32_t>(list.size()))];
    see(state, move);
    game.play(state, move);
  }
  return state;
}

template <Game G>
struct Played {
  std::vector<typename G::State> states;  // start first, finished last
  std::vector<typename G::Move> moves;
};

template <Game G>
Played<G> random_game(const G& game, std::uint64_t seed) {
  Played<G> out;
  const auto end = walk_randomly(game, seed, [&](const auto& state, const auto& move) {
    out.states.push_back(state);
    out.moves.push_back(move);
  });
  out.states.push_back(end);
  return out;
}

template <Game G>
std::vector<typename G::Move> legal(const G& game, const typename G::State& state) {
  MoveList<G> list;
  game.moves(state, list);
  return {list.begin(), list.end()};
}

template <Game G>
std::vector<std::string> texts(const G& game, const typename G::State& state) {
  std::vector<std::string> out;
  for (const auto& move : legal(game, state)) out.push_back(game.move_text(state, move));
  return out;
}

// The position after these moves of a game.
template <Game G>
typename G::State after(const G& game, const std::vector<std::string>& moves) {
  auto state = game.start(0);
  for (const auto& text : moves) {
    const auto names = texts(game, state);
    const auto at = static_cast<std::size_t>(std::ranges::find(names, text) - names.begin());
    if (at == names.size()) {
      ADD_FAILURE() << text << " is not legal";
      break;
    }
    game.play(state, legal(game, state)[at]);
  }
  return state;
}

template <Learnable G>
std::vector<std::uint64_t> planes_of(const G& game, const typename G::State& state,
                                     std::uint64_t poison = 0) {
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(game.planes().words()), poison);
  game.write_planes(state, bits);
  return bits;
}

}  // namespace polymax::uniform
