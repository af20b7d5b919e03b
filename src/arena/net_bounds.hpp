// The smallest and the largest values of a network over the positions of matches played with it,
// which is how the paper scales the rewards of MCTS_h.
#pragma once

#include <cstdint>

#include "catalog/any.hpp"
#include "core/evaluator.hpp"
#include "core/spec.hpp"

namespace polymax::arena {

struct NetBoundsSettings {
  Spec player;  // greedy with the network (net_player)
  std::uint64_t matches = 20;
  std::uint64_t seed = 0;  // of the first random moves
  int threads = 1;
};

struct NetBounds {
  Bounds bounds;
  std::uint64_t positions = 0;
};

// Throws Error when a match fails, or no move was made.
NetBounds net_bounds(const AnyGame& game, const NetBoundsSettings& settings);

}  // namespace polymax::arena
