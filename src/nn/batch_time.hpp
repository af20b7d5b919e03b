// How long a batch takes: a straight line through the last ones, older ones counting less and less.
#pragma once

#include <algorithm>

namespace polymax {

class BatchTime {
 public:
  void add(double positions, double seconds) {
    constexpr double kKept = 0.97;
    n_ = kKept * n_ + 1;
    x_ = kKept * x_ + positions;
    y_ = kKept * y_ + seconds;
    xx_ = kKept * xx_ + positions * positions;
    xy_ = kKept * xy_ + positions * seconds;
  }

  double operator()(double positions) const {
    if (n_ == 0) return 0;
    const double x = x_ / n_, y = y_ / n_, spread = xx_ / n_ - x * x;
    const double slope = spread > 1e-3 * x * x ? (xy_ / n_ - x * y) / spread : y / x;
    return std::max(0.0, y + std::clamp(slope, 0.0, y / x) * (positions - x));
  }

 private:
  double n_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0;  // sums
};

}  // namespace polymax
