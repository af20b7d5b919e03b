// Where moves along lines lie for the second head of a network: a plane for every direction and
// distance, at the cell where the move begins. Plane 0 is for moves that are one cell (a placement,
// a shot). A direction is a step in rows and columns of the planes' box.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <span>
#include <vector>

#include "core/game.hpp"

namespace polymax {

class SlidePlanes {
 public:
  struct Step {
    int rows, columns;
  };

  static constexpr std::initializer_list<Step> kQueen{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1},
                                                      {0, 1},   {1, -1}, {1, 0},  {1, 1}};
  static constexpr std::initializer_list<Step> kHexagon{{-1, 0}, {-1, 1}, {0, -1},
                                                        {0, 1},  {1, -1}, {1, 0}};

  // longest: the greatest distance of a move.
  SlidePlanes(int width, int longest, std::initializer_list<Step> directions)
      : width_(width), longest_(longest), directions_(static_cast<int>(directions.size())) {
    int index = 0;
    for (const Step step : directions) index_[code(step.rows, step.columns)] = index++;
  }

  int count() const { return 1 + directions_ * longest_; }

  static MovePlace one_cell(int cell) { return {0, static_cast<std::uint16_t>(cell)}; }

  // The cells are different and lie on a line.
  MovePlace slide(int from, int to) const {
    const int plane = plane_of(from, to);
    assert(plane > 0);
    return {static_cast<std::uint16_t>(plane), static_cast<std::uint16_t>(from)};
  }

  // What becomes of the planes when the cells of the box go to cells[i], which takes lines to
  // lines. real: the cells that moves are made of.
  std::vector<MovePlaneTurn> turned(std::span<const std::uint16_t> cells,
                                    std::span<const std::uint16_t> real) const {
    std::vector<MovePlaneTurn> out(static_cast<std::size_t>(count()));
    for (std::size_t k = 0; k < out.size(); ++k) out[k].plane = static_cast<std::uint16_t>(k);
    for (const auto from : real)
      for (const auto to : real)
        if (const int plane = plane_of(from, to); plane > 0)
          out[static_cast<std::size_t>(plane)].plane =
              static_cast<std::uint16_t>(plane_of(cells[from], cells[to]));
    return out;
  }

 private:
  static constexpr int kNone = -1;

  static constexpr std::size_t code(int rows, int columns) {
    const auto sign = [](int x) { return (x > 0) - (x < 0); };
    return static_cast<std::size_t>(3 * (sign(rows) + 1) + sign(columns) + 1);
  }

  // 0 when there is no such move.
  int plane_of(int from, int to) const {
    const int rows = to / width_ - from / width_, columns = to % width_ - from % width_;
    const int distance = std::max(std::abs(rows), std::abs(columns));
    const int direction = index_[code(rows, columns)];
    const bool in_line = rows == 0 || columns == 0 || std::abs(rows) == std::abs(columns);
    if (direction == kNone || !in_line || distance > longest_) return 0;
    return 1 + direction * longest_ + distance - 1;
  }

  int width_, longest_, directions_;
  std::array<int, 9> index_{kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone};
};

}  // namespace polymax
