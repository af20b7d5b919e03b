// CPU time of the calling thread, in which our speed figures are measured: other work on the machine counts little.
#pragma once

#include <ctime>

namespace polymax {

inline double thread_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace polymax
