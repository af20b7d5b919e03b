// Counts what a search spends on one move and says when its budget is gone, and when somebody who
// looks on is to be told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/clock.hpp"
#include "core/searcher.hpp"

namespace polymax {

class Meter {
 public:
  explicit Meter(const Budget& budget) : budget_(budget), begin_(wall_seconds()) {}

  template <class G>
  Meter(const Budget& budget, const Watcher<G>& watcher) : Meter(budget) {
    if (!watcher.see) return;
    every_ = next_look_ = watcher.every;
  }

  void evaluated(std::uint64_t positions) { evaluations_ += positions; }
  void visited(std::uint64_t positions = 1) { nodes_ += positions; }

  std::uint64_t evaluations() const { return evaluations_; }
  int depth_limit() const { return budget_.depth; }
  double seconds() const { return wall_seconds() - begin_; }

  // What was spent so far.
  Cost cost(int depth, std::size_t bytes) const {
    return {evaluations_, nodes_, bytes, depth, seconds()};
  }

  // Reads the clock only when there is a time limit, so that counted budgets are pure functions of
  // their input.
  bool spent() const {
    return evaluations_ >= budget_.evaluations || nodes_ >= budget_.nodes || interrupted();
  }

  // Whether interrupted() may ever be true.
  bool interruptible() const { return budget_.stop.stop_possible() || budget_.seconds < kForever; }

  bool stopped() const { return budget_.stop.stop_requested(); }  // asked to

  // Asked to stop, or out of time: what cannot be counted.
  bool interrupted() const {
    return stopped() || (budget_.seconds < kForever && seconds() >= budget_.seconds);
  }

  // Whether the watcher is to be told now. Costs nothing when nobody looks.
  bool look_due() {
    if (next_look_ == kForever) return false;
    const double now = seconds();
    if (now < next_look_) return false;
    next_look_ = now + every_;
    return true;
  }

 private:
  static constexpr double kForever = std::numeric_limits<double>::infinity();

  Budget budget_;
  double begin_;  // wall_seconds()
  std::uint64_t evaluations_ = 0, nodes_ = 0;
  double every_ = 0, next_look_ = kForever;  // seconds
};

}  // namespace polymax
