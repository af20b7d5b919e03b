// Sleeping on a number in memory until it changes: what condition variables are made of, without a
// mutex that hundreds of woken threads would fight for.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <ctime>

namespace polymax {

// Returns when somebody woke us or the time is over, or at once when the number is not `expected`;
// may also return for no reason.
inline void futex_wait(std::atomic<int>& number, int expected, std::chrono::milliseconds longest) {
  const timespec time{longest.count() / 1000, longest.count() % 1000 * 1'000'000};
  syscall(SYS_futex, &number, FUTEX_WAIT_PRIVATE, expected, &time, nullptr, 0);
}

inline void futex_wake_all(std::atomic<int>& number) {
  syscall(SYS_futex, &number, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace polymax
