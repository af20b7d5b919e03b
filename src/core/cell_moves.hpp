// Moves that are one cell: appends a Move{cell} for every set bit, lowest first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/game.hpp"

namespace polymax {

// word_of(w) = bits of the cells 64w .. 64w+63, w < words.
template <class Move, class F>
void append_cells(int words, List<Move>& out, F word_of) {
  Move* to = out.room(static_cast<std::size_t>(words) * 64);
  for (std::size_t w = 0; w < static_cast<std::size_t>(words); ++w)
    for (std::uint64_t rest = word_of(w); rest != 0; rest &= rest - 1)
      to++->cell = static_cast<decltype(Move::cell)>(64 * w + static_cast<std::size_t>(std::countr_zero(rest)));
  out.wrote(to);
}

}  // namespace polymax
