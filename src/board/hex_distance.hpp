// How many stones a seat still needs to join two edges of a hexagonal board, when nobody answers:
// 0-1 breadth-first search.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "board/bitboard.hpp"
#include "board/hex_grid.hpp"

namespace polymax {

inline constexpr int kUnreachable = 1000;

// stones: cells that cost nothing; open: cells that may be used at all (stones among them); others
// are walls. What a step costs depends on the cell entered alone, so a cell's first discovery is
// its distance.
inline int stones_needed(const HexGrid& grid, const Cells& stones, const Cells& open,
                         const Cells& from, const Cells& to) {
  std::array<std::array<std::uint16_t, kMaxCells>, 2> waves;
  std::size_t size = 0, next_size = 0, now = 0;
  Cells unseen = open.without(from);
  const auto discover = [&](int cell, bool stone) {
    auto& place = stone ? waves[now][size++] : waves[1 - now][next_size++];
    place = static_cast<std::uint16_t>(cell);
  };
  (open & from).for_each([&](int cell) { discover(cell, stones.test(cell)); });
  for (int distance = 0;; ++distance) {
    for (std::size_t i = 0; i < size; ++i) {  // the wave grows while we walk it
      const int cell = waves[now][i];
      if (to.test(cell)) return distance;
      const auto& around = grid.around(cell);
      std::uint64_t fresh = around.of(unseen);
      around.remove(fresh, unseen);
      for (const std::uint64_t held = around.of(stones); fresh != 0; fresh &= fresh - 1)
        discover(around.first + std::countr_zero(fresh), (fresh & -fresh & held) != 0);
    }
    if (next_size == 0) return kUnreachable;
    now = 1 - now;
    size = next_size;
    next_size = 0;
  }
}

}  // namespace polymax
