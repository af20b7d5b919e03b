// Bitboards against std::set.
#include "board/bitboard.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "core/rng.hpp"

namespace polymax::bitboard_test {
namespace {

template <int kBits>
std::set<int> cells_of(const Bitboard<kBits>& board) {
  std::set<int> out;
  int last = -1;
  board.for_each([&](int cell) {
    EXPECT_GT(cell, last) << "lowest first";
    last = cell;
    out.insert(cell);
  });
  return out;
}

template <int kBits>
void expect_same(const Bitboard<kBits>& board, const std::set<int>& cells) {
  ASSERT_EQ(cells_of(board), cells);
  EXPECT_EQ(board.any(), !cells.empty());
  EXPECT_EQ(board.none(), cells.empty());
  EXPECT_EQ(board.count(), static_cast<int>(cells.size()));
  if (!cells.empty()) {
    EXPECT_EQ(board.first(), *cells.begin());
  }
  for (int i = 0; i < kBits; ++i) EXPECT_EQ(board.test(i), cells.contains(i));
}

template <int kBits>
struct Pair {
  Bitboard<kBits> board;
  std::set<int> cells;

  Pair(Rng& rng, std::uint32_t changes) {
    for (std::uint32_t i = 0; i < changes; ++i) change(rng);
  }

  void change(Rng& rng) {
    const int cell = static_cast<int>(rng.below(kBits));
    const auto what = rng.below(4);
    if (what == 0) {
      board.reset(cell);
      cells.erase(cell);
    } else if (what == 1) {
      board.flip(cell);
      if (!cells.erase(cell)) cells.insert(cell);
    } else {
      board.set(cell);
      cells.insert(cell);
    }
  }
};

template <int kBits>
void compare(int rounds) {
  Rng rng(kBits);
  for (int i = 0; i < rounds; ++i) {
    const Pair<kBits> a(rng, rng.below(2 * kBits)), b(rng, rng.below(2 * kBits));
    expect_same(a.board, a.cells);
    std::set<int> both, one, left, other;
    std::ranges::set_intersection(a.cells, b.cells, std::inserter(both, both.end()));
    std::ranges::set_union(a.cells, b.cells, std::inserter(one, one.end()));
    std::ranges::set_difference(a.cells, b.cells, std::inserter(left, left.end()));
    std::ranges::set_symmetric_difference(a.cells, b.cells, std::inserter(other, other.end()));
    expect_same(a.board & b.board, both);
    expect_same(a.board | b.board, one);
    expect_same(a.board.without(b.board), left);
    expect_same(a.board ^ b.board, other);
    EXPECT_EQ(a.board.intersects(b.board), !both.empty());
    EXPECT_EQ(a.board == b.board, a.cells == b.cells);
    EXPECT_TRUE(a.board == (a.board & (a.board | b.board)));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(bitboard, AgreesWithSets) {
  compare<1>(50);
  compare<7>(100);
  compare<64>(100);
  compare<65>(100);
  compare<88>(100);
  compare<kMaxCells>(30);
}

template <int kBits>
void check_first_cells() {
  for (int n = 0; n <= kBits; ++n) {
    std::set<int> wanted;
    for (int i = 0; i < n; ++i) wanted.insert(i);
    ASSERT_EQ(cells_of(Bitboard<kBits>::first_cells(n)), wanted);
  }
}

TEST(bitboard, FirstCells) {
  check_first_cells<64>();
  check_first_cells<65>();
  check_first_cells<200>();
}

TEST(bitboard, CellsAreBitsOfWords) {
  Cells board;
  board.set(0);
  board.set(65);
  board.set(399);
  EXPECT_EQ(board.words[0], 1u);
  EXPECT_EQ(board.words[1], 2u);
  EXPECT_EQ(board.words[6], 1ull << 15);
  EXPECT_EQ(Cells::kWords, 7);
}

}  // namespace
}  // namespace polymax::bitboard_test
