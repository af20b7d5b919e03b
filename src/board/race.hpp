// A guess at who wins a race of connections from the stones that every competitor still needs.
// Chosen: a stone more halves the weight of a competitor; chances are weights divided by their sum.
#pragma once

#include <array>
#include <cmath>

#include "board/hex_distance.hpp"
#include "core/scores.hpp"

namespace polymax {

// tempo: 1, or more for those who move sooner (2 = worth a stone).
inline float race_weight(int stones, float tempo = 1) {
  return stones >= kUnreachable ? 0.0f : std::ldexp(tempo, -stones);
}

// Expected gains when one seat wins and the others lose, or all draw: weight[p] for each of the
// seats, `draw` for the draw; not all are 0.
inline Scores race_gains(const Scores& weight, int players, float draw) {
  float wins = 0;
  for (int p = 0; p < players; ++p) wins += weight[p];
  Scores out;
  for (int p = 0; p < players; ++p) out[p] = (2 * weight[p] - wins) / (wins + draw);
  return out;
}

// The tempo of a seat among three that moves now, next, or last.
inline float tempo_of_three(int seat, int turn) {
  constexpr std::array<float, 3> kTempo{1.587401f, 1.259921f, 1};  // 2^(2/3), 2^(1/3), 1
  return kTempo[static_cast<std::size_t>((seat - turn + 3) % 3)];
}

}  // namespace polymax
