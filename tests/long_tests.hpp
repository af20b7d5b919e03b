// Suites that take minutes have a short form, which always runs; ./test --long runs them whole.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace polymax {

inline bool long_tests() {
  return std::getenv("POLYMAX_LONG_TESTS") != nullptr;
}

// Sanitizers make code ten times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// For what runs in the release build, too, and is done `n` times to be surer of the same thing: a
// tenth of it under a sanitizer.
inline int repetitions(int n) {
  return kSanitized && !long_tests() ? std::max(1, n / 10) : n;
}

// For tests that draw thousands of samples or learn for long, and say no more of memory than
// others: the release build has them.
#define NOT_UNDER_SANITIZERS() \
  if (kSanitized && !long_tests()) GTEST_SKIP() << "the release build does this"

}  // namespace polymax
