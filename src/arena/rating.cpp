// See rating.hpp. Parameters: the strength of every player, then the logarithm of the tie parameter
// of every size of group that tied at least once. Equal choices are counted and computed once.
#include "arena/rating.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "arena/linear.hpp"
#include "core/error.hpp"

namespace polymax::arena {

namespace {

using Seats = std::vector<int>;  // players, sorted, one per seat
// How often a group was chosen of the remaining seats: these, then the group.
using Choices = std::map<std::pair<Seats, Seats>, double>;

class Model {
 public:
  Model(int players, const Choices& choices, double prior)
      : players_(players), choices_(choices), prior_(prior) {
    for (const auto& [choice, count] : choices_) {
      const auto size = choice.second.size();
      if (size > 1 && !tie_.count(size))
        tie_.emplace(size, players_ + static_cast<int>(tie_.size()));
    }
  }

  std::size_t parameters() const { return static_cast<std::size_t>(players_) + tie_.size(); }

  // Log-likelihood with the prior; adds gradient and the negative of the second derivatives where
  // wanted.
  double value(const std::vector<double>& at, std::vector<double>* gradient,
               Matrix* curvature) const {
    double out = 0;
    for (std::size_t k = 0; k < at.size(); ++k) out += add_prior(at, k, gradient, curvature);
    for (const auto& [choice, count] : choices_)
      out += add_choice(at, choice, count, gradient, curvature);
    return out;
  }

 private:
  using Features = std::vector<std::pair<std::size_t, double>>;  // (parameter, weight)

  Features features(const Seats& group) const {
    std::map<std::size_t, double> sum;
    for (int player : group)
      sum[static_cast<std::size_t>(player)] += 1.0 / static_cast<double>(group.size());
    if (group.size() > 1) sum[static_cast<std::size_t>(tie_.at(group.size()))] += 1;
    return {sum.begin(), sum.end()};
  }

  static double utility(const std::vector<double>& at, const Features& f) {
    double out = 0;
    for (const auto& [k, weight] : f) out += weight * at[k];
    return out;
  }

  double add_prior(const std::vector<double>& at, std::size_t k, std::vector<double>* gradient,
                   Matrix* curvature) const {
    const double win = 1 / (1 + std::exp(-at[k]));
    if (gradient) (*gradient)[k] += prior_ * (1 - 2 * win);
    if (curvature) curvature->at(k, k) += prior_ * 2 * win * (1 - win);
    return prior_ * (-std::log1p(std::exp(-std::fabs(at[k]))) * 2 - std::fabs(at[k]));
  }

  std::vector<Features> options(const Seats& remaining) const {
    std::vector<Features> out;
    for (unsigned set = 1; set < 1u << remaining.size(); ++set) {
      Seats group;
      for (std::size_t k = 0; k < remaining.size(); ++k)
        if (set >> k & 1) group.push_back(remaining[k]);
      if (group.size() == 1 || tie_.count(group.size())) out.push_back(features(group));
    }
    return out;
  }

  double add_choice(const std::vector<double>& at, const std::pair<Seats, Seats>& choice,
                    double count, std::vector<double>* gradient, Matrix* curvature) const {
    const auto all = options(choice.first);
    const Features chosen = features(choice.second);
    double most = -1e300, sum = 0;
    for (const auto& f : all) most = std::max(most, utility(at, f));
    for (const auto& f : all) sum += std::exp(utility(at, f) - most);
    std::vector<double> expected(at.size(), 0.0);
    for (const auto& f : all) {
      const double chance = std::exp(utility(at, f) - most) / sum;
      for (const auto& [k, weight] : f) expected[k] += chance * weight;
      if (!curvature) continue;
      for (const auto& [k, wk] : f)
        for (const auto& [l, wl] : f) curvature->at(k, l) += count * chance * wk * wl;
    }
    for (std::size_t k = 0; k < at.size(); ++k) {
      if (gradient) (*gradient)[k] -= count * expected[k];
      for (std::size_t l = 0; curvature && l < at.size(); ++l)
        curvature->at(k, l) -= count * expected[k] * expected[l];
    }
    for (const auto& [k, weight] : chosen)
      if (gradient) (*gradient)[k] += count * weight;
    return count * (utility(at, chosen) - most - std::log(sum));
  }

  int players_;
  const Choices& choices_;
  double prior_;
  std::map<std::size_t, int> tie_;  // size of group -> parameter
};

void check(int players, const Placing& match) {
  for (const auto& group : match.groups)
    for (int player : group)
      if (player < 0 || player >= players)
        throw Error("rating: player " + std::to_string(player) + " is outside 0.." +
                    std::to_string(players - 1));
}

// Splits every match into its choices: winners from all, the next from the rest, and so on.
Choices choices_of(std::span<const Placing> matches) {
  Choices out;
  for (const Placing& match : matches) {
    Seats remaining;
    for (const auto& group : match.groups)
      remaining.insert(remaining.end(), group.begin(), group.end());
    std::sort(remaining.begin(), remaining.end());
    for (std::size_t g = 0; g < match.groups.size(); ++g) {
      const bool last = g + 1 == match.groups.size();
      if (remaining.size() < 2 || (last && match.rest_open)) break;
      Seats group = match.groups[g];
      std::sort(group.begin(), group.end());
      out[{remaining, group}] += match.times;
      Seats rest;
      std::set_difference(remaining.begin(), remaining.end(), group.begin(), group.end(),
                          std::back_inserter(rest));
      remaining = rest;
    }
  }
  return out;
}

// Newton's method with halved steps; the prior makes the likelihood strictly concave, so it ends.
std::vector<double> best_parameters(const Model& model) {
  std::vector<double> at(model.parameters(), 0.0);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> gradient(at.size(), 0.0);
    Matrix curvature(at.size());
    const double before = model.value(at, &gradient, &curvature);
    const std::vector<double> step = curvature.inverse().times(gradient);
    double longest = 0;
    for (double s : step) longest = std::max(longest, std::fabs(s));
    std::vector<double> next = at;
    for (double scale = 1; scale > 1e-12; scale /= 2) {
      for (std::size_t k = 0; k < at.size(); ++k) next[k] = at[k] + scale * step[k];
      if (model.value(next, nullptr, nullptr) >= before) break;
    }
    at = next;
    if (longest < 1e-6) break;  // the next step would be its square, which rounding hides
  }
  return at;
}

// beats[a][b]: there is a chain of matches in which a came before or level with the next, down to
// b.
std::vector<std::vector<bool>> chains(int players, const Choices& choices) {
  const auto n = static_cast<std::size_t>(players);
  std::vector<std::vector<bool>> beats(n, std::vector<bool>(n, false));
  for (const auto& [choice, count] : choices)
    for (int winner : choice.second)
      for (int other : choice.first)
        beats[static_cast<std::size_t>(winner)][static_cast<std::size_t>(other)] = true;
  for (std::size_t via = 0; via < n; ++via)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        if (beats[a][via] && beats[via][b]) beats[a][b] = true;
  return beats;
}

// The likelihood has a finite maximum exactly among players that beat each other in both
// directions, by chains.
void mark_measured(std::vector<Rating>& ratings, const Choices& choices, int reference) {
  const auto n = ratings.size();
  const auto beats = chains(static_cast<int>(n), choices);
  const auto level = [&](std::size_t a, std::size_t b) {
    return a == b || (beats[a][b] && beats[b][a]);
  };
  std::size_t centre = 0, most = 0;
  for (std::size_t a = 0; a < n; ++a) {
    std::size_t size = 0;
    for (std::size_t b = 0; b < n; ++b) size += level(a, b) ? 1 : 0;
    if (size > most) most = size, centre = a;
  }
  if (reference >= 0) centre = static_cast<std::size_t>(reference);
  for (std::size_t a = 0; a < n; ++a)
    ratings[a].measured = level(a, centre) && (n == 1 || most > 1);
}

}  // namespace

Placing placing_of(std::span<const int> players, std::span<const float> gains) {
  assert(players.size() == gains.size());
  std::vector<int> groups[3];
  for (std::size_t k = 0; k < players.size(); ++k)
    groups[gains[k] > 0 ? 0 : gains[k] == 0 ? 1 : 2].push_back(players[k]);
  Placing out;
  for (const auto& group : groups)
    if (!group.empty()) out.groups.push_back(group);
  out.rest_open = out.groups.size() > 1 && !groups[2].empty();
  return out;
}

std::vector<Rating> rate(int players, std::span<const Placing> matches,
                         const RatingSettings& settings) {
  std::vector<Rating> out(static_cast<std::size_t>(players));
  for (const Placing& match : matches) {
    check(players, match);
    std::vector<bool> seen(out.size(), false);
    for (const auto& group : match.groups)
      for (int player : group) seen[static_cast<std::size_t>(player)] = true;
    for (std::size_t p = 0; p < out.size(); ++p) out[p].matches += seen[p] ? match.times : 0;
  }
  const Choices choices = choices_of(matches);
  const Model model(players, choices, settings.prior);
  const std::vector<double> best = best_parameters(model);
  Matrix curvature(best.size());
  model.value(best, nullptr, &curvature);
  const Matrix covariance = curvature.inverse();
  for (std::size_t p = 0; p < out.size(); ++p) {
    std::vector<double> contrast(best.size(), 0.0);
    contrast[p] += 1;
    if (settings.reference >= 0) contrast[static_cast<std::size_t>(settings.reference)] -= 1;
    for (std::size_t q = 0; settings.reference < 0 && q < out.size(); ++q)
      contrast[q] -= 1.0 / players;
    const std::vector<double> spread = covariance.times(contrast);
    double variance = 0;
    for (std::size_t k = 0; k < best.size(); ++k) {
      out[p].strength += contrast[k] * best[k];
      variance += contrast[k] * spread[k];
    }
    out[p].error = std::sqrt(std::max(0.0, variance));
  }
  mark_measured(out, choices, settings.reference);
  return out;
}

}  // namespace polymax::arena
