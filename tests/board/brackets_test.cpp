// Enclosed runs against walks of one step after the other, on square boards and hexagons of every
// size.
#include "board/brackets.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

#include "core/rng.hpp"

namespace polymax::brackets_test {
namespace {

// A board by rows and columns; steps of one axis and the other way follow each other.
struct Board {
  int n = 0, hole = -1;
  std::vector<std::pair<int, int>> steps;
  std::function<bool(int row, int column)> real;

  // The next cell, -1 behind the border.
  int next(int cell, std::pair<int, int> step) const {
    const int r = cell / n + step.first, c = cell % n + step.second;
    return r >= 0 && r < n && c >= 0 && c < n && real(r, c) ? r * n + c : -1;
  }
  Cells cells() const {
    Cells out;
    for (int cell = 0; cell < n * n; ++cell)
      if (real(cell / n, cell % n) && cell != hole) out.set(cell);
    return out;
  }
  // Axes on which a cell has neighbours on both sides.
  std::vector<std::size_t> inner_axes(int cell) const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < steps.size(); i += 2)
      if (next(cell, steps[i]) >= 0 && next(cell, steps[i + 1]) >= 0) out.push_back(i);
    return out;
  }
};

Board squares(int n) {
  return {
      n, -1, {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}}, [](int, int) {
        return true;
      }};
}

Board hexagon(int side) {
  const int n = 2 * side - 1;
  return {n, n * n / 2, {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {-1, 1}, {1, -1}}, [=](int r, int c) {
            return std::abs(c - (n - 1 - r)) < side;
          }};
}

// The stones that a new one on `cell` encloses. Lines go on behind a hole.
Cells walked(const Board& board, int cell, const Cells& ends, const Cells& between) {
  Cells out;
  for (const auto& step : board.steps) {
    Cells run;
    int at = board.next(cell, step);
    for (; at >= 0 && (at == board.hole || between.test(at)); at = board.next(at, step))
      if (at != board.hole) run.set(at);
    if (at >= 0 && ends.test(at)) out |= run;
  }
  return out;
}

Cells exposed_by_walk(const Board& board, const Cells& empty) {
  Cells out;
  board.cells().for_each([&](int cell) {
    for (const std::size_t axis : board.inner_axes(cell))
      for (const std::size_t way : {axis, axis + 1})
        if (empty.test(board.next(cell, board.steps[way]))) out.set(cell);
  });
  return out;
}

// A position with so many stones in `of` cells of each kind; cells next to a hole have one.
struct Position {
  Cells ends, between, free;

  Position(const Board& board, std::uint32_t of, Rng& rng) {
    board.cells().for_each([&](int cell) {
      bool at_hole = false;
      for (const auto& step : board.steps)
        at_hole = at_hole || (board.hole >= 0 && board.next(cell, step) == board.hole);
      const auto draw = rng.below(at_hole ? 2 : of);
      (draw == 0 ? ends : draw == 1 || draw == 2 ? between : free).set(cell);
    });
  }
};

void expect_walks(const Board& board, const Brackets& brackets, std::uint64_t seed) {
  Rng rng(seed);
  for (const std::uint32_t of : {4u, 5u, 8u, 20u})
    for (int round = 0; round < 3; ++round) {
      const Position position(board, of, rng);
      Cells moves;
      position.free.for_each([&](int cell) {
        const Cells captured = walked(board, cell, position.ends, position.between);
        ASSERT_EQ(brackets.captured(cell, position.ends, position.between), captured) << cell;
        if (captured.any()) moves.set(cell);
      });
      ASSERT_EQ(brackets.moves(position.ends, position.between, position.free), moves);
      ASSERT_EQ(brackets.exposed(position.free) & board.cells(),
                exposed_by_walk(board, position.free));
    }
}

// One long run between two ends, along every line.
void expect_longest_runs(const Board& board, const Brackets& brackets) {
  const Cells cells = board.cells();
  cells.for_each([&](int first) {
    for (const auto& step : board.steps) {
      int last = first;
      while (board.next(last, step) >= 0) last = board.next(last, step);
      if (last == first) continue;
      Cells ends, between = cells, free;
      ends.set(last);
      free.set(first);
      between.reset(first);
      between.reset(last);
      const Cells captured = walked(board, first, ends, between);
      ASSERT_EQ(brackets.captured(first, ends, between), captured);
      ASSERT_EQ(brackets.moves(ends, between, free).any(), captured.any());
    }
  });
}

void expect_border(const Board& board, const Brackets& brackets) {
  Cells corners, border;
  board.cells().for_each([&](int cell) {
    const auto axes = board.inner_axes(cell).size();
    if (axes == 0) corners.set(cell);
    if (axes == 1) border.set(cell);
  });
  EXPECT_EQ(brackets.corners(), corners);
  EXPECT_EQ(brackets.border(), border);
}

TEST(brackets, AreWalksOnSquares) {
  for (int n = 4; n <= 20; ++n) {
    SCOPED_TRACE("side " + std::to_string(n));
    const Board board = squares(n);
    const Brackets brackets = Brackets::squares(n);
    ASSERT_NO_FATAL_FAILURE(expect_walks(board, brackets, static_cast<std::uint64_t>(n)));
    ASSERT_NO_FATAL_FAILURE(expect_longest_runs(board, brackets));
    expect_border(board, brackets);
  }
}

TEST(brackets, AreWalksOnHexagons) {
  for (int side = 3; side <= 10; ++side) {
    SCOPED_TRACE("side " + std::to_string(side));
    const Board board = hexagon(side);
    const HexGrid grid = HexGrid::hexagon(side);
    const Brackets brackets = Brackets::hexagon(grid, board.hole);
    ASSERT_EQ(board.cells().count(), grid.count() - 1);
    ASSERT_NO_FATAL_FAILURE(expect_walks(board, brackets, static_cast<std::uint64_t>(side)));
    ASSERT_NO_FATAL_FAILURE(expect_longest_runs(board, brackets));
    expect_border(board, brackets);
  }
}

}  // namespace
}  // namespace polymax::brackets_test
