#include "nn/crew.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>

namespace polymax::crew_test {
namespace {

TEST(crew, EveryPartIsDoneOnceInAThreadOfItsOwn) {
  for (const int parts : {1, 2, 5}) {
    Crew crew(parts);
    EXPECT_EQ(crew.parts(), parts);
    for (int job = 0; job < 50; ++job) {
      std::vector<int> times(static_cast<std::size_t>(parts));
      std::vector<std::thread::id> threads(times.size());
      crew.run([&](int part) {
        ++times[static_cast<std::size_t>(part)];
        threads[static_cast<std::size_t>(part)] = std::this_thread::get_id();
      });
      EXPECT_EQ(times, std::vector<int>(times.size(), 1));
      EXPECT_EQ(threads[0], std::this_thread::get_id());
      EXPECT_EQ(std::set<std::thread::id>(threads.begin(), threads.end()).size(), threads.size());
    }
  }
}

TEST(crew, AnErrorReachesTheCallerAfterAllPartsAreDone) {
  Crew crew(4);
  for (const int bad : {0, 2}) {
    std::atomic<int> done = 0;
    EXPECT_THROW(crew.run([&](int part) {
      if (part == bad) throw std::runtime_error("part");
      ++done;
    }),
                 std::runtime_error);
    EXPECT_EQ(done, 3);
    crew.run([&](int) { ++done; });  // and is forgotten then
    EXPECT_EQ(done, 7);
  }
}

}  // namespace
}  // namespace polymax::crew_test
