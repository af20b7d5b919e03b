// Queen moves by lines against walks of one step after the other, on every size of board.
#include "board/queen_lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/rng.hpp"

namespace polymax::queen_lines_test {
namespace {

// Where a queen on `cell` can go.
std::set<int> walked(int n, int cell, const Cells& obstacles) {
  std::set<int> out;
  for (int dr = -1; dr <= 1; ++dr)
    for (int dc = -1; dc <= 1; ++dc) {
      if (dr == 0 && dc == 0) continue;
      for (int r = cell / n + dr, c = cell % n + dc;
           r >= 0 && r < n && c >= 0 && c < n && !obstacles.test(r * n + c); r += dr, c += dc)
        out.insert(r * n + c);
    }
  return out;
}

std::set<int> among(const std::set<int>& cells, const Cells& wanted) {
  std::set<int> out;
  for (const int cell : cells)
    if (wanted.test(cell)) out.insert(cell);
  return out;
}

// One cell in `of` is in it.
Cells random_cells(int n, std::uint32_t of, Rng& rng) {
  Cells out;
  for (int cell = 0; cell < n * n; ++cell)
    if (rng.below(of) == 0) out.set(cell);
  return out;
}

// Some rows and columns side by side.
Cells random_area(int n, Rng& rng) {
  const auto some = [&] { return static_cast<int>(rng.below(static_cast<std::uint32_t>(n))); };
  const auto [top, bottom] = std::minmax({some(), some()});
  const auto [left, right] = std::minmax({some(), some()});
  Cells out;
  for (int r = top; r <= bottom; ++r)
    for (int c = left; c <= right; ++c) out.set(r * n + c);
  return out;
}

// The targets of the moves that `write` writes, each a move from `cell` and written once.
template <class Write>
std::set<int> targets(const QueenLines& lines, int cell, Write write) {
  std::vector<Slide> moves(lines.room(1));
  moves.resize(static_cast<std::size_t>(write(moves.data()) - moves.data()));
  std::set<int> out;
  for (const Slide& move : moves) {
    EXPECT_EQ(move.from, cell);
    EXPECT_TRUE(out.insert(move.to).second) << move.to << " twice";
  }
  return out;
}

// All that lines say of a queen on `cell`; `blocked` are the obstacles with borders.
template <class Blocked>
void expect_walks(const QueenLines& lines, int cell, const Cells& obstacles, const Blocked& blocked,
                  Rng& rng) {
  const int n = lines.side();
  const auto expected = walked(n, cell, obstacles);
  ASSERT_EQ(targets(lines, cell, [&](Slide* to) { return lines.append(cell, to, blocked); }),
            expected);
  ASSERT_EQ(lines.count(cell, blocked), static_cast<int>(expected.size()));
  const Cells area = random_area(n, rng), some = random_cells(n, 6, rng);
  const auto area_lines = lines.lines(area), some_lines = lines.lines(some);
  ASSERT_EQ(targets(lines, cell,
                    [&](Slide* to) { return lines.append_into(cell, to, blocked, area_lines); }),
            among(expected, area));
  ASSERT_EQ(lines.reaches(cell, blocked, some_lines), !among(expected, some).empty());
  if (obstacles.test(cell)) {
    ASSERT_EQ(lines.free_neighbours(cell, blocked) != 0, !expected.empty());
  }
}

TEST(queen_lines, AreWalks) {
  Rng rng(1);
  for (int n = 1; n <= QueenLines::kMaxSide; ++n) {
    SCOPED_TRACE("side " + std::to_string(n));
    const QueenLines lines(n);
    for (const std::uint32_t density : {1u, 2u, 3u, 8u, 40u}) {
      const Cells obstacles = random_cells(n, density, rng);
      auto blocked = lines.border();
      obstacles.for_each([&](int cell) { lines.flip(blocked, cell); });
      for (int cell = 0; cell < n * n; ++cell)
        ASSERT_NO_FATAL_FAILURE(expect_walks(lines, cell, obstacles, blocked, rng));
    }
  }
}

TEST(queen_lines, TakeTwoSetsAsOne) {
  Rng rng(2);
  for (const int n : {1, 4, 9, 14, 20}) {
    const QueenLines lines(n);
    const Cells one = random_cells(n, 5, rng), other = random_cells(n, 5, rng);
    auto with_border = lines.border();
    one.for_each([&](int cell) { lines.flip(with_border, cell); });
    const auto without = lines.lines(other);
    const QueenLines::Union both{&with_border, &without};
    for (int cell = 0; cell < n * n; ++cell)
      ASSERT_NO_FATAL_FAILURE(expect_walks(lines, cell, one | other, both, rng));
  }
}

TEST(queen_lines, HoldSetsOfCells) {
  Rng rng(3);
  for (int n = 1; n <= QueenLines::kMaxSide; ++n) {
    const QueenLines lines(n);
    const Cells set = random_cells(n, 3, rng);
    auto held = lines.lines(set);
    EXPECT_EQ(lines.cells(held), set);
    for (int cell = 0; cell < n * n; ++cell) EXPECT_EQ(lines.test(held, cell), set.test(cell));
    set.for_each([&](int cell) { lines.flip(held, cell); });
    EXPECT_EQ(held, QueenLines::Lines{}) << "flipped twice";
    EXPECT_EQ(lines.cells(lines.border()), Cells{}) << "borders are no cells";
  }
}

}  // namespace
}  // namespace polymax::queen_lines_test
