// Hash keys: no two alike, no two pairs alike.
#include "core/hash.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <unordered_set>
#include <vector>

#include "board/bitboard.hpp"

namespace polymax::hash_test {
namespace {

TEST(hash, EveryKeyIsDifferent) {
  std::unordered_set<std::uint64_t> seen;
  for (unsigned kind = 0; kind < 64; ++kind)
    for (unsigned index = 0; index < 2048; ++index) {
      const auto key = zobrist(kind, index);
      EXPECT_NE(key, 0u);
      EXPECT_TRUE(seen.insert(key).second) << kind << ' ' << index;
    }
}

// A position is the xor of its keys, so pairs must differ as well: four kinds on the cells of the
// largest board, and large indices.
TEST(hash, EveryPairOfKeysIsDifferent) {
  std::vector<std::uint64_t> keys;
  for (unsigned kind = 0; kind < 4; ++kind)
    for (unsigned index = 0; index < unsigned{kMaxCells}; ++index)
      keys.push_back(zobrist(kind, index));
  for (unsigned index = 0; index < 32; ++index) keys.push_back(zobrist(9, 1u << index));
  std::vector<std::uint64_t> all = keys;
  for (std::size_t i = 0; i < keys.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) all.push_back(keys[i] ^ keys[j]);
  std::ranges::sort(all);
  EXPECT_NE(all.front(), 0u);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

TEST(hash, EveryBitIsUsed) {
  std::vector<int> ones(64);
  constexpr int kKeys = 4000;
  for (unsigned i = 0; i < kKeys; ++i)
    for (unsigned b = 0; b < 64; ++b) ones[b] += static_cast<int>(zobrist(i % 10, i / 10) >> b & 1);
  for (const int n : ones) EXPECT_NEAR(n, kKeys / 2, 5 * 32);
}

}  // namespace
}  // namespace polymax::hash_test
