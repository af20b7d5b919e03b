// The 21 free polyominoes of one to five cells and their 91 orientations (fixed polyominoes).
// Names: the usual letter, with the number of cells where several sizes share it.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <set>
#include <string_view>
#include <vector>

namespace polymax {

struct Place {
  int row = 0, column = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Polyomino {
  std::string_view name, rows;  // x = cell, rows separated by /

  constexpr int size() const { return static_cast<int>(std::ranges::count(rows, 'x')); }
};

// Largest first.
inline constexpr std::array<Polyomino, 21> kPolyominoes{{
    {"F", ".xx/xx./.x."}, {"I5", "xxxxx"},       {"L5", "x/x/x/xx"},   {"N", ".x/xx/x./x."},
    {"P", "xx/xx/x."},    {"T5", "xxx/.x./.x."}, {"U", "x.x/xxx"},     {"V5", "x../x../xxx"},
    {"W", "x../xx./.xx"}, {"X", ".x./xxx/.x."},  {"Y", ".x/xx/.x/.x"}, {"Z5", "xx./.x./.xx"},
    {"I4", "xxxx"},       {"L4", "x./x./xx"},    {"O", "xx/xx"},       {"T4", "xxx/.x."},
    {"Z4", "xx./.xx"},    {"I3", "xxx"},         {"V3", "x./xx"},      {"2", "xx"},
    {"1", "x"},
}};

using Shape = std::vector<Place>;  // in reading order: top row first, left to right

inline Shape shape_of(const Polyomino& piece) {
  Shape out;
  Place at;
  for (const char c : piece.rows) {
    if (c == 'x') out.push_back(at);
    at = c == '/' ? Place{at.row + 1, 0} : Place{at.row, at.column + 1};
  }
  return out;
}

// The same shape in reading order, with its first cell at (0, 0).
inline Shape normal_shape(Shape shape) {
  std::ranges::sort(shape);
  const Place first = shape.front();
  for (auto& cell : shape) cell = {cell.row - first.row, cell.column - first.column};
  return shape;
}

// All different rotations and reflections, each normal, in a fixed order.
inline std::vector<Shape> orientations(const Polyomino& piece) {
  std::set<Shape> out;
  Shape shape = shape_of(piece);
  for (int i = 0; i < 8; ++i) {
    for (auto& cell : shape) cell = {cell.column, -cell.row};
    if (i == 4)
      for (auto& cell : shape) cell.column = -cell.column;
    out.insert(normal_shape(shape));
  }
  return {out.begin(), out.end()};
}

}  // namespace polymax
