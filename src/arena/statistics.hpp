// Means with 95 % intervals, the way the paper computes them and the way its design asks for.
//
// A study plays every network i of the evaluated player against the benchmark with the networks j
// .. j+P-2, from every seat. The paper resamples matches as if they were independent
// (`stratified_interval`, strata = games). They are not: matches that share any network, in
// whatever role, depend on each other, so that interval is too narrow where networks differ.
// `network_interval` allows for it: variance components of rows i, of columns j, of what the two
// roles of one network have in common, and of cells, by the method of moments. A strong network
// helps its own player as much as it helps the others when they have it, so the third part is
// usually negative and cancels much of the first two. Chosen: effects of networks add up. All
// functions are pure: same arguments, same result, on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace polymax::arena {

inline constexpr int kResamples = 2000;

// A mean with its 95 % interval. `known` is false where the data cannot tell (no value; a single
// match; a single network); the mean is then the interval.
struct Interval {
  double mean = 0, low = 0, high = 0;
  bool known = false;

  double radius() const { return (high - low) / 2; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

// Mean of independent scores in -1..1 (matches, or means of blocks), by bootstrap. Few values:
// widened by Student's t. All values equal: the other outcomes may have a share that the sample
// misses with probability 2.5 %.
Interval mean_interval(std::span<const double> scores, std::uint64_t seed,
                       int resamples = kResamples);

// About the same at once, from Student's distribution: for a table that is drawn while matches go
// on.
Interval quick_interval(std::span<const double> scores);

// The paper's: the mean pooled over all values; each stratum is resampled alone and keeps its size;
// percentiles. Not known where a stratum has a single value, which cannot tell how values differ.
Interval stratified_interval(std::span<const std::vector<double>> strata, std::uint64_t seed,
                             int resamples = kResamples);

// The paper's radius beside one game's mean: 1.96 standard errors of independent matches; 0 for a
// single one. And the mean with it.
double normal_radius(std::span<const double> scores);
Interval normal_interval(std::span<const double> scores);

// One game's matches of one evaluated player, or what they differ from another player's. `shared` =
// P-1: as many networks sit in one column j, and `networks` networks in all play both roles.
struct NetworkSample {
  struct Score {
    int i = 0, j = 0;
    double score = 0, count = 1;  // count: matches that it is the mean of
  };
  int networks = 0, shared = 1;
  std::vector<Score> scores;
};

// What the mean of a sample owes to networks, as variances of that mean. Each part is estimated
// without bias and may come out negative.
struct NetworkVariance {
  double rows = 0, columns = 0;  // of the networks as i, and as j .. j+P-2
  double roles = 0;              // covariance of the two, twice
  double cells = 0;              // of what is left of every pair (i, j): matches, seats, pairings
  double freedom = 0;            // degrees of freedom of the sum
  bool known = false;            // needs 2 rows and more than `shared` columns

  double sum() const;
};
NetworkVariance network_variance(const NetworkSample& sample);

// The mean pooled over all matches of all samples (games: no network in common) with the interval
// that allows for shared networks, kept within -most .. most. Not known as soon as one sample is
// not.
Interval network_interval(std::span<const NetworkSample> samples, double most = 1);

// The same mean with the interval that takes every sample (game) as one draw, from Student's
// distribution: it allows for whatever matches of a game have in common, however few its networks,
// and for games that differ, so it is wider than needed for these games alone. Not known with
// fewer than four games.
Interval games_interval(std::span<const NetworkSample> samples, double most = 1);

// What a player scores against P-1 copies of itself in a game with one winner: 2/P - 1.
double parity(int players);

// Rank of every mean, 1 = best: one more than the number of intervals that lie wholly above its
// own. Those that overlap share a rank. Unknown intervals: 0.
std::vector<int> ranks(std::span<const Interval> intervals);

// Ranks of players listed best first, by what they differ from each other: differences[a][b] is the
// interval of a's mean minus b's. One whose difference to a better one excludes 0 stands below it;
// neighbours that cannot be told apart share a rank: 1, 1, 2, 3 ...
std::vector<int> paired_ranks(const std::vector<std::vector<Interval>>& differences);

// Rank correlations of two lists of one length, with ties (Spearman: mid-ranks; Kendall: tau-b).
// NaN for fewer than two items or a constant list.
double spearman(std::span<const double> x, std::span<const double> y);
double kendall(std::span<const double> x, std::span<const double> y);

// Quantiles of the normal and of Student's distribution (any freedom > 0), for 0 < p < 1.
double normal_quantile(double p);
double student_quantile(double p, double freedom);

}  // namespace polymax::arena
