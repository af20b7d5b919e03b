// Moves that are one cell: appends a Move{cell} for every set bit, lowest first. Eight cells at a
// time: a byte of the set chooses eight numbers, of which as many are kept as the byte has bits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/game.hpp"

namespace polymax {

// The places of the bits of a byte, lowest first; the rest of the eight are 0.
template <class Cell>
inline constexpr auto kBitsOfByte = [] {
  std::array<std::array<Cell, 8>, 256> out{};
  for (unsigned byte = 0; byte < 256; ++byte)
    for (unsigned bit = 0, n = 0; bit < 8; ++bit)
      if (byte >> bit & 1) out[byte][n++] = static_cast<Cell>(bit);
  return out;
}();

// word_of(w) = bits of the cells 64w .. 64w+63, w < words.
template <class Move, class F>
void append_cells(int words, List<Move>& out, F word_of) {
  using Cell = decltype(Move::cell);
  Move* to = out.room(static_cast<std::size_t>(words) * 64 + 8);
  for (std::size_t w = 0; w < static_cast<std::size_t>(words); ++w) {
    const std::uint64_t set = word_of(w);
    if (set == 0) continue;
    for (unsigned byte = 0; byte < 8; ++byte) {
      const auto bits = set >> 8 * byte & 0xff;
      const auto first = static_cast<Cell>(64 * w + 8 * byte);
      const auto& places = kBitsOfByte<Cell>[bits];
      std::array<Move, 8> eight;  // first here, so that the compiler may handle all at once
      for (std::size_t i = 0; i < 8; ++i) eight[i].cell = static_cast<Cell>(first + places[i]);
      std::copy(eight.begin(), eight.end(), to);
      to += std::popcount(bits);
    }
  }
  out.wrote(to);
}

}  // namespace polymax
