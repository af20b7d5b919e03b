// How many stones a seat still needs to join two edges of a hexagonal board, when nobody answers: 0-1 breadth-first
// search.
#pragma once

#include <array>
#include <cstdint>

#include "core/bitboard.hpp"
#include "core/hex_grid.hpp"

namespace polymax {

inline constexpr int kUnreachable = 1000;

// stones: cells that cost nothing; open: cells that may be used at all (stones among them); others are walls.
// What a step costs depends on the cell entered alone, so a cell's first discovery is its distance.
inline int stones_needed(const HexGrid& grid, const Cells& stones, const Cells& open, const Cells& from,
                         const Cells& to) {
  std::array<std::array<std::uint16_t, kMaxCells>, 2> waves;
  std::size_t size = 0, next_size = 0, now = 0;
  Cells seen;
  const auto visit = [&](int cell) {
    if (!open.test(cell) || seen.test(cell)) return;
    seen.set(cell);
    auto& place = stones.test(cell) ? waves[now][size++] : waves[1 - now][next_size++];
    place = static_cast<std::uint16_t>(cell);
  };
  from.for_each(visit);
  for (int distance = 0;; ++distance) {
    for (std::size_t i = 0; i < size; ++i) {  // the wave grows while we walk it
      const int cell = waves[now][i];
      if (to.test(cell)) return distance;
      for (const auto n : grid.neighbours(cell)) visit(n);
    }
    if (next_size == 0) return kUnreachable;
    now = 1 - now;
    size = next_size;
    next_size = 0;
  }
}

}  // namespace polymax
