// A number for every seat: scores, gains, points, values. Seats beyond the game's players stay 0.
#pragma once

#include <array>
#include <cstddef>

namespace polymax {

// For games with more seats raise it and follow the static_asserts; the page has four colours, too
// (web/theme.css).
inline constexpr int kMaxPlayers = 4;

struct Scores {
  std::array<float, kMaxPlayers> seats{};

  constexpr float& operator[](int seat) { return seats[static_cast<std::size_t>(seat)]; }
  constexpr float operator[](int seat) const { return seats[static_cast<std::size_t>(seat)]; }
  friend constexpr bool operator==(const Scores&, const Scores&) = default;
};

// The same number for the first `players` seats.
constexpr Scores all_seats(int players, float value) {
  Scores out;
  for (int p = 0; p < players; ++p) out[p] = value;
  return out;
}

// `part` of the way from one to the other.
constexpr Scores between(const Scores& from, const Scores& to, float part) {
  Scores out;
  for (int p = 0; p < kMaxPlayers; ++p) out[p] = from[p] + part * (to[p] - from[p]);
  return out;
}

// +1 for every seat that has the largest score (joint winners all win), -1 for the others.
constexpr Scores leaders_win(const Scores& score, int players) {
  float best = score[0];
  for (int p = 1; p < players; ++p) best = score[p] > best ? score[p] : best;
  Scores out;
  for (int p = 0; p < players; ++p) out[p] = score[p] == best ? 1.0f : -1.0f;
  return out;
}

// Counts a match of this gain among the wins of every seat; a joint win is shared in equal parts.
// False when nobody has won: a draw.
constexpr bool add_wins(const Scores& gain, int players, std::array<double, kMaxPlayers>& wins) {
  int winners = 0;
  for (int p = 0; p < players; ++p) winners += gain[p] == 1 ? 1 : 0;
  for (int p = 0; p < players; ++p)
    if (gain[p] == 1) wins[static_cast<std::size_t>(p)] += 1.0 / winners;
  return winners > 0;
}

// +1 for the winner, -1 for everybody else.
constexpr Scores one_winner(int winner, int players) {
  Scores out = all_seats(players, -1.0f);
  out[winner] = 1.0f;
  return out;
}

}  // namespace polymax
