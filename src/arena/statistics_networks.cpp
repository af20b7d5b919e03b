// Intervals that allow for shared networks. See statistics.hpp.
//
// Score of a cell (i, j) = mean + a_i + (b_j + ... + b_{j+m-1}) + cell_ij, indices modulo n:
// network k has the effect a_k as the evaluated player's and b_k as one of the benchmark's m = P-1.
// With Var a = A, Var b = B, Cov(a_k, b_k) = C and cells of variance s^2, the mean over all n^2
// cells has the variance (A + m^2 B + 2 m C) / n + s^2 / n^2. With r_i and c_j, the means of rows
// and columns less the mean of all, and over the cells that are left:
//   E sum r_i^2 = (n-1) (A + s^2/n)                E sum c_j^2 = m (n-m) B + (n-1) s^2/n
//   E sum over j and i in j .. j+m-1 of r_i c_j = m (n-m) C
// Neighbouring columns share m-1 networks: their squares have fewer degrees of freedom than n-1.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "arena/statistics.hpp"

namespace polymax::arena {

namespace {

constexpr double kFewestGames = 4;

// Residual sums of rows, columns and cells, each divided by the number of scores: shares of a
// deviation of the mean.
struct Shares {
  double mean = 0, count = 0;
  std::map<int, double> rows, columns;
  std::vector<double> cells;
};

struct Total {
  double sum = 0, count = 0;
  double mean() const { return sum / count; }
};

Shares shares_of(const NetworkSample& sample) {
  std::map<int, Total> rows, columns;
  std::map<std::pair<int, int>, Total> cells;
  Total all;
  for (const auto& s : sample.scores) {
    for (Total* t : {&rows[s.i], &columns[s.j], &cells[{s.i, s.j}], &all}) {
      t->sum += s.score * s.count;
      t->count += s.count;
    }
  }
  Shares out;
  out.count = all.count;
  if (all.count == 0) return out;
  out.mean = all.mean();
  for (const auto& [i, t] : rows) out.rows[i] = (t.mean() - out.mean) * t.count / all.count;
  for (const auto& [j, t] : columns) out.columns[j] = (t.mean() - out.mean) * t.count / all.count;
  for (const auto& [at, t] : cells) {
    const double rest = t.mean() - rows[at.first].mean() - columns[at.second].mean() + out.mean;
    out.cells.push_back(rest * t.count / all.count);
  }
  return out;
}

double squares(const std::map<int, double>& values) {
  double out = 0;
  for (const auto& [at, v] : values) out += v * v;
  return out;
}

// Rows times the columns that hold their network.
double products(const Shares& shares, int networks, int m) {
  double out = 0;
  for (const auto& [j, column] : shares.columns)
    for (int u = 0; u < m; ++u)
      if (const auto row = shares.rows.find((j + u) % networks); row != shares.rows.end())
        out += row->second * column;
  return out;
}

// Degrees of freedom of the squares, about their mean, of n columns that are moving sums of m
// effects on a circle: from the eigenvalues of their covariance.
double column_freedom(int n, int m) {
  double overlap = 0;
  for (int h = 0; h < n; ++h)
    overlap += std::pow(std::max(0, m - h) + std::max(0, m - (n - h)) * (h > 0 ? 1 : 0), 2);
  const double spread = n * overlap - std::pow(m, 4);
  return spread > 0 ? std::max(1.0, std::pow(m * (n - m), 2) / spread) : 1.0;
}

NetworkVariance variance_of(const Shares& shares, int networks, int m) {
  NetworkVariance out;
  const double rows = static_cast<double>(shares.rows.size()),
               columns = static_cast<double>(shares.columns.size());
  if (rows < 2 || columns <= m || columns < 2 || networks <= m) return out;
  out.known = true;
  const double cells = static_cast<double>(shares.cells.size());
  const double freedom = std::max(1.0, cells - rows - columns + 1);
  for (const double rest : shares.cells) out.cells += rest * rest * cells / freedom;
  out.rows = squares(shares.rows) * rows / (rows - 1) - out.cells;
  out.columns =
      m * (squares(shares.columns) - (1 - 1 / columns) * out.cells) * columns / (columns - m);
  out.roles = 2 * products(shares, networks, m) * columns / (columns - m);
  out.freedom = column_freedom(static_cast<int>(columns), m);
  return out;
}

double count_of(std::span<const NetworkSample> samples) {
  double out = 0;
  for (const auto& sample : samples)
    for (const auto& score : sample.scores) out += score.count;
  return out;
}

Interval within(double mean, double radius, double most) {
  return {mean, std::min(mean, std::max(-most, mean - radius)),
          std::max(mean, std::min(most, mean + radius)), true};
}

}  // namespace

double NetworkVariance::sum() const {
  return std::max(0.0, rows + columns + roles) + cells;
}

NetworkVariance network_variance(const NetworkSample& sample) {
  return variance_of(shares_of(sample), sample.networks, sample.shared);
}

Interval games_interval(std::span<const NetworkSample> samples, double most) {
  const double count = count_of(samples);
  if (count == 0) return {};
  double mean = 0, squares = 0, games = 0;
  const auto each = [&](auto&& add) {
    for (const auto& sample : samples)
      if (const Shares shares = shares_of(sample); shares.count > 0)
        add(shares.count / count, shares.mean);
  };
  each([&](double weight, double own) { mean += weight * own, ++games; });
  if (games < kFewestGames) return {mean, mean, mean, false};
  each([&](double weight, double own) { squares += std::pow(weight * (own - mean), 2); });
  const double error = std::sqrt(squares * games / (games - 1));
  return within(mean, student_quantile(0.975, games - 1) * error, most);
}

Interval network_interval(std::span<const NetworkSample> samples, double most) {
  const double count = count_of(samples);
  double mean = 0, variance = 0, parts = 0;
  if (count == 0) return {};
  bool known = true;
  for (const auto& sample : samples) {
    const Shares shares = shares_of(sample);
    if (shares.count == 0) continue;
    const NetworkVariance part = variance_of(shares, sample.networks, sample.shared);
    const double weight = shares.count / count, own = part.sum() * weight * weight;
    known = known && part.known;
    mean += shares.mean * weight;
    variance += own;
    if (part.known) parts += own * own / part.freedom;
  }
  if (!known) return {mean, mean, mean, false};
  const double freedom = parts > 0 ? variance * variance / parts : 1e9;
  return within(mean, student_quantile(0.975, freedom) * std::sqrt(variance), most);
}

}  // namespace polymax::arena
