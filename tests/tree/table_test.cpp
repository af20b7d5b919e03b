#include "tree/table.hpp"

#include <gtest/gtest.h>

#include "core/rng.hpp"

namespace polymax::table_test {
namespace {

constexpr std::size_t kMiB = 1 << 20;

Found number(std::uint64_t x, Bound bound = Bound::exact,
             Certainty certainty = Certainty::guessed) {
  return {{{static_cast<float>(x)}}, bound, certainty};
}

TEST(table, FindsWhatWasStored) {
  Table table(64 * kMiB);
  EXPECT_EQ(table.bytes(), 0u) << "no memory before the first entry";
  EXPECT_EQ(table.find(1), nullptr);
  constexpr std::uint64_t kCount = 200000;
  for (std::uint64_t i = 0; i < kCount; ++i)
    table.store(mix64(i), number(i), static_cast<int>(i % 7), i % 100);
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const auto* entry = table.find(mix64(i));
    if (!entry) continue;
    ++found;
    EXPECT_EQ(entry->value[0], static_cast<float>(i));
    EXPECT_EQ(entry->depth, i % 7);
    EXPECT_EQ(entry->best, i % 100);
  }
  EXPECT_GT(found, kCount * 9 / 10);
  EXPECT_EQ(found, table.used());
  EXPECT_EQ(table.find(mix64(kCount)), nullptr);
}

TEST(table, GrowsWithItsEntries) {
  Table table(1024 * kMiB);
  table.store(1, number(1), 1, 0);
  EXPECT_LE(table.bytes(), 64u << 10);
  for (std::uint64_t i = 0; i < 100000; ++i) table.store(mix64(i), number(i), 1, 0);
  EXPECT_LE(table.bytes(), 8 * kMiB);
}

TEST(table, KeepsWithinItsMemoryAndPrefersDeepAndYoung) {
  Table table(kMiB);
  for (std::uint64_t i = 0; i < 100000; ++i)
    table.store(mix64(i), number(i), i % 16 == 0 ? 9 : 1, 0);
  EXPECT_EQ(table.bytes(), kMiB);
  int deep = 0, old = 0;
  for (std::uint64_t i = 0; i < 100000; i += 16) deep += table.find(mix64(i)) != nullptr;
  EXPECT_GT(deep, 6000);
  table.next_search();
  for (std::uint64_t i = 0; i < 200000; ++i) table.store(mix64(~i), number(i), 1, 0);
  for (std::uint64_t i = 0; i < 100000; i += 16) old += table.find(mix64(i)) != nullptr;
  EXPECT_LT(old, 100);
}

TEST(table, KeepsWhatIsProven) {
  Table table(kMiB);
  table.store(5, number(1, Bound::exact, Certainty::whole), 4, 2);
  table.store(5, number(2), 1, 3);
  EXPECT_EQ(table.find(5)->value[0], 1);
  table.store(6, number(1, Bound::at_least, Certainty::whole), 4, 2);
  table.store(6, number(2), 1, 3);
  EXPECT_EQ(table.find(6)->value[0], 2);
}

TEST(table, StoresNothingWithoutMemory) {
  Table table(0);
  table.store(5, number(1), 1, 0);
  EXPECT_EQ(table.find(5), nullptr);
  EXPECT_EQ(table.bytes(), 0u);
}

}  // namespace
}  // namespace polymax::table_test
