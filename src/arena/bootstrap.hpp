// What the bootstraps of statistics.hpp share.
#pragma once

#include <span>
#include <vector>

#include "arena/statistics.hpp"
#include "core/rng.hpp"

namespace polymax::arena {

// Quantile of sorted values, linear between neighbours. Not empty.
double percentile(std::span<double> sorted, double p);

// The 95 % interval of a mean from resampled deviations, stretched by `factor`, kept within -1..1.
Interval bootstrap_interval(double mean, std::vector<double> deviations, double factor);

}  // namespace polymax::arena
