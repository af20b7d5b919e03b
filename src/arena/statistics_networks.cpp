// Intervals that allow for shared networks. See statistics.hpp.
//
// Score of a cell (i, j) = mean + row_i + column_j + cell_ij. Column j holds the networks j ..
// j+m-1, so column_j is a sum of m network effects and neighbouring columns are correlated: with
// independent effects of variance s^2 the columns have variance m s^2, their mean over K columns
// m^2 s^2 / K, and their squares about that mean m s^2 (K - m) in expectation.
#include <cassert>
#include <cmath>
#include <map>
#include <utility>

#include "arena/bootstrap.hpp"

namespace polymax::arena {

namespace {

// Residual sums of rows, columns and cells, each divided by the number of scores: shares of a
// deviation of the mean.
struct Shares {
  double mean = 0, count = 0;
  std::vector<double> rows, columns, cells;
};

struct Total {
  double sum = 0, count = 0;
  double mean() const { return sum / count; }
};

double squares(const std::vector<double>& values) {
  double out = 0;
  for (double v : values) out += v * v;
  return out;
}

Shares shares_of(const NetworkSample& sample) {
  std::map<int, Total> rows, columns;
  std::map<std::pair<int, int>, Total> cells;
  Total all;
  for (const auto& s : sample.scores) {
    for (Total* t : {&rows[s.i], &columns[s.j], &cells[{s.i, s.j}], &all}) {
      t->sum += s.score;
      t->count += 1;
    }
  }
  Shares out;
  out.count = all.count;
  if (all.count == 0) return out;
  out.mean = all.mean();
  for (const auto& [i, t] : rows) out.rows.push_back((t.mean() - out.mean) * t.count / all.count);
  for (const auto& [j, t] : columns)
    out.columns.push_back((t.mean() - out.mean) * t.count / all.count);
  for (const auto& [at, t] : cells) {
    const double rest = t.mean() - rows[at.first].mean() - columns[at.second].mean() + out.mean;
    out.cells.push_back(rest * t.count / all.count);
  }
  return out;
}

// Degrees of freedom of the squares, about their mean, of K columns that are moving sums of m
// effects on a circle: from the eigenvalues of their covariance.
double column_freedom(double columns, int m) {
  double overlap = 0;
  for (int h = 1 - m; h < m; ++h) overlap += std::pow(m - std::abs(h), 2);
  return std::max(1.0, std::pow(m * (columns - m), 2) / (columns * overlap - std::pow(m, 4)));
}

struct Estimate : NetworkVariance {
  double freedom_parts = 0;  // sum of squared components over their freedoms
};

Estimate variance_of(const Shares& shares, int m) {
  Estimate out;
  const double rows = static_cast<double>(shares.rows.size()),
               columns = static_cast<double>(shares.columns.size());
  if (rows < 2 || columns <= m || columns < 2) return out;
  out.known = true;
  out.cells = squares(shares.cells) * rows / (rows - 1) * columns / (columns - 1);
  out.rows = std::max(0.0, squares(shares.rows) * rows / (rows - 1) - out.cells);
  out.columns = std::max(
      0.0, m * (squares(shares.columns) - (1 - 1 / columns) * out.cells) * columns / (columns - m));
  const auto part = [&](double component, double freedom) {
    return std::pow(component, 2) / freedom;
  };
  out.freedom_parts = part(out.rows + out.cells, rows - 1) +
                      part(out.columns + out.cells, column_freedom(columns, m));
  out.freedom = out.freedom_parts > 0 ? out.sum() * out.sum() / out.freedom_parts : 1e9;
  return out;
}

// Values to draw from, centred, so that as many draws as values have the variance wanted.
struct Deck {
  std::vector<double> values;

  Deck(std::vector<double> shares, double variance) : values(std::move(shares)) {
    double mean = 0;
    for (double v : values) mean += v / static_cast<double>(values.size());
    for (double& v : values) v -= mean;
    const double own = squares(values);
    const double scale = own > 0 ? std::sqrt(variance / own) : 0;
    for (double& v : values) v *= scale;
    if (scale == 0) values.clear();
  }

  double draw(Rng& rng) const {
    double sum = 0;
    const auto count = static_cast<std::uint32_t>(values.size());
    for (std::uint32_t k = 0; k < count; ++k) sum += values[rng.below(count)];
    return sum;
  }
};

}  // namespace

NetworkVariance network_variance(const NetworkSample& sample) {
  return variance_of(shares_of(sample), sample.shared);
}

Interval network_interval(std::span<const NetworkSample> samples, std::uint64_t seed,
                          int resamples) {
  double count = 0, sum = 0, variance = 0, parts = 0;
  for (const auto& sample : samples) count += static_cast<double>(sample.scores.size());
  if (count == 0) return {};
  bool known = true;
  std::vector<Deck> decks;
  for (const auto& sample : samples) {
    const Shares shares = shares_of(sample);
    if (shares.count == 0) continue;
    const Estimate part = variance_of(shares, sample.shared);
    const double weight = shares.count / count;
    known = known && part.known;
    sum += shares.mean * weight;
    variance += part.sum() * weight * weight;
    parts += part.freedom_parts * std::pow(weight, 4);
    decks.emplace_back(shares.rows, part.rows * weight * weight);
    decks.emplace_back(shares.columns, part.columns * weight * weight);
    decks.emplace_back(shares.cells, part.cells * weight * weight);
  }
  if (!known) return {sum, sum, sum, false};
  Rng rng(seed);
  std::vector<double> deviations(static_cast<std::size_t>(resamples));
  for (double& d : deviations)
    for (const Deck& deck : decks) d += deck.draw(rng);
  const double freedom = parts > 0 ? variance * variance / parts : 1e9;
  return bootstrap_interval(sum, std::move(deviations),
                            student_quantile(0.975, freedom) / normal_quantile(0.975));
}

}  // namespace polymax::arena
