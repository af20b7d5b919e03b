// Plays random games beside a naive second implementation of the same rules and compares all that a
// player sees. A Naive has: turn; moves() -> set of move texts, empty when over; play(text); over;
// score, a Scores, when over. It may have gain(), where that is not the sign of the score, and
// moves_of(seat), where the game can give the turn away.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/games/uniform.hpp"

namespace polymax::naive {

template <Game G>
std::set<std::string> move_set(const G& game, const typename G::State& state) {
  const auto names = uniform::texts(game, state);
  return {names.begin(), names.end()};
}

template <class Naive>
Scores gain_of(const Naive& naive) {
  if constexpr (requires { naive.gain(); }) return naive.gain();
  Scores out;
  for (int p = 0; p < kMaxPlayers; ++p)
    out[p] = naive.score[p] > 0 ? 1.0f : naive.score[p] < 0 ? -1.0f : 0.0f;
  return out;
}

template <Game G, class Naive>
void compare_position(const G& game, const typename G::State& state, const Naive& naive) {
  ASSERT_EQ(naive.moves(), move_set(game, state));
  ASSERT_EQ(naive.over, game.over(state));
  if (naive.over) {
    ASSERT_EQ(naive.score, game.score(state));
    ASSERT_EQ(gain_of(naive), game.gain(state));
    return;
  }
  ASSERT_EQ(naive.turn, game.to_move(state));
  if constexpr (TurnSkipping<G> && requires { naive.moves_of(0); })
    for (int p = 0; p < game.players(); ++p) {
      const auto given = game.give_turn(state, p);
      ASSERT_EQ(given ? move_set(game, *given) : std::set<std::string>{}, naive.moves_of(p))
          << "seat " << p;
    }
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
      if (ply < played.moves.size())
        naive.play(game.move_text(played.states[ply], played.moves[ply]));
    }
  }
  return positions;
}

// Move sequences of exactly `depth` moves.
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

template <Game G>
std::uint64_t count_sequences(const G& game, const typename G::State& from, int depth) {
  const auto moves = uniform::legal(game, from);
  if (depth == 1) return moves.size();
  std::uint64_t sum = 0;
  for (const auto& move : moves) {
    auto next = from;
    game.play(next, move);
    sum += count_sequences(game, next, depth - 1);
  }
  return sum;
}

}  // namespace polymax::naive
