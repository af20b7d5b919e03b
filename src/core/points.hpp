// Terminal evaluation f_t: what search and learning maximise, set for every game with
// points=score|depth|gain.
#pragma once

#include <array>
#include <string_view>

#include "core/scores.hpp"

namespace polymax {

enum class Points { score, depth, gain };
inline constexpr std::array<std::string_view, 3> kPointsNames{"score", "depth", "gain"};

// Additive depth (Cohen-Solal 2020): with L = the largest number of moves and p = moves played, a
// winner has L-p+1, a loser -(L-p+1), a draw 0; so quick wins and late losses are better.
constexpr Scores additive_depth(const Scores& gain, int max_length, int played) {
  Scores out = gain;
  for (auto& x : out.seats) x *= static_cast<float>(max_length - played + 1);
  return out;
}

// The points of a finished game.
template <class G, class State>
Scores terminal_points(const G& game, const State& state, Points points) {
  switch (points) {
    case Points::score:
      return game.score(state);
    case Points::depth:
      return additive_depth(game.gain(state), game.max_length(), game.played(state));
    case Points::gain:
      break;
  }
  return game.gain(state);
}

}  // namespace polymax
