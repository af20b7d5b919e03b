// Counts what a search spends on one move and says when its budget is gone.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/searcher.hpp"

namespace polymax {

class Meter {
 public:
  explicit Meter(const Budget& budget) : budget_(budget), begin_(Clock::now()) {}

  void evaluated(std::uint64_t positions) { evaluations_ += positions; }
  void visited(std::uint64_t positions = 1) { nodes_ += positions; }

  std::uint64_t evaluations() const { return evaluations_; }
  std::uint64_t nodes() const { return nodes_; }
  int depth_limit() const { return budget_.depth; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  // Reads the clock only when there is a time limit, so that counted budgets are pure functions of
  // their input.
  bool spent() const {
    return evaluations_ >= budget_.evaluations || nodes_ >= budget_.nodes || interrupted();
  }

  bool stopped() const { return budget_.stop.stop_requested(); }  // asked to

  // Asked to stop, or out of time: what cannot be counted.
  bool interrupted() const {
    return stopped() || (budget_.seconds < kForever && seconds() >= budget_.seconds);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kForever = std::numeric_limits<double>::infinity();

  Budget budget_;
  Clock::time_point begin_;
  std::uint64_t evaluations_ = 0, nodes_ = 0;
};

}  // namespace polymax
