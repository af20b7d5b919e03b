// Othello's rule on boards whose lines are equal steps of the cell number: where a new stone
// encloses a run between itself and an end piece, and which stones it encloses. Four axes at once,
// one 64-bit lane for each; the number of words follows the board. On a hexagon the centre may be a
// hole: no cell, and lines go on behind it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "board/bitboard.hpp"
#include "board/hex_grid.hpp"

namespace polymax {

class Brackets {
 public:
  static Brackets squares(int n);  // cell = row * n + column; rows, columns, diagonals
  static Brackets hexagon(const HexGrid& grid, int hole);  // three axes; `hole` is the centre

  // The cells of `free` from which a run of `between`, one stone or more, leads in a line to a
  // stone of `ends`. Cells next to a hole must not be free: a hole alone would count as a run.
  Cells moves(const Cells& ends, const Cells& between, const Cells& free) const {
    return moves_(*this, ends, between, free);
  }

  // The stones of `between` that a new stone on `cell` encloses with the stones of `ends`.
  Cells captured(int cell, const Cells& ends, const Cells& between) const {
    return captured_(*this, cell, ends, between);
  }

  // The cells next to a cell of `empty` on a line on which a stone there could be enclosed.
  Cells exposed(const Cells& empty) const { return exposed_(*this, empty); }

  // Cells that no line encloses, and cells that just one line does (the border between two
  // corners).
  const Cells& corners() const { return corners_; }
  const Cells& border() const { return border_; }

 private:
  struct Kernel;  // the algorithms, one set for each number of words
  static constexpr std::size_t kAxes = 4;
  using OnAxes = std::array<std::uint64_t, kAxes>;

  Brackets() = default;
  void add_axis(std::size_t axis, int stride, const Cells& inner);
  void finish(int cells, int longest_line);

  // inner_: for each word and axis, the cells with a neighbour on both sides: others are never
  // inside of a run.
  alignas(32) std::array<OnAxes, Cells::kWords> inner_{};
  alignas(32) OnAxes stride_{1, 1, 1, 1};
  int rounds_ = 0;  // steps of two cells, after the first two, to the end of the longest run
  Cells hole_, corners_, border_;
  Cells (*moves_)(const Brackets&, const Cells&, const Cells&, const Cells&) = nullptr;
  Cells (*captured_)(const Brackets&, int, const Cells&, const Cells&) = nullptr;
  Cells (*exposed_)(const Brackets&, const Cells&) = nullptr;
};

}  // namespace polymax
