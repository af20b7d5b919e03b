#include "board/hex_grid.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <tuple>

namespace polymax {

bool HexGrid::real(int x, int y) const {
  if (x < 0 || y < 0 || x >= width_ || y >= width_) return false;
  return rhombic() || std::abs(x - y) <= width_ / 2;
}

// Neighbours in both layouts: the box counts y upwards, so (x+1,y+1) and (x-1,y-1) are the diagonal
// pair, which on the rhombus is (row-1, column+1) and (row+1, column-1).
void HexGrid::link() {
  constexpr std::array<std::pair<int, int>, 6> kSteps{
      {{0, 1}, {1, 1}, {1, 0}, {0, -1}, {-1, -1}, {-1, 0}}};
  for (int cell = 0; cell < box(); ++cell) {
    const auto [x, y] = xy(cell);
    auto& out = neighbours_[static_cast<std::size_t>(cell)];
    out.fill(kNoCell);
    if (!real(x, y)) continue;
    cells_.set(cell);
    ++count_;
    for (std::size_t d = 0; d < kSteps.size(); ++d) {
      const auto [dx, dy] = kSteps[d];
      if (real(x + dx, y + dy)) out[d] = static_cast<std::uint16_t>(at(x + dx, y + dy));
    }
  }
  look_around();
}

void HexGrid::look_around() {
  assert(2 * width_ < 64);
  cells_.for_each([&](int cell) {
    const int first = std::max(0, cell - width_);
    assert(first / 64 + 1 < Cells::kWords);
    Around around{0, static_cast<std::uint16_t>(first), static_cast<std::uint8_t>(first / 64),
                  static_cast<std::uint8_t>(first % 64)};
    for (const auto n : neighbours(cell))
      if (n != kNoCell) around.mask |= 1ull << (n - first);
    around_[static_cast<std::size_t>(cell)] = around;
  });
}

HexGrid HexGrid::hexagon(int side) {
  HexGrid grid(2 * side - 1, Outline::hexagon);
  grid.link();
  const int far = 2 * side - 2;
  grid.cells_.for_each([&](int cell) {
    const auto [x, y] = grid.xy(cell);
    const std::array<bool, 6> on{y == far, x == far, x - y == side - 1,
                                 y == 0,   x == 0,   y - x == side - 1};
    for (std::size_t i = 0; i < on.size(); ++i)
      if (on[i]) grid.sides_[i].set(cell);
  });
  return grid;
}

HexGrid HexGrid::rhombus(int n) {
  HexGrid grid(n, Outline::rhombus);
  grid.link();
  for (int i = 0; i < n; ++i) {
    grid.sides_[0].set(i);
    grid.sides_[1].set(i * n + n - 1);
    grid.sides_[2].set((n - 1) * n + i);
    grid.sides_[3].set(i * n);
  }
  return grid;
}

std::string HexGrid::name(int cell) const {
  const auto [x, y] = xy(cell);
  const int number = rhombic() ? cell / width_ + 1 : y + 1;
  return static_cast<char>('a' + x) + std::to_string(number);
}

std::pair<float, float> HexGrid::place(int cell) const {
  const auto row = static_cast<float>(cell / width_), column = static_cast<float>(cell % width_);
  return {rhombic() ? column + row / 2 : column - (static_cast<float>(width_ - 1) - row) / 2,
          row * std::sqrt(3.0f) / 2};
}

Drawing HexGrid::draw() const {
  Drawing out;
  out.shape = CellShape::hexagon;
  cells_.for_each([&](int cell) {
    DrawnCell drawn;
    drawn.name = name(cell);
    drawn.index = cell;
    std::tie(drawn.x, drawn.y) = place(cell);
    out.cells.push_back(drawn);
  });
  return out;
}

DrawnSide HexGrid::drawn_side(const Cells& line, int seat) const {
  int first = -1, last = -1;
  line.for_each([&](int cell) {
    if (first < 0) first = cell;
    last = cell;
  });
  const auto [x1, y1] = place(first);
  const auto [x2, y2] = place(last);
  return {seat, x1, y1, x2, y2};
}

std::vector<std::uint16_t> HexGrid::turn(int sixths) const {
  std::vector<std::uint16_t> out(static_cast<std::size_t>(box()));
  const int middle = width_ / 2;
  for (int cell = 0; cell < box(); ++cell) {
    auto [x, y] = xy(cell);
    if (rhombic()) {
      out[static_cast<std::size_t>(cell)] =
          static_cast<std::uint16_t>(sixths == 0 ? cell : box() - 1 - cell);
      continue;
    }
    for (int i = 0; i < sixths && real(x, y); ++i) {
      // clockwise: (0,1) -> (1,1) -> (1,0) -> (0,-1) -> (-1,-1) -> (-1,0)
      const int dx = x - middle, dy = y - middle;
      x = middle + dy;
      y = middle + dy - dx;
    }
    out[static_cast<std::size_t>(cell)] = static_cast<std::uint16_t>(at(x, y));
  }
  return out;
}

}  // namespace polymax
