// A hand-written guess of the stones that every seat of an Othello-like game will own at the end.
// Chosen: five weights a game. Stones on corners, on the border and beside empty corners count
// early, the number of stones and how many of them lie next to empty cells count late; the weights
// come from least squares on self-play and were then adjusted in matches of one-ply players.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "board/bitboard.hpp"
#include "board/brackets.hpp"
#include "board/flipping.hpp"

namespace polymax {

// What one such stone is worth in stones at the end, beyond what the other seats have of them on
// average.
struct FlipWeights {
  float stone, corner, beside_corner, border;  // at the start of the game; at the end 1, 0, 0, 0
  float exposed;                               // at the end of the game; at the start 0
};

class FlipGuess {
 public:
  FlipGuess(const Brackets& brackets, const Cells& cells, const FlipWeights& weights)
      : cells_(cells), weights_(weights) {
    brackets.corners().for_each([&](int cell) {
      corners_.push_back({cell, brackets.exposed(Cells::of(cell))});
    });
  }

  // One number a seat, together the number of cells. played = the share of the game that is over,
  // 0..1.
  template <std::size_t kSeats>
  std::array<float, kSeats> stones(const FlipPosition<kSeats>& s, const Brackets& brackets,
                                   float played) const {
    const Cells occupied = s.occupied(), exposed = brackets.exposed(cells_.without(occupied));
    Cells beside;
    for (const auto& corner : corners_)
      if (!occupied.test(corner.cell)) beside |= corner.beside;
    const float left = 1 - played;
    std::array<float, kSeats> out;
    float sum = 0;
    for (std::size_t p = 0; p < kSeats; ++p) {
      const Cells& own = s.stones[p];
      const auto worth = [&](const Cells& set, float weight) {
        return weight * static_cast<float>((own & set).count());
      };
      out[p] = worth(cells_, left * weights_.stone + played) +
               worth(exposed, played * weights_.exposed) +
               left * (worth(brackets.corners(), weights_.corner) +
                       worth(beside, weights_.beside_corner) +
                       worth(brackets.border().without(beside), weights_.border));
      sum += out[p];
    }
    const float level = (static_cast<float>(cells_.count()) - sum) / static_cast<float>(kSeats);
    for (auto& x : out) x += level;
    return out;
  }

 private:
  struct Corner {
    int cell;
    Cells beside;
  };
  Cells cells_;
  FlipWeights weights_;
  std::vector<Corner> corners_;
};

}  // namespace polymax
