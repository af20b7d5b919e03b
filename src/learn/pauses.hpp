// Pauses between looks at something that others change: short at first, each half as long again, so
// that a shared disk is not asked many times a second by those who wait.
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

namespace polymax::learn {

class Pauses {
 public:
  using Time = std::chrono::milliseconds;

  Pauses(Time first, Time longest) : first_(first), longest_(longest), next_(first) {}

  Time next() { return std::exchange(next_, std::min(longest_, next_ * 3 / 2)); }
  void begin_again() { next_ = first_; }

 private:
  Time first_, longest_, next_;
};

}  // namespace polymax::learn
