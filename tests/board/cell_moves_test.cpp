#include "board/cell_moves.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "board/bitboard.hpp"
#include "core/rng.hpp"

namespace polymax::cell_moves_test {
namespace {

TEST(cell_moves, AreTheSetBitsLowestFirst) {
  Rng rng(2);
  List<CellMove> list;
  list.push_back({7});
  std::vector<int> wanted{7};
  Cells cells;
  for (int i = 0; i < 120; ++i) cells.set(static_cast<int>(rng.below(kMaxCells)));
  cells.for_each([&](int cell) { wanted.push_back(cell); });
  append_cells(Cells::kWords, list, [&](std::size_t w) { return cells.words[w]; });
  std::vector<int> found;
  for (const auto move : list) found.push_back(move.cell);
  EXPECT_EQ(found, wanted) << "appended behind what was there";
}

}  // namespace
}  // namespace polymax::cell_moves_test
