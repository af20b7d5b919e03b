// The tables of corner_ways.hpp, made from the list of polyominoes.
#include "board/corner_ways.hpp"

#include <bit>

namespace polymax {

namespace {

constexpr std::array<Place, 4> kClockwise{
    {{0, -1}, {-1, 0}, {0, 1}, {1, 0}}};  // left, above, right, below

// Quarter 0 leaves left and above closed; the others by turning clockwise.
bool closes(std::size_t quarter, Place cell) {
  return cell == kClockwise[quarter] || cell == kClockwise[(quarter + 1) % 4];
}

// The shape's cells seen from one of them.
Shape seen_from(Shape shape, Place at) {
  for (auto& cell : shape) cell = {cell.row - at.row, cell.column - at.column};
  return shape;
}

// A piece reaches less than half a row to the left of its first cell.
Place place_of(int offset) {
  const int row = (offset + CornerWays::kStride / 2) / CornerWays::kStride;
  return {row, offset - row * CornerWays::kStride};
}

}  // namespace

CornerWays::CornerWays() {
  quarter_of_.fill(4);
  std::array<std::vector<Shape>, 4> ways;
  std::size_t count = 0;
  for (std::size_t piece = 0; piece < kPolyominoes.size(); ++piece) {
    const int first_way = static_cast<int>(ways[0].size());
    for (const Shape& shape : orientations(kPolyominoes[piece])) {
      auto& orientation = orientations_[count];
      orientation = {static_cast<std::uint8_t>(piece), static_cast<std::uint8_t>(shape.size()), {}};
      for (std::size_t i = 0; i < shape.size(); ++i)
        orientation.offsets[i] = static_cast<std::uint8_t>(index(shape[i]));
      for (std::size_t quarter = 0; quarter < 4; ++quarter)
        add_ways(count, shape, quarter, ways[quarter]);
      ++count;
    }
    for (int way = first_way; way < static_cast<int>(ways[0].size()); ++way)
      for (std::size_t set = 0; set < 128; ++set)
        if (set >> piece % 7 & 1) of_pieces_[piece / 7][set].set(way);
  }
  assert(count == kOrientations && ways[0].size() == kWays);
  for (std::size_t quarter = 0; quarter < 4; ++quarter) fill(quarter, ways[quarter]);
}

CornerWays::Turned CornerWays::turned(int orientation, int quarters) const {
  const Orientation& now = orientations_[static_cast<std::size_t>(orientation)];
  Shape cells, shape;
  for (std::size_t i = 0; i < now.size; ++i) cells.push_back(place_of(now.offsets[i]));
  shape = cells;
  for (auto& cell : shape)
    for (int q = 0; q < quarters; ++q) cell = {cell.column, -cell.row};
  const auto first = std::ranges::min_element(shape) - shape.begin();
  const Shape wanted = normal_shape(shape);
  const auto found = std::ranges::find_if(orientations_, [&](const Orientation& one) {
    bool same = one.piece == now.piece;
    for (std::size_t i = 0; i < wanted.size(); ++i) same &= place_of(one.offsets[i]) == wanted[i];
    return same;
  });
  return {static_cast<int>(found - orientations_.begin()), cells[static_cast<std::size_t>(first)]};
}

// The ways of one orientation in a quarter: every cell of it may lie on the corner unless that
// closes a neighbour in use.
void CornerWays::add_ways(std::size_t orientation, const Shape& shape, std::size_t quarter,
                          std::vector<Shape>& ways) {
  for (const Place cell : shape) {
    const Shape seen = seen_from(shape, cell);
    if (std::ranges::any_of(seen, [&](Place p) { return closes(quarter, p); })) continue;
    const int placement = static_cast<int>(orientation) * kBits - index(cell);
    quarters_[quarter].placements[ways.size()] = static_cast<std::uint16_t>(placement);
    ways.push_back(seen);
  }
}

void CornerWays::fill(std::size_t quarter, const std::vector<Shape>& ways) {
  Quarter& q = quarters_[quarter];
  for (const Shape& way : ways)
    for (const Place cell : way)
      if (cell != Place{}) q.cells[window_word(cell)] |= bit(cell);
  q.shifts = {std::popcount(q.cells[0]), std::popcount(q.cells[0]) + std::popcount(q.cells[1])};
  assert(q.shifts[1] + std::popcount(q.cells[2]) == 28);
  for (std::size_t way = 0; way < ways.size(); ++way) {
    std::array<std::uint64_t, 3> needed{};
    for (const Place cell : ways[way]) needed[window_word(cell)] |= bit(cell);
    const std::uint64_t bits = packed(q, needed);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::uint64_t open = 0; open < 128; ++open)
        if ((bits >> (7 * i) & 127 & ~open) == 0) q.fits[i][open].set(static_cast<int>(way));
  }
  for (std::size_t pattern = 0; pattern < 16; ++pattern) {
    constexpr std::array<Place, 4> kBitOrder{{{-1, 0}, {0, -1}, {0, 1}, {1, 0}}};
    bool usable = true;
    for (std::size_t i = 0; i < 4; ++i)
      usable &= !(pattern >> i & 1 && closes(quarter, kBitOrder[i]));
    if (usable) quarter_of_[pattern] = static_cast<std::uint8_t>(quarter);
  }
}

}  // namespace polymax
