// Plays random games beside a naive second implementation of the same rules and compares all that a player sees.
// A Naive has: turn; moves_of(seat) -> set of move texts; over(); play(text); score() and gain() -> a number per seat.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "core/game.hpp"
#include "tests/games/uniform.hpp"

namespace polymax::second_rules {

inline std::vector<float> of_seats(const Scores& scores, int players) {
  return {scores.seats.begin(), scores.seats.begin() + players};
}

template <Game G>
std::set<std::string> move_set(const G& game, const typename G::State& state) {
  const auto names = uniform::texts(game, state);
  return {names.begin(), names.end()};
}

template <Game G, class Naive>
void compare_position(const G& game, const typename G::State& state, const Naive& naive) {
  ASSERT_EQ(game.over(state), naive.over());
  if (naive.over()) {
    ASSERT_EQ(of_seats(game.score(state), game.players()), naive.score());
    ASSERT_EQ(of_seats(game.gain(state), game.players()), naive.gain());
    return;
  }
  ASSERT_EQ(game.to_move(state), naive.turn);
  ASSERT_EQ(move_set(game, state), naive.moves_of(naive.turn));
  if constexpr (TurnSkipping<G>)
    for (int p = 0; p < game.players(); ++p) {
      const auto given = game.give_turn(state, p);
      ASSERT_EQ(given ? move_set(game, *given) : std::set<std::string>{}, naive.moves_of(p)) << "seat " << p;
    }
}

// Returns the number of positions compared.
template <Game G, class Naive>
int compare(const G& game, const Naive& start, int games) {
  int positions = 0;
  for (int i = 0; i < games && !::testing::Test::HasFatalFailure(); ++i) {
    const auto played = uniform::random_game(game, static_cast<std::uint64_t>(i));
    Naive naive = start;
    for (std::size_t ply = 0; ply < played.states.size() && !::testing::Test::HasFatalFailure(); ++ply, ++positions) {
      SCOPED_TRACE("game " + std::to_string(i) + " ply " + std::to_string(ply));
      compare_position(game, played.states[ply], naive);
      if (ply < played.moves.size()) naive.play(game.move_text(played.states[ply], played.moves[ply]));
    }
  }
  return positions;
}

// Move sequences of exactly `depth` moves.
template <class Naive>
std::uint64_t count_naive(const Naive& naive, int depth) {
  const auto moves = naive.over() ? std::set<std::string>{} : naive.moves_of(naive.turn);
  if (depth == 1) return moves.size();
  std::uint64_t sum = 0;
  for (const auto& move : moves) {
    Naive next = naive;
    next.play(move);
    sum += count_naive(next, depth - 1);
  }
  return sum;
}

template <Game G>
std::uint64_t count_rules(const G& game, const typename G::State& state, int depth) {
  const auto moves = uniform::legal(game, state);
  if (depth == 1) return moves.size();
  std::uint64_t sum = 0;
  for (const auto& move : moves) {
    auto next = state;
    game.play(next, move);
    sum += count_rules(game, next, depth - 1);
  }
  return sum;
}

}  // namespace polymax::second_rules
