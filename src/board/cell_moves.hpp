// Moves that are one cell, and lists of them from a set of cells.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/game.hpp"

namespace polymax {

struct CellMove {
  std::uint16_t cell = 0;
  friend bool operator==(CellMove, CellMove) = default;
};

// The places of the bits of a byte, lowest first; the rest of the eight are 0.
inline constexpr auto kBitsOfByte = [] {
  std::array<std::array<std::uint16_t, 8>, 256> out{};
  for (unsigned byte = 0; byte < 256; ++byte)
    for (unsigned bit = 0, n = 0; bit < 8; ++bit)
      if (byte >> bit & 1) out[byte][n++] = static_cast<std::uint16_t>(bit);
  return out;
}();

// Appends a move for every set bit, lowest first: word_of(w) = bits of the cells 64w .. 64w+63,
// w < words. Eight cells at a time: a byte of the set chooses eight numbers, of which as many are
// kept as the byte has bits.
template <class F>
void append_cells(int words, List<CellMove>& out, F word_of) {
  CellMove* to = out.room(static_cast<std::size_t>(words) * 64 + 8);
  for (std::size_t w = 0; w < static_cast<std::size_t>(words); ++w) {
    const std::uint64_t set = word_of(w);
    if (set == 0) continue;
    for (unsigned byte = 0; byte < 8; ++byte) {
      const auto bits = set >> 8 * byte & 0xff;
      const auto first = static_cast<std::uint16_t>(64 * w + 8 * byte);
      const auto& places = kBitsOfByte[bits];
      std::array<CellMove, 8> eight;  // first here, so that the compiler may handle all at once
      for (std::size_t i = 0; i < 8; ++i)
        eight[i].cell = static_cast<std::uint16_t>(first + places[i]);
      std::copy(eight.begin(), eight.end(), to);
      to += std::popcount(bits);
    }
  }
  out.wrote(to);
}

}  // namespace polymax
