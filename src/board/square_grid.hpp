// Square boards of n x n cells: cell = row * n + column, rows counted from the top. Names as in
// chess: a1 bottom left.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "core/drawing.hpp"
#include "core/game.hpp"

namespace polymax {

inline std::string square_name(int n, int cell) {
  return static_cast<char>('a' + cell % n) + std::to_string(n - cell / n);
}

// An empty n x n board, cells in index order.
inline Drawing draw_squares(int n) {
  Drawing out;
  out.cells.resize(static_cast<std::size_t>(n * n));
  for (int i = 0; i < n * n; ++i) {
    auto& cell = out.cells[static_cast<std::size_t>(i)];
    cell.name = square_name(n, i);
    cell.index = i;
    cell.x = static_cast<float>(i % n);
    cell.y = static_cast<float>(i / n);
  }
  return out;
}

enum class Mirror { none, left_right };
inline constexpr std::array<Mirror, 2> kMirrors{Mirror::none, Mirror::left_right};

// Where each cell goes under `quarters` quarter turns clockwise, after a mirror when asked.
inline std::vector<std::uint16_t> turn_squares(int n, int quarters, Mirror mirror = Mirror::none) {
  std::vector<std::uint16_t> out;
  for (int i = 0; i < n * n; ++i) {
    int r = i / n, c = mirror == Mirror::left_right ? n - 1 - i % n : i % n;
    for (int q = 0; q < quarters; ++q) {
      const int old_r = r;
      r = c;
      c = n - 1 - old_r;
    }
    out.push_back(static_cast<std::uint16_t>(r * n + c));
  }
  return out;
}

// The four turns that make seat p of four into seat p+1. groups: what the planes are, one group
// after the other: so many planes for each seat in turn, or kOfNobody for one that stays.
inline constexpr unsigned kOfNobody = 0;
inline std::vector<Symmetry> quarter_turns(int n, std::initializer_list<unsigned> groups) {
  std::vector<Symmetry> out;
  for (unsigned quarters = 0; quarters < 4; ++quarters) {
    Symmetry turn{turn_squares(n, static_cast<int>(quarters)), {}, {}};
    for (unsigned p = 0; p < 4; ++p) turn.seats[p] = static_cast<std::uint8_t>((p + quarters) % 4);
    for (const unsigned each : groups) {
      const auto first = static_cast<unsigned>(turn.planes.size());
      if (each == kOfNobody) turn.planes.push_back(static_cast<std::uint16_t>(first));
      for (unsigned i = 0; i < 4 * each; ++i)
        turn.planes.push_back(
            static_cast<std::uint16_t>(first + turn.seats[i / each] * each + i % each));
    }
    out.push_back(turn);
  }
  return out;
}

}  // namespace polymax
