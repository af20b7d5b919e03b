// Square boards: names, places, turns.
#include "board/square_grid.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace polymax::square_grid_test {
namespace {

using Permutation = std::vector<std::uint16_t>;

Permutation identity(int n) {
  Permutation out(static_cast<std::size_t>(n * n));
  std::iota(out.begin(), out.end(), std::uint16_t{0});
  return out;
}

Permutation then(const Permutation& first, const Permutation& second) {
  Permutation out;
  for (const auto cell : first) out.push_back(second[cell]);
  return out;
}

TEST(square_grid, NamesAreThoseOfChess) {
  EXPECT_EQ(square_name(8, 0), "a8");
  EXPECT_EQ(square_name(8, 7), "h8");
  EXPECT_EQ(square_name(8, 56), "a1");
  EXPECT_EQ(square_name(8, 63), "h1");
  EXPECT_EQ(square_name(20, 0), "a20");
  EXPECT_EQ(square_name(20, 399), "t1");
}

TEST(square_grid, DrawsEveryCellOnce) {
  for (const int n : {1, 3, 8, 14, 20}) {
    const Drawing drawing = draw_squares(n);
    ASSERT_EQ(drawing.cells.size(), static_cast<std::size_t>(n * n));
    EXPECT_EQ(drawing.shape, CellShape::square);
    std::set<std::string> names;
    for (int i = 0; i < n * n; ++i) {
      const auto& cell = drawing.cells[static_cast<std::size_t>(i)];
      names.insert(cell.name);
      EXPECT_EQ(cell.index, i);
      EXPECT_EQ(cell.name, square_name(n, i));
      EXPECT_EQ(cell.x, static_cast<float>(i % n));
      EXPECT_EQ(cell.y, static_cast<float>(i / n));
      EXPECT_EQ(cell.owner, -1);
    }
    EXPECT_EQ(names.size(), drawing.cells.size());
  }
}

TEST(square_grid, AQuarterTurnIsClockwise) {
  const auto turn = turn_squares(4, 1);
  EXPECT_EQ(turn[0], 3);   // top left goes to the top right
  EXPECT_EQ(turn[3], 15);  // and on to the bottom right
  EXPECT_EQ(turn[15], 12);
  EXPECT_EQ(turn[12], 0);
  EXPECT_EQ(turn[1], 7);
  EXPECT_EQ(turn[5], 6);
}

TEST(square_grid, TurnsAndMirrorsFormTheGroupOfTheSquare) {
  for (const int n : {2, 3, 5, 14, 20}) {
    const auto quarter = turn_squares(n, 1), mirror = turn_squares(n, 0, Mirror::left_right);
    EXPECT_EQ(turn_squares(n, 0), identity(n));
    EXPECT_EQ(turn_squares(n, 4), identity(n));
    EXPECT_EQ(then(mirror, mirror), identity(n));
    Permutation turned = identity(n);
    std::set<Permutation> all;
    for (int q = 0; q < 4; ++q, turned = then(turned, quarter)) {
      EXPECT_EQ(turn_squares(n, q), turned);
      EXPECT_EQ(turn_squares(n, q, Mirror::left_right), then(mirror, turned))
          << "the mirror comes first";
      all.insert(turned);
      all.insert(then(mirror, turned));
    }
    EXPECT_EQ(turned, identity(n));
    EXPECT_EQ(all.size(), 8u);
    EXPECT_EQ(then(then(mirror, quarter), mirror), turn_squares(n, 3))
        << "a mirror reverses the turn";
  }
}

TEST(square_grid, TheMirrorExchangesLeftAndRight) {
  const auto mirror = turn_squares(5, 0, Mirror::left_right);
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 5; ++c)
      EXPECT_EQ(mirror[static_cast<std::size_t>(5 * r + c)], 5 * r + 4 - c);
}

// Two planes a seat, one of nobody, one a seat.
TEST(square_grid, QuarterTurnsTakeThePlanesOfASeatToTheNext) {
  const auto turns = quarter_turns(4, {2, kOfNobody, 1});
  ASSERT_EQ(turns.size(), 4u);
  for (int q = 0; q < 4; ++q) {
    const auto& turn = turns[static_cast<std::size_t>(q)];
    EXPECT_EQ(turn.cells, turn_squares(4, q));
    for (int p = 0; p < 4; ++p) EXPECT_EQ(turn.seats[static_cast<std::size_t>(p)], (p + q) % 4);
  }
  EXPECT_EQ(turns[0].planes, (Permutation{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(turns[1].planes, (Permutation{2, 3, 4, 5, 6, 7, 0, 1, 8, 10, 11, 12, 9}));
}

}  // namespace
}  // namespace polymax::square_grid_test
