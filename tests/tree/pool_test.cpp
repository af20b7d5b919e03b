// Blocks never overlap, come back for use and stay within the limit.
#include "tree/pool.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/rng.hpp"

namespace polymax::pool_test {
namespace {

struct Block {
  Pool::Address at = Pool::kNone;
  std::size_t bytes = 0;
  std::byte mark{};
};

void fill(const Pool& pool, const Block& block) {
  std::memset(pool.at(block.at), static_cast<int>(block.mark), block.bytes);
}

bool intact(const Pool& pool, const Block& block) {
  const std::byte* begin = pool.at(block.at);
  return std::all_of(begin, begin + block.bytes, [&](std::byte b) { return b == block.mark; });
}

TEST(pool, KeepsBlocksApart) {
  Pool pool(std::size_t{64} << 20);
  Rng rng(1);
  std::vector<Block> blocks;
  for (int i = 0; i < 20000; ++i) {
    if (!blocks.empty() && rng.below(3) == 0) {
      std::swap(blocks[rng.below(static_cast<std::uint32_t>(blocks.size()))], blocks.back());
      ASSERT_TRUE(intact(pool, blocks.back()));
      pool.give_back(blocks.back().at, blocks.back().bytes);
      blocks.pop_back();
      continue;
    }
    const std::size_t bytes = rng.below(100) == 0 ? 1 + rng.below(50000) : 1 + rng.below(300);
    blocks.push_back({pool.take(bytes), bytes, static_cast<std::byte>(i)});
    ASSERT_NE(blocks.back().at, Pool::kNone);
    fill(pool, blocks.back());
  }
  for (const auto& block : blocks) EXPECT_TRUE(intact(pool, block));
  for (const auto& block : blocks) pool.give_back(block.at, block.bytes);
  EXPECT_EQ(pool.used(), 0u);
}

TEST(pool, WastesLittle) {
  for (std::size_t bytes = 1; bytes < 200000; bytes += 1 + bytes / 50) {
    Pool pool(Pool::kChunk);
    pool.take(bytes);
    EXPECT_GE(pool.used(), bytes);
    EXPECT_LE(pool.used(), bytes + bytes / 4 + Pool::kUnit);
  }
}

TEST(pool, StopsAtTheLimitUnlessForced) {
  Pool pool(std::size_t{2} << 20);
  std::vector<Pool::Address> blocks;
  for (auto at = pool.take(1000); at != Pool::kNone; at = pool.take(1000)) blocks.push_back(at);
  EXPECT_LE(pool.used(), std::size_t{2} << 20);
  EXPECT_GT(blocks.size(), 1900u);
  EXPECT_NE(pool.take(1000, Limit::soft), Pool::kNone);
  pool.give_back(blocks[7], 1000);
  EXPECT_EQ(pool.take(1000), blocks[7]);
  pool.clear();
  EXPECT_EQ(pool.used(), 0u);
  EXPECT_NE(pool.take(Pool::kLargest), Pool::kNone);
}

TEST(pool, UsesTheRestOfAChunk) {
  Pool pool(2 * Pool::kChunk);
  pool.take(Pool::kLargest);
  pool.take(Pool::kLargest);
  EXPECT_EQ(pool.take(Pool::kLargest), Pool::kNone);
  std::size_t small = 0;
  while (pool.take(8) != Pool::kNone) ++small;
  EXPECT_GT(small, 1000u);
}

}  // namespace
}  // namespace polymax::pool_test
