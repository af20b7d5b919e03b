// PUCT (Rosin 2011, in the form of AlphaZero, Silver et al. 2018): at a position of mover p with N
// visits, its own valuation counted, it follows the move with the largest
//   Q_p(a)/n(a) + c * r_p * P(a) * sqrt(N) / (1 + n(a)).
// A move that was not tried is taken for the mean of those tried, by visits, less
// fpu * r_p * sqrt(the prior of those tried); so the untried move with the highest prior stands for
// all of them. Chosen: r_p scales exploration to what is at stake. Points of a game may lie between
// 0 and 100 while the moves of a position differ by two, so r_p is the range of the rewards that
// the search of this move has seen for seat p (MuZero does so for two seats), or with range=game 1,
// the range of lo..hi.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "core/scores.hpp"

namespace polymax {

enum class PuctRange { seen, game };
inline constexpr std::array<std::string_view, 2> kPuctRangeNames{"seen", "game"};

class Puct {
 public:
  Puct(double c, double fpu, PuctRange range) : c_(c), fpu_(fpu), range_(range) {}

  void forget() { seen_ = 0; }

  // A reward vector that a simulation came to.
  void see(const Scores& reward, int seats) {
    for (int p = 0; p < seats; ++p) {
      lowest_[p] = seen_ ? std::min(lowest_[p], reward[p]) : reward[p];
      highest_[p] = seen_ ? std::max(highest_[p], reward[p]) : reward[p];
    }
    ++seen_;
  }

  double range(int seat) const {
    const bool known = range_ == PuctRange::seen && seen_ && highest_[seat] > lowest_[seat];
    return known ? static_cast<double>(highest_[seat]) - static_cast<double>(lowest_[seat]) : 1;
  }

  // The edge to follow, or the first untried move. The tree's moves are in the order of their
  // priors. closed(edge): not to be followed; one that is open, or untried, there must be.
  template <class Tree, class Closed>
  std::uint32_t select(const Tree& tree, typename Tree::Id id, std::uint32_t visits,
                       Closed closed) const {
    const auto& node = tree.node(id);
    const double scale = range(node.seat),
                 weight = c_ * scale * std::sqrt(static_cast<double>(visits));
    double highest = -std::numeric_limits<double>::infinity(), sum = 0, count = 0, tried_prior = 0;
    std::uint32_t best = 0;
    for (std::uint32_t i = 0; i < node.tried; ++i) {
      const auto edge = tree.edge(id, i);
      const double n = edge.visits(), mean = edge.mean(node.seat);
      const auto prior = static_cast<double>(tree.prior(id, i));
      sum += edge.sum(node.seat);
      count += n;
      tried_prior += prior;
      const double bound = mean + weight * prior / (1 + n);
      if (bound <= highest || closed(edge)) continue;
      highest = bound;
      best = i;
    }
    if (node.tried == node.count) return best;
    const double untried = count == 0 ? 0 : sum / count - fpu_ * scale * std::sqrt(tried_prior);
    const double bound = untried + weight * static_cast<double>(tree.prior(id, node.tried));
    return bound > highest ? node.tried : best;
  }

 private:
  double c_, fpu_;
  PuctRange range_;
  Scores lowest_, highest_;
  std::uint64_t seen_ = 0;
};

// Moves with the highest prior first, equal ones in their order.
template <class Move>
struct PriorOrder {
  std::vector<Move> moves;
  std::vector<float> priors;

  void sort(std::span<const Move> from, std::span<const float> by) {
    order_.resize(from.size());
    std::iota(order_.begin(), order_.end(), 0u);
    std::ranges::stable_sort(order_, std::ranges::greater(), [&](auto i) { return by[i]; });
    moves.clear();
    priors.clear();
    for (const auto i : order_) {
      moves.push_back(from[i]);
      priors.push_back(by[i]);
    }
  }

 private:
  std::vector<std::uint32_t> order_;
};

}  // namespace polymax
