// The store of resolved positions: what was put is found, places are taken over, threads do not mix
// entries.
#include "core/resolved.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "core/rng.hpp"

namespace polymax::resolved_test {
namespace {

ResolvedPositions::Known known_for(std::uint64_t hash) {
  return {all_seats(4, static_cast<float>(hash % 1000)), static_cast<std::uint16_t>(hash % 60000)};
}

TEST(resolved, FindsWhatWasPutUntilItsPlaceIsTaken) {
  ResolvedPositions positions(1 << 16);
  EXPECT_FALSE(positions.find(0).has_value()) << "an empty place is not the position with hash 0";
  positions.put(0, known_for(7));
  EXPECT_EQ(positions.find(0), known_for(7));
  std::size_t found = 0;
  for (std::uint64_t i = 0; i < 100000; ++i) positions.put(mix64(i), known_for(mix64(i)));
  for (std::uint64_t i = 0; i < 100000; ++i)
    if (const auto known = positions.find(mix64(i))) {
      ++found;
      ASSERT_EQ(*known, known_for(mix64(i)));
    }
  EXPECT_GT(found, 500u);
}

// Hashes in a row fall on places in a row: the last ones are there, as many as there are places.
TEST(resolved, HasAsManyPlacesAsFitIntoItsBytes) {
  struct Place {
    std::uint64_t hash;
    ResolvedPositions::Known known;
    bool taken;
  };
  for (const std::size_t bytes : {1u << 16, 1000u, 1u}) {
    ResolvedPositions positions(bytes);
    constexpr std::uint64_t kPut = 10000;
    const std::uint64_t places = std::max<std::uint64_t>(1, bytes / sizeof(Place));
    for (std::uint64_t i = 0; i < kPut; ++i) positions.put(i, known_for(i));
    for (std::uint64_t i = 0; i < kPut; ++i)
      ASSERT_EQ(positions.find(i).has_value(), i + places >= kPut) << i << " of " << bytes;
  }
}

TEST(resolved, ManyThreadsSeeWholeEntries) {
  ResolvedPositions positions(1);  // one place for all
  std::vector<std::jthread> threads;
  std::atomic<int> wrong = 0;
  for (std::uint64_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::uint64_t i = 0; i < 20000; ++i) {
        positions.put(t, known_for(t));
        if (const auto known = positions.find((t + 1) % 4);
            known && *known != known_for((t + 1) % 4))
          ++wrong;
      }
    });
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace polymax::resolved_test
