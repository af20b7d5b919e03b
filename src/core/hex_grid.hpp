// Boards of hexagonal cells in a box: a hexagon of given side in its (2n-1) x (2n-1) axial box, or an n x n rhombus.
// Holds what connection games need: neighbours, sides, names, places for drawing, rotations; and the incremental flood.
// Box cell = row * width + column, rows counted from the top. In the hexagon, x = column and y = height - 1 - row, as
// in docs; a cell is real where |x - y| < n.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/bitboard.hpp"
#include "core/drawing.hpp"

namespace polymax {

class HexGrid {
 public:
  static HexGrid hexagon(int side);
  static HexGrid rhombus(int n);

  int width() const { return width_; }  // also the height
  int box() const { return width_ * width_; }
  int words() const { return (box() + 63) / 64; }
  const Cells& cells() const { return cells_; }
  int count() const { return count_; }

  // Always six; places without a neighbour hold kNoCell, which no board ever contains.
  static constexpr int kNoCell = Cells::kWords * 64 - 1;
  const std::array<std::uint16_t, 6>& neighbours(int cell) const { return neighbours_[static_cast<std::size_t>(cell)]; }

  // Hexagon: 0..5 clockwise from the top (top, upper right, lower right, bottom, lower left, upper left).
  // Rhombus: 0 top, 1 right, 2 bottom, 3 left. Corner cells belong to both of their sides.
  const Cells& side(int i) const { return sides_[static_cast<std::size_t>(i)]; }

  std::string name(int cell) const;
  Drawing draw() const;  // real cells only, lowest index first

  // Hexagon: where each box cell goes under `sixths` sixth turns clockwise (cells outside the hexagon stay).
  // Rhombus: only sixths = 0 and 3 (the half turn).
  std::vector<std::uint16_t> turn(int sixths) const;

 private:
  HexGrid(int width, bool rhombic) : width_(width), rhombic_(rhombic) {}
  std::pair<int, int> xy(int cell) const { return {cell % width_, width_ - 1 - cell / width_}; }
  int at(int x, int y) const { return (width_ - 1 - y) * width_ + x; }
  bool real(int x, int y) const;
  void link();

  int width_;
  bool rhombic_;
  int count_ = 0;
  Cells cells_;
  std::array<std::array<std::uint16_t, 6>, kMaxCells> neighbours_{};
  std::array<Cells, 6> sides_{};
};

// `reached` = the stones connected with the edge `from`. After `cell` was added to `stones`: brings `reached` up to
// date. Every stone is flooded once in a game. The caller sees a connection when `reached` meets the opposite edge.
// Returns whether `reached` grew.
inline bool extend_reach(const HexGrid& grid, const Cells& stones, const Cells& from, int cell, Cells& reached) {
  bool touches = from.test(cell);
  for (const auto n : grid.neighbours(cell)) touches |= reached.test(n);
  if (!touches) return false;
  std::array<std::uint16_t, kMaxCells> stack;
  std::size_t top = 0;
  stack[top++] = static_cast<std::uint16_t>(cell);
  reached.set(cell);
  while (top > 0) {
    for (const auto n : grid.neighbours(stack[--top])) {
      if (!stones.test(n) || reached.test(n)) continue;
      reached.set(n);
      stack[top++] = n;
    }
  }
  return true;
}

}  // namespace polymax
