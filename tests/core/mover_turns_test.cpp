// Turning by tables against turning bit by bit, on boards of every size up to 32x32. Games:
// tests/games/turned.hpp.
#include "core/mover_turns.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <span>

#include "core/rng.hpp"

namespace polymax::mover_turns_test {
namespace {

template <class Number>
std::vector<Number> shuffled(std::size_t count, Rng& rng) {
  std::vector<Number> out(count);
  std::iota(out.begin(), out.end(), Number{0});
  rng.shuffle(std::span(out));
  return out;
}

// Empty planes, full ones, the same again, and any others.
std::vector<std::uint64_t> made_planes(const PlaneShape& shape, Rng& rng) {
  const auto cells = static_cast<std::size_t>(shape.cells()),
             words = static_cast<std::size_t>(shape.words_per_plane());
  std::vector<std::uint64_t> out(static_cast<std::size_t>(shape.words()));
  for (std::size_t k = 0; k < static_cast<std::size_t>(shape.planes); ++k) {
    const auto kind = rng.below(4);
    for (std::size_t i = 0; i < cells; ++i) {
      const bool again = k > 0 && kind == 2 && (out[(k - 1) * words + i / 64] >> (i % 64) & 1) != 0;
      if (again || kind == 1 || (kind == 3 && rng.below(3) == 0))
        out[k * words + i / 64] |= 1ull << (i % 64);
    }
  }
  return out;
}

TEST(mover_turns, TablesTurnAsBitByBit) {
  Rng rng(1);
  for (int height = 1; height <= 32; height += height < 4 ? 1 : 5)
    for (int width = 1; width <= 32; ++width) {
      const PlaneShape shape{9, height, width};
      const auto cells = static_cast<std::size_t>(shape.cells()),
                 words = static_cast<std::size_t>(shape.words_per_plane());
      std::vector<Symmetry> by_seat(3);
      for (auto& by : by_seat)
        by = {shuffled<std::uint16_t>(cells, rng), {}, shuffled<std::uint16_t>(9, rng)};
      by_seat[0] = {std::vector<std::uint16_t>(cells), {}, std::vector<std::uint16_t>(9)};
      std::iota(by_seat[0].cells.begin(), by_seat[0].cells.end(), std::uint16_t{0});
      std::iota(by_seat[0].planes.begin(), by_seat[0].planes.end(), std::uint16_t{0});
      const MoverTurns turns(shape, by_seat);
      for (std::size_t seat = 0; seat < 3; ++seat) {
        const auto planes = made_planes(shape, rng);
        std::vector<std::uint64_t> expected(planes.size()), out(planes.size(), ~0ull);
        for (std::size_t k = 0; k < 9; ++k)
          for (std::size_t i = 0; i < cells; ++i) {
            const std::size_t to = by_seat[seat].cells[i];
            if (planes[k * words + i / 64] >> (i % 64) & 1)
              expected[by_seat[seat].planes[k] * words + to / 64] |= 1ull << (to % 64);
          }
        turns.turn(static_cast<int>(seat), planes, out);
        ASSERT_EQ(out, expected) << height << "x" << width << ", seat " << seat;
      }
    }
}

TEST(mover_turns, ASeatWithoutASymmetryMeansNone) {
  const Symmetry same{{}, {0, 1, 2}, {}}, next{{}, {1, 2, 0}, {}}, before{{}, {2, 0, 1}, {}};
  EXPECT_TRUE(turns_to_first(std::vector{same, next}, 3).empty());
  EXPECT_EQ(turns_to_first(std::vector{same, next, before}, 3), (std::vector{same, before, next}));
  EXPECT_TRUE(turns_to_first({}, 2).empty());
}

}  // namespace
}  // namespace polymax::mover_turns_test
