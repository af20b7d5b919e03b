// Boards of hexagonal cells in a box: a hexagon of given side in its (2n-1) x (2n-1) axial box, or
// an n x n rhombus. Holds what connection games need: neighbours, sides, names, places for drawing,
// rotations; and the incremental flood. Box cell = row * width + column, rows counted from the top.
// In the hexagon, x = column and y = height - 1 - row, as in docs; a cell is real where |x - y| <
// n.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "board/bitboard.hpp"
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
  const std::array<std::uint16_t, 6>& neighbours(int cell) const {
    return neighbours_[static_cast<std::size_t>(cell)];
  }

  // The neighbours of a cell as bits: bit i stands for the cell first + i. Three rows of a box fit
  // in one word.
  struct Around {
    std::uint64_t mask = 0;
    std::uint16_t first = 0;
    std::uint8_t word = 0, shift = 0;  // where `first` lies in a board

    std::uint64_t of(const Cells& set) const {
      return (set.words[word] >> shift | set.words[word + 1u] << 1 << (63 - shift)) & mask;
    }
    void add(std::uint64_t bits, Cells& set) const {
      set.words[word] |= bits << shift;
      set.words[word + 1u] |= bits >> 1 >> (63 - shift);
    }
    void remove(std::uint64_t bits, Cells& set) const {
      set.words[word] &= ~(bits << shift);
      set.words[word + 1u] &= ~(bits >> 1 >> (63 - shift));
    }
  };
  const Around& around(int cell) const { return around_[static_cast<std::size_t>(cell)]; }

  // Hexagon: 0..5 clockwise from the top (top, upper right, lower right, bottom, lower left, upper
  // left). Rhombus: 0 top, 1 right, 2 bottom, 3 left. Corner cells belong to both of their sides.
  const Cells& side(int i) const { return sides_[static_cast<std::size_t>(i)]; }

  std::string name(int cell) const;
  Drawing draw() const;                                     // real cells only, lowest index first
  DrawnSide drawn_side(const Cells& line, int seat) const;  // cells of one side, or some of them

  // Hexagon: where each box cell goes under `sixths` sixth turns clockwise (cells outside the
  // hexagon stay). Rhombus: only sixths = 0 and 3 (the half turn).
  std::vector<std::uint16_t> turn(int sixths) const;

 private:
  enum class Outline { hexagon, rhombus };

  HexGrid(int width, Outline outline) : width_(width), outline_(outline) {}
  bool rhombic() const { return outline_ == Outline::rhombus; }
  std::pair<int, int> xy(int cell) const { return {cell % width_, width_ - 1 - cell / width_}; }
  std::pair<float, float> place(int cell) const;  // centre in a drawing
  int at(int x, int y) const { return (width_ - 1 - y) * width_ + x; }
  bool real(int x, int y) const;
  void link();
  void look_around();

  int width_;
  Outline outline_;
  int count_ = 0;
  Cells cells_;
  std::array<std::array<std::uint16_t, 6>, kMaxCells> neighbours_{};
  std::array<Around, kMaxCells> around_{};
  std::array<Cells, 6> sides_{};
};

// `reached` = the stones connected with the edge `from`, before a stone is put on `cell`: does it
// join them?
inline bool joins_reach(const HexGrid& grid, const Cells& from, int cell, const Cells& reached) {
  return from.test(cell) || grid.around(cell).of(reached) != 0;
}

// After a stone on `cell`, now among `stones`, joined `reached`: adds all that is connected with
// it.
inline void flood_reach(const HexGrid& grid, const Cells& stones, int cell, Cells& reached) {
  std::array<std::uint16_t, kMaxCells> stack;
  std::size_t top = 0;
  stack[top++] = static_cast<std::uint16_t>(cell);
  reached.set(cell);
  while (top > 0) {
    const auto& around = grid.around(stack[--top]);
    std::uint64_t fresh = around.of(stones) & ~around.of(reached);
    around.add(fresh, reached);
    for (; fresh != 0; fresh &= fresh - 1)
      stack[top++] = static_cast<std::uint16_t>(around.first + std::countr_zero(fresh));
  }
}

// After `cell` was added to `stones`: brings `reached` up to date. Every stone is flooded once in a
// game. The caller sees a connection when `reached` meets the opposite edge. Returns whether
// `reached` grew.
inline bool extend_reach(const HexGrid& grid, const Cells& stones, const Cells& from, int cell,
                         Cells& reached) {
  if (!joins_reach(grid, from, cell, reached)) return false;
  flood_reach(grid, stones, cell, reached);
  return true;
}

}  // namespace polymax
