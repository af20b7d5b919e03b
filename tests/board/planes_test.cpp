#include "board/planes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "board/bitboard.hpp"

namespace polymax::planes_test {
namespace {

TEST(planes, AreWrittenOneAfterTheOther) {
  const PlaneShape shape{3, 8, 11};
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(shape.words()), ~0ull);
  Bitboard<88> some, real = Bitboard<88>::first_cells(70);
  some.set(0);
  some.set(64);
  {
    PlaneWriter out(bits, shape);
    out.cells(some);
    out.flag(false, real);
    out.flag(true, real);
  }
  EXPECT_EQ(bits, (std::vector<std::uint64_t>{1, 1, 0, 0, ~0ull, 63}));
}

}  // namespace
}  // namespace polymax::planes_test
