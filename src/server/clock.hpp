// Times of the server: never set back, and seconds as settings say them.
#pragma once

#include <chrono>

namespace polymax::server {

using Clock = std::chrono::steady_clock;

inline Clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace polymax::server
