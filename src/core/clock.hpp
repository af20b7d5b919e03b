// Seconds: CPU time of the calling thread, in which our speed figures are measured (other work on
// the machine counts little), and of the whole process; the time of a clock that is never set, and
// the time of day.
#pragma once

#include <ctime>

namespace polymax {

namespace detail {

inline double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace detail

inline double thread_cpu_seconds() {
  return detail::seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

inline double process_cpu_seconds() {
  return detail::seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

inline double wall_seconds() {
  return detail::seconds_of(CLOCK_MONOTONIC);
}

// Since 1970.
inline double unix_seconds() {
  return detail::seconds_of(CLOCK_REALTIME);
}

}  // namespace polymax
