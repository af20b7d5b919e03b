// How much each other seat cares to spoil one seat's points: a model between Max^n (nobody does)
// and Paranoid (all do nothing else), found out from the moves played in a match. For every move of
// another seat at a position that the tree knows, each of some weights k says how likely the move
// was: a softmax of what the mover wanted by it, value[mover] - k * value[seat], sharper the less
// the moves differ. The weight that explains all moves of a seat best is taken; small ones have the
// benefit of the doubt.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "core/scores.hpp"
#include "tree/edges.hpp"
#include "tree/taste.hpp"

namespace polymax {

class Care {
 public:
  static constexpr std::array<float, 6> kWeights{0, 0.1f, 0.25f, 0.5f, 1, 2};

  // `mover` has played edge e, and may care about what `seat` gets.
  void saw(const Edges& edges, std::size_t e, int mover, int seat) {
    if (edges.bits[e] & bits::kUnseen) return;
    for (std::size_t i = 0; i < kWeights.size(); ++i)
      evidence_[static_cast<std::size_t>(mover)][i] +=
          log_likelihood(edges, e, {mover, 1, seat, kWeights[i]});
  }

  // Of every seat; 0 where nothing was seen.
  Scores weights() const {
    Scores out;
    for (std::size_t p = 0; p < evidence_.size(); ++p) {
      std::size_t best = 0;
      for (std::size_t i = 1; i < kWeights.size(); ++i)
        if (worth(p, i) > worth(p, best)) best = i;
      out.seats[p] = kWeights[best];
    }
    return out;
  }

 private:
  static constexpr double kDoubt = 1;  // logarithm that a weight must gain on the one before

  double worth(std::size_t seat, std::size_t i) const {
    return evidence_[seat][i] - kDoubt * static_cast<double>(i);
  }

  static double log_likelihood(const Edges& edges, std::size_t played, Taste taste) {
    double count = 0, sum = 0, squares = 0;
    const auto each = [&](auto to) {
      for (std::size_t e = 0; e < edges.count; ++e)
        if (!(edges.bits[e] & bits::kUnseen)) to(static_cast<double>(taste.of(edges.value(e))));
    };
    each([&](double u) {
      ++count;
      sum += u;
      squares += u * u;
    });
    const double mean = sum / count, variance = squares / count - mean * mean;
    if (count < 2 || variance < 1e-9) return 0;
    const double unit = std::sqrt(variance) / 2;
    double all = 0;
    each([&](double u) { all += std::exp((u - mean) / unit); });
    return (static_cast<double>(taste.of(edges.value(played))) - mean) / unit - std::log(all);
  }

  std::array<std::array<double, kWeights.size()>, kMaxPlayers> evidence_{};
};

}  // namespace polymax
