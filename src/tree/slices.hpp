// How many positions a search that may be interrupted gives to its evaluator at once: as many as
// take a few milliseconds. It is the time of the calling thread that counts, so that a device,
// which computes while its callers wait, gets whole batches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/clock.hpp"

namespace polymax {

class Slices {
 public:
  std::size_t size() const { return size_; }

  // Calls, and looks how long that takes: whenever there were more positions, else now and then.
  template <class Call>
  void value(std::size_t positions, const Call& call) {
    if (calls_++ % kEvery != 0 && positions < size_) return call();
    const double begin = thread_cpu_seconds();
    call();
    const double fitting =
        kSeconds * static_cast<double>(positions) / std::max(thread_cpu_seconds() - begin, 1e-9);
    size_ = static_cast<std::size_t>(
        std::clamp(fitting, static_cast<double>(kLeast), static_cast<double>(kMost)));
  }

 private:
  static constexpr double kSeconds = 0.003;
  static constexpr std::size_t kFirst = 16, kLeast = 8, kMost = 4096;
  static constexpr std::uint32_t kEvery = 16;

  std::size_t size_ = kFirst;
  std::uint32_t calls_ = 0;
};

}  // namespace polymax
