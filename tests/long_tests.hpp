// Suites that take minutes have a short form, which always runs; ./test --long runs them whole.
#pragma once

#include <cstdlib>

namespace polymax {

inline bool long_tests() {
  return std::getenv("POLYMAX_LONG_TESTS") != nullptr;
}

}  // namespace polymax
