// Ranks, rank correlations and quantiles. See statistics.hpp. Chosen: Student's quantile by hand;
// Boost.Math would bring 140 MB of headers onto every machine for these forty lines.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "arena/statistics.hpp"

namespace polymax::arena {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<double> mid_ranks(std::span<const double> values) {
  std::vector<double> out;
  for (double v : values) {
    double below = 0, equal = 0;
    for (double w : values) {
      below += w < v ? 1 : 0;
      equal += w == v ? 1 : 0;
    }
    out.push_back(below + (equal + 1) / 2);
  }
  return out;
}

double pearson(std::span<const double> x, std::span<const double> y) {
  const double n = static_cast<double>(x.size());
  double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) mx += x[k] / n, my += y[k] / n;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xx += (x[k] - mx) * (x[k] - mx);
    yy += (y[k] - my) * (y[k] - my);
    xy += (x[k] - mx) * (y[k] - my);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : kNone;
}

int sign(double v) {
  return (v > 0) - (v < 0);
}

// Distribution function of Student's t by the incomplete beta function's continued fraction
// (Lentz).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::fabs(d) < kTiny ? kTiny : d);
  double value = d;
  for (int m = 1; m < 1000; ++m) {
    double change = 1;
    for (int odd = 0; odd < 2; ++odd) {
      const double top = odd == 0 ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                                  : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 + top * d;
      d = 1 / (std::fabs(d) < kTiny ? kTiny : d);
      c = 1 + top / c;
      c = std::fabs(c) < kTiny ? kTiny : c;
      change *= c * d;
    }
    value *= change;
    if (std::fabs(change - 1) < 1e-15) break;
  }
  return value;
}

double incomplete_beta(double a, double b, double x) {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                   : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

// Chance that |t| exceeds `t`.
double student_tails(double t, double freedom) {
  return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

}  // namespace

std::vector<int> ranks(std::span<const Interval> intervals) {
  std::vector<int> out;
  for (const Interval& own : intervals) {
    int rank = 1;
    for (const Interval& other : intervals) rank += other.known && other.low > own.high ? 1 : 0;
    out.push_back(own.known ? rank : 0);
  }
  return out;
}

std::vector<int> paired_ranks(const std::vector<std::vector<Interval>>& differences) {
  std::vector<int> out;
  for (std::size_t b = 0; b < differences.size(); ++b) {
    int rank = 1;
    for (std::size_t a = 0; a < b; ++a)
      if (differences[a][b].known && differences[a][b].low > 0) rank = std::max(rank, out[a] + 1);
    out.push_back(rank);
  }
  return out;
}

double spearman(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  if (x.size() < 2) return kNone;
  return pearson(mid_ranks(x), mid_ranks(y));
}

double kendall(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  double agree = 0, in_x = 0, in_y = 0;
  for (std::size_t a = 0; a < x.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const int sx = sign(x[a] - x[b]), sy = sign(y[a] - y[b]);
      agree += sx * sy;
      in_x += sx * sx;
      in_y += sy * sy;
    }
  }
  return in_x > 0 && in_y > 0 ? agree / std::sqrt(in_x * in_y) : kNone;
}

double normal_quantile(double p) {
  assert(p > 0 && p < 1);
  double low = -40, high = 40;
  for (int k = 0; k < 200 && high - low > 0; ++k) {
    const double middle = (low + high) / 2;
    (std::erfc(-middle / std::sqrt(2.0)) / 2 < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

double student_quantile(double p, double freedom) {
  assert(p > 0 && p < 1 && freedom > 0);
  if (freedom > 1e6) return normal_quantile(p);
  const double tails = 2 * std::min(p, 1 - p);
  double low = 0, high = 1;
  while (student_tails(high, freedom) > tails) high *= 2;
  for (int k = 0; k < 200 && high - low > 0; ++k) {
    const double middle = (low + high) / 2;
    (student_tails(middle, freedom) > tails ? low : high) = middle;
  }
  return p < 0.5 ? -(low + high) / 2 : (low + high) / 2;
}

}  // namespace polymax::arena
