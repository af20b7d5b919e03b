// What the oracles of mcts with select=puct have in common: settings, rewards, new nodes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "search/mcts.hpp"
#include "tests/search/knowing.hpp"
#include "tests/search/tree_game.hpp"

namespace polymax::naive_puct {

using Tree = tree_game::Rules;
using Rewards = std::array<double, kMaxPlayers>;
using Way = std::vector<std::uint32_t>;  // the positions that lead to one

inline constexpr double kLo = -8, kHi = 8;  // rewards are multiples of 1/16: exact in every sum

inline mcts::Params puct(double c, double fpu, PuctRange range) {
  return {
      .select = mcts::Select::puct, .c_puct = c, .fpu = fpu, .range = range, .lo = kLo, .hi = kHi};
}

inline Rewards reward(const Tree& game, Tree::State s) {
  const auto& node = game.node(s);
  const Scores& points = node.children.empty() ? node.score : node.guess;
  Rewards out{};
  for (std::size_t p = 0; p < out.size(); ++p)
    out[p] = (static_cast<double>(points.seats[p]) - kLo) / (kHi - kLo);
  return out;
}

// A node of either oracle: no move is tried yet, the one with the largest prior comes first.
template <class Node>
Node fresh(const Tree& game, const Knowing& eval, Tree::State s) {
  Node out;
  const auto prior = eval.prior(s.node);
  const auto& children = game.node(s).children;
  for (std::size_t i = 0; i < children.size(); ++i) {
    auto& edge = out.edges.emplace_back();
    edge.prior = static_cast<double>(prior[i]);
    edge.to = children[i];
  }
  using Edge = typename decltype(out.edges)::value_type;
  std::ranges::stable_sort(out.edges, std::ranges::greater(), &Edge::prior);
  return out;
}

}  // namespace polymax::naive_puct
