// One position, one hash: games are played in another order of turns, and where a position comes
// out that looks the same its hash must be the same.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/games/playing.hpp"

namespace polymax::uniform {

// Plays the moves in the given order while they are legal.
template <Game G>
bool replay(const G& game, typename G::State& state, const std::vector<typename G::Move>& moves) {
  for (const auto& move : moves) {
    const auto list = legal(game, state);
    if (std::ranges::find(list, move) == list.end()) return false;
    game.play(state, move);
  }
  return true;
}

// Whether all that can be seen of two positions is the same. (Equal states say less: most games
// keep the hash in the state.)
template <Game G>
bool look_alike(const G& game, const typename G::State& a, const typename G::State& b) {
  if (game.over(a) != game.over(b) || texts(game, a) != texts(game, b)) return false;
  if (game.over(a) && (game.score(a) != game.score(b) || game.gain(a) != game.gain(b)))
    return false;
  if (!game.over(a) && game.to_move(a) != game.to_move(b)) return false;
  if constexpr (Learnable<G>)
    if (!game.over(a) && planes_of(game, a) != planes_of(game, b)) return false;
  const Drawing one = game.draw(a), other = game.draw(b);
  const auto same_cell = [](const DrawnCell& x, const DrawnCell& y) {
    return x.owner == y.owner && x.under == y.under && x.mark == y.mark;
  };
  return std::ranges::equal(one.cells, other.cells, same_cell) && one.so_far == other.so_far &&
         one.out == other.out && one.notes == other.notes;
}

// Where the turns of a game begin, then where the last one ends. A turn is what a seat plays in a
// row: one move, or two (move and shoot), or more.
template <Game G>
std::vector<std::size_t> turn_begins(const G& game, const Played<G>& played) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < played.moves.size(); ++i)
    if (i == 0 || game.to_move(played.states[i]) != game.to_move(played.states[i - 1]))
      out.push_back(i);
  out.push_back(played.moves.size());
  return out;
}

// A turn of the stretch that begins with turn `first`, mostly one of the same seat.
template <Game G>
std::size_t later_turn(const G& game, const Played<G>& played,
                       const std::vector<std::size_t>& turns, std::size_t first, Rng& rng) {
  const auto stretch = static_cast<std::uint32_t>(2 * game.players());
  const auto left = static_cast<std::uint32_t>(turns.size() - 2 - first);
  const auto seat = [&](std::size_t turn) { return game.to_move(played.states[turns[turn]]); };
  std::size_t out = first + 1 + rng.below(std::min(stretch, left));
  if (rng.below(4) == 0) return out;
  while (out > first + 1 && seat(out) != seat(first)) --out;
  return out;
}

// Exchanges two turns of a stretch of play: where a position comes out that looks the same, the
// state and the hash must be the same. Returns how often that happened.
template <Game G>
int check_transpositions(const G& game, std::uint64_t seed) {
  const auto played = random_game(game, seed);
  const auto turns = turn_begins(game, played);
  if (turns.size() < 3) return 0;
  Rng rng(seed);
  int met = 0;
  for (int tries = 0; tries < 60; ++tries) {
    const std::size_t i = rng.below(static_cast<std::uint32_t>(turns.size() - 2));
    const std::size_t j = later_turn(game, played, turns, i, rng);
    std::vector<typename G::Move> moves;
    const auto add = [&](std::size_t from, std::size_t to) {
      for (std::size_t m = turns[from]; m < turns[to]; ++m) moves.push_back(played.moves[m]);
    };
    add(j, j + 1);
    add(i + 1, j);
    add(i, i + 1);
    auto state = played.states[turns[i]];
    if (!replay(game, state, moves)) continue;
    const auto& usual = played.states[turns[j + 1]];
    EXPECT_EQ(state == usual, game.hash(state) == game.hash(usual));
    if (!look_alike(game, state, usual)) continue;
    EXPECT_EQ(game.hash(state), game.hash(usual)) << "one position, two hashes";
    ++met;
  }
  return met;
}

}  // namespace polymax::uniform
