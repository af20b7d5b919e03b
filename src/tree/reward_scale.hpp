// Points as rewards of Monte-Carlo search, 0..1, and back: lo..hi are the bounds that were given,
// or those that the evaluator knows, or the extremes over sample matches with random moves, which
// the budget does not pay.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/scores.hpp"
#include "core/searcher.hpp"
#include "tree/meter.hpp"
#include "tree/sample_bounds.hpp"

namespace polymax {

class RewardScale {
 public:
  bool known() const { return known_; }

  // given: infinite where nothing was. Evaluators that play games to the end give gains.
  template <Game G>
  void find(const Task<G>& task, const Bounds& given, const Meter& meter) {
    constexpr int kSampleMatches = 16;
    const bool gains = task.evaluator.samples();
    lo_ = gains ? -1 : given.lo;
    hi_ = gains ? 1 : given.hi;
    if (std::isinf(lo_) || std::isinf(hi_)) {
      const auto told = task.evaluator.bounds();
      const Bounds bounds = told ? *told : sample_bounds(task, kSampleMatches, meter);
      if (std::isinf(lo_)) lo_ = bounds.lo < hi_ ? bounds.lo : hi_ - 1;
      if (std::isinf(hi_)) hi_ = bounds.hi > lo_ ? bounds.hi : lo_ + 1;
    }
    known_ = true;
  }

  Scores reward(const Scores& points) const {
    Scores out;
    for (std::size_t p = 0; p < out.seats.size(); ++p)
      out.seats[p] = static_cast<float>(
          std::clamp((static_cast<double>(points.seats[p]) - lo_) / (hi_ - lo_), 0.0, 1.0));
    return out;
  }

  float points(double reward) const { return static_cast<float>(lo_ + (hi_ - lo_) * reward); }

 private:
  double lo_ = 0, hi_ = 1;
  bool known_ = false;
};

}  // namespace polymax
