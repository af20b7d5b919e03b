// Four pieces of one seat as their cells in ascending order, so that equal positions are equal
// however they came about.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "board/bitboard.hpp"

namespace polymax {

using FourCells = std::array<std::uint16_t, 4>;

// Moves the piece at `from`; a sorting network without branches.
inline void move_piece(FourCells& cells, std::uint16_t from, std::uint16_t to) {
  static constexpr std::array<std::pair<std::size_t, std::size_t>, 5> kNetwork{
      {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {1, 2}}};
  std::array<unsigned, 4> out{};
  for (std::size_t i = 0; i < 4; ++i) out[i] = cells[i] == from ? to : cells[i];
  for (const auto& [i, j] : kNetwork) {
    const unsigned a = out[i], b = out[j];
    out[i] = a < b ? a : b;
    out[j] = a < b ? b : a;
  }
  for (std::size_t i = 0; i < 4; ++i) cells[i] = static_cast<std::uint16_t>(out[i]);
}

template <std::size_t kCount>
Cells cell_set(const std::array<std::uint16_t, kCount>& cells) {
  Cells out;
  for (const auto cell : cells) out.set(cell);
  return out;
}

}  // namespace polymax
