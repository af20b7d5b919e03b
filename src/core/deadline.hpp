// Times to come, on a clock that is never set back, from seconds as settings say them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace polymax {

using Clock = std::chrono::steady_clock;

// From nothing to a hundred years, so that no time to come overflows.
inline Clock::duration duration_of(double seconds) {
  constexpr double kCentury = 100 * 365.25 * 86400;
  return std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(std::clamp(seconds, 0.0, kCentury)));
}

inline Clock::time_point after(double seconds) {
  return Clock::now() + duration_of(seconds);
}

// As poll() takes them: 0 when the time has come.
inline int milliseconds_until(Clock::time_point when, int most = std::numeric_limits<int>::max()) {
  const std::int64_t left =
      std::chrono::ceil<std::chrono::milliseconds>(when - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, most));
}

}  // namespace polymax
