// Boards of hexagons against their own picture: neighbours are the cells one cell width away, turns
// are turns of the picture. And the incremental flood against a flood from scratch.
#include "board/hex_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>

#include "board/hex_distance.hpp"
#include "core/rng.hpp"

namespace polymax::hex_grid_test {
namespace {

using Permutation = std::vector<std::uint16_t>;

std::set<int> set_of(const Cells& cells) {
  std::set<int> out;
  cells.for_each([&](int cell) { out.insert(cell); });
  return out;
}

std::map<int, DrawnCell> picture(const HexGrid& grid) {
  std::map<int, DrawnCell> out;
  for (const auto& cell : grid.draw().cells) out[cell.index] = cell;
  return out;
}

float distance(const DrawnCell& a, const DrawnCell& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

std::vector<HexGrid> boards() {
  std::vector<HexGrid> out;
  for (const int side : {2, 3, 5, 7, 10}) out.push_back(HexGrid::hexagon(side));
  for (const int n : {2, 3, 6, 11, 20}) out.push_back(HexGrid::rhombus(n));
  return out;
}

TEST(hex_grid, HasTheRightNumberOfCells) {
  for (int side = 2; side <= 10; ++side) {
    const auto grid = HexGrid::hexagon(side);
    EXPECT_EQ(grid.count(), 3 * side * side - 3 * side + 1);
    EXPECT_EQ(grid.width(), 2 * side - 1);
  }
  for (int n = 1; n <= 20; ++n) EXPECT_EQ(HexGrid::rhombus(n).count(), n * n);
  for (const auto& grid : boards()) {
    EXPECT_EQ(grid.cells().count(), grid.count());
    EXPECT_EQ(grid.box(), grid.width() * grid.width());
    EXPECT_LT(*set_of(grid.cells()).rbegin(), grid.box());
    EXPECT_GE(64 * grid.words(), grid.box());
    EXPECT_LT(64 * (grid.words() - 1), grid.box());
  }
}

TEST(hex_grid, NeighboursAreThoseOfThePicture) {
  for (const auto& grid : boards()) {
    const auto drawn = picture(grid);
    ASSERT_EQ(drawn.size(), static_cast<std::size_t>(grid.count()));
    for (const auto& [cell, place] : drawn) {
      std::set<int> near, listed;
      for (const auto& [other, there] : drawn)
        if (other != cell && distance(place, there) < 1.01f) near.insert(other);
      for (const auto n : grid.neighbours(cell))
        EXPECT_TRUE(n == HexGrid::kNoCell || listed.insert(n).second) << "given twice";
      ASSERT_EQ(listed, near) << grid.name(cell);
    }
  }
}

TEST(hex_grid, NeighboursAreMutualAndSixInside) {
  for (const auto& grid : boards()) {
    Cells edge;
    for (int i = 0; i < 6; ++i) edge |= grid.side(i);
    grid.cells().for_each([&](int cell) {
      const auto& near = grid.neighbours(cell);
      const auto missing = std::ranges::count(near, HexGrid::kNoCell);
      EXPECT_EQ(missing == 0, !edge.test(cell)) << grid.name(cell);
      for (std::size_t d = 0; d < 6; ++d)
        EXPECT_TRUE(near[d] == HexGrid::kNoCell || grid.neighbours(near[d])[(d + 3) % 6] == cell)
            << "the way back is the opposite direction";
    });
  }
}

TEST(hex_grid, BoxCellsOutsideTheBoardHaveNoNeighbours) {
  for (const auto& grid : boards()) {
    EXPECT_FALSE(grid.cells().test(HexGrid::kNoCell));
    for (int cell = 0; cell < grid.box(); ++cell)
      EXPECT_TRUE(grid.cells().test(cell) ||
                  std::ranges::count(grid.neighbours(cell), HexGrid::kNoCell) == 6);
  }
}

TEST(hex_grid, HexagonNamesAreColumnAndRowFromTheBottom) {
  const auto grid = HexGrid::hexagon(3);  // rows from the top: c5 d5 e5 | b4 ... | a1 b1 c1
  std::vector<std::string> names;
  for (const auto& cell : grid.draw().cells) names.push_back(cell.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"c5", "d5", "e5", "b4", "c4", "d4", "e4", "a3", "b3", "c3",
                                      "d3", "e3", "a2", "b2", "c2", "d2", "a1", "b1", "c1"}));
}

TEST(hex_grid, RhombusNamesAreColumnAndRowFromTheTop) {
  const auto grid = HexGrid::rhombus(20);
  EXPECT_EQ(grid.name(0), "a1");
  EXPECT_EQ(grid.name(19), "t1");
  EXPECT_EQ(grid.name(20), "a2");
  EXPECT_EQ(grid.name(399), "t20");
}

// Names of a side's cells, sorted.
std::vector<std::string> side_names(const HexGrid& grid, int side) {
  std::vector<std::string> out;
  grid.side(side).for_each([&](int cell) { out.push_back(grid.name(cell)); });
  std::ranges::sort(out);
  return out;
}

TEST(hex_grid, SidesGoClockwiseFromTheTop) {
  using Names = std::vector<std::string>;
  const auto hexagon = HexGrid::hexagon(3);
  EXPECT_EQ(side_names(hexagon, 0), (Names{"c5", "d5", "e5"}));
  EXPECT_EQ(side_names(hexagon, 1), (Names{"e3", "e4", "e5"}));
  EXPECT_EQ(side_names(hexagon, 2), (Names{"c1", "d2", "e3"}));
  EXPECT_EQ(side_names(hexagon, 3), (Names{"a1", "b1", "c1"}));
  EXPECT_EQ(side_names(hexagon, 4), (Names{"a1", "a2", "a3"}));
  EXPECT_EQ(side_names(hexagon, 5), (Names{"a3", "b4", "c5"}));
  const auto rhombus = HexGrid::rhombus(3);
  EXPECT_EQ(side_names(rhombus, 0), (Names{"a1", "b1", "c1"}));
  EXPECT_EQ(side_names(rhombus, 1), (Names{"c1", "c2", "c3"}));
  EXPECT_EQ(side_names(rhombus, 2), (Names{"a3", "b3", "c3"}));
  EXPECT_EQ(side_names(rhombus, 3), (Names{"a1", "a2", "a3"}));
}

TEST(hex_grid, CornersAreOnTwoSides) {
  for (int side = 2; side <= 10; ++side) {
    const auto grid = HexGrid::hexagon(side);
    std::map<int, int> sides_of;
    for (int i = 0; i < 6; ++i) {
      EXPECT_EQ(grid.side(i).count(), side);
      grid.side(i).for_each([&](int cell) { ++sides_of[cell]; });
      EXPECT_EQ((grid.side(i) & grid.side((i + 1) % 6)).count(), 1)
          << "neighbouring sides share their corner";
      EXPECT_FALSE(grid.side(i).intersects(grid.side((i + 3) % 6)));
    }
    int corners = 0;
    for (const auto& [cell, n] : sides_of) {
      EXPECT_LE(n, 2);
      corners += n == 2;
    }
    EXPECT_EQ(corners, 6);
  }
}

Permutation then(const Permutation& first, const Permutation& second) {
  Permutation out;
  for (const auto cell : first) out.push_back(second[cell]);
  return out;
}

Permutation identity(const HexGrid& grid) {
  Permutation out(static_cast<std::size_t>(grid.box()));
  std::iota(out.begin(), out.end(), std::uint16_t{0});
  return out;
}

TEST(hex_grid, SixSixthTurnsAreNone) {
  for (const int side : {2, 3, 5, 7}) {
    const auto grid = HexGrid::hexagon(side);
    const auto sixth = grid.turn(1);
    Permutation turned = identity(grid);
    for (int k = 0; k < 6; ++k, turned = then(turned, sixth)) {
      EXPECT_EQ(grid.turn(k), turned);
      EXPECT_EQ(turned == identity(grid), k == 0);
    }
    EXPECT_EQ(turned, identity(grid));
    for (int i = 0; i < 6; ++i) {
      Cells image;
      grid.side(i).for_each([&](int cell) { image.set(sixth[static_cast<std::size_t>(cell)]); });
      EXPECT_TRUE(image == grid.side((i + 1) % 6)) << "side " << i;
    }
    for (int cell = 0; cell < grid.box(); ++cell)
      EXPECT_TRUE(grid.cells().test(cell) || sixth[static_cast<std::size_t>(cell)] == cell);
  }
}

// A clockwise turn of the picture about its centre; y grows downwards.
void expect_turned_picture(const HexGrid& grid, int sixths) {
  const auto drawn = picture(grid);
  float mean_x = 0, mean_y = 0;
  for (const auto& [cell, place] : drawn) {
    mean_x += place.x / static_cast<float>(drawn.size());
    mean_y += place.y / static_cast<float>(drawn.size());
  }
  const auto turn = grid.turn(sixths);
  const auto angle = static_cast<float>(sixths) * std::numbers::pi_v<float> / 3;
  for (const auto& [cell, place] : drawn) {
    const float dx = place.x - mean_x, dy = place.y - mean_y;
    const auto& image = drawn.at(turn[static_cast<std::size_t>(cell)]);
    EXPECT_NEAR(image.x, mean_x + dx * std::cos(angle) - dy * std::sin(angle), 1e-3);
    EXPECT_NEAR(image.y, mean_y + dx * std::sin(angle) + dy * std::cos(angle), 1e-3);
  }
}

TEST(hex_grid, TurnsAreTurnsOfThePicture) {
  for (int k = 0; k < 6; ++k) expect_turned_picture(HexGrid::hexagon(4), k);
  for (const int n : {2, 5, 11}) {
    expect_turned_picture(HexGrid::rhombus(n), 0);
    expect_turned_picture(HexGrid::rhombus(n), 3);
  }
}

std::set<int> flood(const HexGrid& grid, const std::set<int>& stones, const std::set<int>& from) {
  std::set<int> seen;
  std::vector<int> open;
  for (const int cell : from)
    if (stones.contains(cell)) open.push_back(cell);
  while (!open.empty()) {
    const int cell = open.back();
    open.pop_back();
    if (!seen.insert(cell).second) continue;
    for (const auto n : grid.neighbours(cell))
      if (stones.contains(n)) open.push_back(n);
  }
  return seen;
}

TEST(hex_grid, ExtendReachAgreesWithAFloodFromScratch) {
  Rng rng(21);
  for (const auto& grid : boards()) {
    const int from = static_cast<int>(rng.below(4));
    for (int round = 0; round < 3; ++round) {
      std::vector<int> order;
      grid.cells().for_each([&](int cell) { order.push_back(cell); });
      rng.shuffle(std::span(order));
      Cells stones, reached;
      for (const int cell : order) {
        stones.set(cell);
        const Cells before = reached;
        const bool grew = extend_reach(grid, stones, grid.side(from), cell, reached);
        EXPECT_EQ(grew, !(before == reached));
        ASSERT_EQ(set_of(reached), flood(grid, set_of(stones), set_of(grid.side(from))));
      }
    }
  }
}

// Bellman-Ford: the cost of a cell is 0 with a stone, 1 without.
int naive_distance(const HexGrid& grid, const std::set<int>& stones, const std::set<int>& open,
                   const std::set<int>& from, const std::set<int>& to) {
  std::map<int, int> best;
  const auto cost = [&](int cell) { return stones.contains(cell) ? 0 : 1; };
  for (const int cell : from)
    if (open.contains(cell)) best[cell] = cost(cell);
  for (bool better = true; better;) {
    better = false;
    for (const int cell : open)
      for (const auto n : grid.neighbours(cell)) {
        if (!best.contains(n)) continue;
        const int way = best[n] + cost(cell);
        if (best.contains(cell) && best[cell] <= way) continue;
        best[cell] = way;
        better = true;
      }
  }
  int out = kUnreachable;
  for (const int cell : to)
    if (best.contains(cell)) out = std::min(out, best[cell]);
  return out;
}

TEST(hex_distance, AgreesWithANaiveShortestWay) {
  Rng rng(22);
  std::map<int, int> seen;
  for (const auto& grid : boards()) {
    if (grid.count() > 130) continue;
    for (int round = 0; round < 40; ++round) {
      Cells stones, open;
      const auto walls = rng.below(10), own = 1 + rng.below(9);
      grid.cells().for_each([&](int cell) {
        if (rng.below(12) < walls) return;
        open.set(cell);
        if (rng.below(10) < own) stones.set(cell);
      });
      const int i = static_cast<int>(rng.below(4)), j = static_cast<int>(rng.below(4));
      const int found = stones_needed(grid, stones, open, grid.side(i), grid.side(j));
      ASSERT_EQ(found, naive_distance(grid, set_of(stones), set_of(open), set_of(grid.side(i)),
                                      set_of(grid.side(j))));
      ++seen[found];
    }
  }
  EXPECT_GT(seen.size(), 4u);
  EXPECT_GT(seen[kUnreachable], 0);
  EXPECT_GT(seen[0], 0);
}

TEST(hex_distance, AnEmptyBoardNeedsItsWidth) {
  for (const int n : {2, 5, 11, 20}) {
    const auto grid = HexGrid::rhombus(n);
    EXPECT_EQ(stones_needed(grid, {}, grid.cells(), grid.side(0), grid.side(2)), n);
    EXPECT_EQ(stones_needed(grid, {}, {}, grid.side(0), grid.side(2)), kUnreachable);
    EXPECT_EQ(stones_needed(grid, grid.cells(), grid.cells(), grid.side(0), grid.side(2)), 0);
  }
  for (const int side : {2, 5, 7}) {
    const auto grid = HexGrid::hexagon(side);
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(stones_needed(grid, {}, grid.cells(), grid.side(i), grid.side(i + 3)),
                2 * side - 1);
  }
}

TEST(hex_grid, DrawnSidesGoFromCornerToCorner) {
  const auto rhombus = HexGrid::rhombus(4);
  const DrawnSide right = rhombus.drawn_side(rhombus.side(1), 1);
  EXPECT_EQ(right.seat, 1);
  EXPECT_FLOAT_EQ(right.x1, 3);
  EXPECT_FLOAT_EQ(right.y1, 0);
  EXPECT_FLOAT_EQ(right.x2, 3 + 1.5f);
  EXPECT_FLOAT_EQ(right.y2, 3 * std::sqrt(3.0f) / 2);
  const auto hexagon = HexGrid::hexagon(3);
  for (int i = 0; i < 6; ++i) {  // all sides of a hexagon are equally long
    const DrawnSide side = hexagon.drawn_side(hexagon.side(i), 0);
    EXPECT_NEAR(std::hypot(side.x2 - side.x1, side.y2 - side.y1), 2, 1e-5) << i;
  }
}

}  // namespace
}  // namespace polymax::hex_grid_test
