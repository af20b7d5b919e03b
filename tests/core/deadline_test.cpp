// Times to come: no number of seconds overflows.
#include "core/deadline.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace polymax::deadline_test {
namespace {

TEST(deadline, HoweverManySeconds) {
  for (const double seconds : {1e3, 1e10, 1e18, std::numeric_limits<double>::infinity()}) {
    EXPECT_GT(after(seconds), Clock::now() + std::chrono::seconds(900)) << seconds;
    EXPECT_GT(milliseconds_until(after(seconds)), 900'000) << seconds;
    EXPECT_EQ(milliseconds_until(after(seconds), 20), 20) << seconds;
  }
  for (const double seconds : {0.0, -1.0, -1e18}) {
    EXPECT_EQ(duration_of(seconds), Clock::duration::zero()) << seconds;
    EXPECT_EQ(milliseconds_until(after(seconds)), 0) << seconds;
  }
  EXPECT_EQ(duration_of(0.25), std::chrono::milliseconds(250));
}

}  // namespace
}  // namespace polymax::deadline_test
