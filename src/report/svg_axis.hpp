// Axes of the pictures in reports: a range of values with round ticks, and where a value stands
// between two pixels.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "report/report_html.hpp"

namespace polymax::report {

// From the tick below `from` to the tick above `to`, about `ticks` of them.
struct Axis {
  double low = 0, high = 1, step = 1;

  Axis(double from, double to, int ticks) {
    const double span = std::max(to - from, 1e-9);
    const double rough = span / ticks, power = std::pow(10, std::floor(std::log10(rough)));
    step = power;
    for (double factor : {1.0, 2.0, 5.0, 10.0}) {
      step = factor * power;
      if (step >= rough * 0.999) break;
    }
    low = std::floor(from / step + 1e-9) * step;
    high = std::ceil(to / step - 1e-9) * step;
    if (high <= low) high = low + step;
  }

  std::vector<double> ticks() const {
    std::vector<double> out;
    const int count = static_cast<int>(std::floor((high - low) / step + 1e-6));
    for (int k = 0; k <= count; ++k) out.push_back(low + k * step);
    return out;
  }
  // With as many digits as tell two ticks apart.
  std::string text(double value) const {
    return html::minus(
        decimal(value, step < 0.999 ? static_cast<int>(std::ceil(-std::log10(step) - 1e-9)) : 0));
  }
  double at(double value, double left, double right) const {
    return left + (std::clamp(value, low, high) - low) / (high - low) * (right - left);
  }
};

// A length in an SVG.
inline std::string px(double value) {
  return decimal(value, 1);
}

}  // namespace polymax::report
