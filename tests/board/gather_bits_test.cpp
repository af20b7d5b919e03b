#include "board/gather_bits.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/rng.hpp"

namespace polymax::gather_bits_test {
namespace {

TEST(gather_bits, LieSideBySideInTheirOrder) {
  Rng rng(1);
  for (int round = 0; round < 1000; ++round) {
    const std::uint64_t word = rng.next(), mask = rng.next() & rng.next();
    std::uint64_t expected = 0;
    int count = 0;
    for (int i = 0; i < 64; ++i)
      if (mask >> i & 1) expected |= (word >> i & 1) << count++;
    EXPECT_EQ(gather_bits(word, mask), expected);
  }
}

}  // namespace
}  // namespace polymax::gather_bits_test
