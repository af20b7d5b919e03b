// Square boards of n x n cells: cell = row * n + column, rows counted from the top. Names as in
// chess: a1 bottom left.
#pragma once

#include <cstdint>
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

// Where each cell goes under `quarters` quarter turns clockwise, after a left-right mirror when
// asked.
inline std::vector<std::uint16_t> turn_squares(int n, int quarters, bool mirror = false) {
  std::vector<std::uint16_t> out;
  for (int i = 0; i < n * n; ++i) {
    int r = i / n, c = mirror ? n - 1 - i % n : i % n;
    for (int q = 0; q < quarters; ++q) {
      const int old_r = r;
      r = c;
      c = n - 1 - old_r;
    }
    out.push_back(static_cast<std::uint16_t>(r * n + c));
  }
  return out;
}

}  // namespace polymax
