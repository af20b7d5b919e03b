// Compares a game with a naive second implementation: an object with moves() (a set of move texts), play(text),
// turn, over and score (a Scores, when over).
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/games/uniform.hpp"

namespace polymax::naive {

template <Game G, class Naive>
void compare_position(const G& game, const typename G::State& state, const Naive& naive) {
  const auto names = uniform::texts(game, state);
  ASSERT_EQ(naive.moves(), std::set<std::string>(names.begin(), names.end()));
  ASSERT_EQ(naive.over, game.over(state));
  if (!naive.over) {
    ASSERT_EQ(naive.turn, game.to_move(state));
    return;
  }
  ASSERT_EQ(naive.score, game.score(state));
  const Scores gain = game.gain(state);
  for (int p = 0; p < game.players(); ++p)
    ASSERT_EQ(gain[p], naive.score[p] > 0 ? 1 : naive.score[p] < 0 ? -1 : 0) << "seat " << p;
}

// Random games; returns the positions compared.
template <Game G, class Naive>
int compare_games(const G& game, const Naive& start, int games) {
  int positions = 0;
  for (int i = 0; i < games; ++i) {
    SCOPED_TRACE("game " + std::to_string(i));
    const auto played = uniform::random_game(game, static_cast<std::uint64_t>(i));
    Naive naive = start;
    for (std::size_t ply = 0; ply < played.states.size(); ++ply, ++positions) {
      SCOPED_TRACE("ply " + std::to_string(ply));
      compare_position(game, played.states[ply], naive);
      if (::testing::Test::HasFatalFailure()) return positions;
      if (ply < played.moves.size()) naive.play(game.move_text(played.states[ply], played.moves[ply]));
    }
  }
  return positions;
}

template <class Naive>
std::uint64_t count_sequences(const Naive& from, int depth) {
  const auto moves = from.moves();
  if (depth == 1) return moves.size();
  std::uint64_t sum = 0;
  for (const auto& move : moves) {
    Naive next = from;
    next.play(move);
    sum += count_sequences(next, depth - 1);
  }
  return sum;
}

}  // namespace polymax::naive
