// Three seats on a hexagon: a sixth turn clockwise makes seat p into seat p+1; in hex3 and threehex
// seat p joins sides p and p+3.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "board/hex_grid.hpp"
#include "core/drawing.hpp"
#include "core/game.hpp"
#include "core/hash.hpp"

namespace polymax {

// The six turns, for planes that are `groups` times a plane for each of three seats, then `shared`
// planes of nobody.
inline std::vector<Symmetry> sixth_turns(const HexGrid& grid, int groups, int shared) {
  std::vector<Symmetry> out;
  for (int sixths = 0; sixths < 6; ++sixths) {
    Symmetry turn{grid.turn(sixths), {}, {}};
    for (int p = 0; p < 3; ++p)
      turn.seats[static_cast<std::size_t>(p)] = static_cast<std::uint8_t>((p + sixths) % 3);
    for (int k = 0; k < 3 * groups; ++k)
      turn.planes.push_back(static_cast<std::uint16_t>(k / 3 * 3 + (k + sixths) % 3));
    for (int k = 0; k < shared; ++k)
      turn.planes.push_back(static_cast<std::uint16_t>(3 * groups + k));
    out.push_back(turn);
  }
  return out;
}

// kSeatOfThree[p + 1], kSeatOfThree[p + 2]: the seats after p.
inline constexpr std::array<unsigned, 5> kSeatOfThree{0, 1, 2, 0, 1};

// For positions with a `turn` that is part of their `hash`.
template <class State>
void set_turn_of_three(State& s, unsigned seat) {
  constexpr std::array<std::uint64_t, 3> kKeys{zobrist(3, 0), zobrist(3, 1), zobrist(3, 2)};
  s.hash ^= kKeys[s.turn] ^ kKeys[seat];
  s.turn = static_cast<std::uint8_t>(seat);
}

// The six sides with their seats. Border cells get the tint 1 + the seat whose side they are;
// corners, which lie on two sides, keep 0.
inline void tint_sides(const HexGrid& grid, Drawing& drawing) {
  for (int i = 0; i < 6; ++i) drawing.sides.push_back(grid.drawn_side(grid.side(i), i % 3));
  for (auto& cell : drawing.cells) {
    int sides = 0;
    for (int i = 0; i < 6; ++i) {
      if (!grid.side(i).test(cell.index)) continue;
      cell.tint = ++sides == 1 ? 1 + i % 3 : 0;
    }
  }
}

}  // namespace polymax
