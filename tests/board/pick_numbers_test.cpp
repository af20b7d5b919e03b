#include "board/pick_numbers.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "core/rng.hpp"

namespace polymax::pick_numbers_test {
namespace {

TEST(pick_numbers, KeepTheirOrder) {
  Rng rng(1);
  for (int round = 0; round < 1000; ++round) {
    const std::uint64_t mask = rng.next() & rng.next();
    std::array<std::uint16_t, 64> numbers{};
    for (auto& number : numbers) number = static_cast<std::uint16_t>(rng.next());
    std::vector<std::uint16_t> expected;
    for (std::size_t i = 0; i < 64; ++i)
      if (mask >> i & 1) expected.push_back(static_cast<std::uint16_t>(numbers[i] + 77));
    std::array<std::uint16_t, 64 + kPickSlack> picked{};
    std::uint16_t* end = pick_numbers(numbers.data(), mask, 77, picked.data());
    EXPECT_EQ(std::vector<std::uint16_t>(picked.data(), end), expected);
  }
}

}  // namespace
}  // namespace polymax::pick_numbers_test
