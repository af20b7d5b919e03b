// Bootstrap means of independent values, and the quantiles they need. See statistics.hpp.
#include "arena/statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "core/rng.hpp"

namespace polymax::arena {

namespace {

constexpr double kTail = 0.025;

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double resampled_sum(std::span<const double> values, Rng& rng) {
  double sum = 0;
  const auto count = static_cast<std::uint32_t>(values.size());
  for (std::uint32_t k = 0; k < count; ++k) sum += values[rng.below(count)];
  return sum;
}

// n equal values: other outcomes have a share of at most p with (1-p)^n = 2.5 %, and may lie at
// either end.
Interval constant_interval(double value, double count) {
  const double share = 1 - std::pow(kTail, 1 / count);
  return {value, value - share * (value + 1), value + share * (1 - value), true};
}

// Quantile of sorted values, linear between neighbours. Not empty.
double percentile(std::span<double> sorted, double p) {
  assert(!sorted.empty());
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// The 95 % interval of a mean from resampled deviations, stretched by `factor`, kept within -1..1.
Interval bootstrap_interval(double mean, std::vector<double> deviations, double factor) {
  std::sort(deviations.begin(), deviations.end());
  const double low = mean + factor * percentile(deviations, kTail);
  const double high = mean + factor * percentile(deviations, 1 - kTail);
  return {mean, std::min(mean, std::max(-1.0, low)), std::max(mean, std::min(1.0, high)), true};
}

}  // namespace

Interval mean_interval(std::span<const double> scores, std::uint64_t seed, int resamples) {
  if (scores.empty()) return {};
  const double count = static_cast<double>(scores.size());
  const double mean = mean_of(scores);
  if (std::all_of(scores.begin(), scores.end(), [&](double s) { return s == scores[0]; }))
    return constant_interval(scores[0], count);
  Rng rng(seed);
  std::vector<double> deviations(static_cast<std::size_t>(resamples));
  for (double& d : deviations) d = resampled_sum(scores, rng) / count - mean;
  const double factor = student_quantile(1 - kTail, count - 1) / normal_quantile(1 - kTail) *
                        std::sqrt(count / (count - 1));
  return bootstrap_interval(mean, std::move(deviations), factor);
}

Interval quick_interval(std::span<const double> scores) {
  if (scores.empty()) return {};
  const double count = static_cast<double>(scores.size());
  if (std::ranges::all_of(scores, [&](double s) { return s == scores[0]; }))
    return constant_interval(scores[0], count);
  const double mean = mean_of(scores);
  const double radius =
      normal_radius(scores) * student_quantile(1 - kTail, count - 1) / normal_quantile(1 - kTail);
  return {mean, std::max(-1.0, mean - radius), std::min(1.0, mean + radius), true};
}

Interval stratified_interval(std::span<const std::vector<double>> strata, std::uint64_t seed,
                             int resamples) {
  double sum = 0, count = 0;
  bool known = true;
  for (const auto& values : strata) {
    sum += std::accumulate(values.begin(), values.end(), 0.0);
    count += static_cast<double>(values.size());
    known = known && values.size() != 1;
  }
  if (count == 0) return {};
  const double mean = sum / count;
  if (!known) return {mean, mean, mean, false};
  Rng rng(seed);
  std::vector<double> deviations(static_cast<std::size_t>(resamples));
  for (double& d : deviations) {
    double total = 0;
    for (const auto& values : strata) total += resampled_sum(values, rng);
    d = total / count - mean;
  }
  return bootstrap_interval(mean, std::move(deviations), 1);
}

Interval normal_interval(std::span<const double> scores) {
  if (scores.empty()) return {};
  const double mean = mean_of(scores), radius = normal_radius(scores);
  return {mean, mean - radius, mean + radius, scores.size() > 1};
}

double normal_radius(std::span<const double> scores) {
  if (scores.size() < 2) return 0;
  const double count = static_cast<double>(scores.size()), mean = mean_of(scores);
  double squares = 0;
  for (double s : scores) squares += (s - mean) * (s - mean);
  return normal_quantile(1 - kTail) * std::sqrt(squares / (count - 1) / count);
}

double parity(int players) {
  return 2.0 / players - 1;
}

}  // namespace polymax::arena
