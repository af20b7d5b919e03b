// A line that a best-first search extends: the steps from the root, and the children of the
// position at its end.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/completion.hpp"
#include "tree/expansion.hpp"
#include "tree/node_index.hpp"

namespace polymax {

struct Step {
  NodeIndex node = kNoNode;
  std::size_t edge = 0;
  friend bool operator==(const Step&, const Step&) = default;
};

template <Game G>
struct Line {
  std::vector<Step> steps;    // from the root
  NodeIndex at = kNoNode;     // where the line stands
  std::vector<Step> blocked;  // edges behind which everything is pending, passed over by this line

  Expansion<G> children;
  std::vector<std::uint64_t> hashes;  // of the children, as are the bits
  std::vector<std::uint16_t> bits;

  bool is_listed = false;  // they are the children of the position with the hash `listed`
  std::uint64_t listed = 0;
  std::uint32_t looked = 0;  // when known children were looked for

  MoveList<G> moves;

  // Children with their hashes, each changed by `salt`; what the rules say of them goes in the
  // bits.
  void list_children(const G& game, const typename G::State& state, std::uint64_t salt) {
    children.list(game, state);
    const std::size_t count = children.states.size();
    hashes.resize(count);
    bits.assign(count, completion::kUnknown);
    for (std::size_t i = 0; i < count; ++i) {
      const auto& child = children.states[i];
      hashes[i] = game.hash(child) ^ salt;
      if (children.over[i])
        bits[i] = polymax::bits::kOver | polymax::bits::kResolved | polymax::bits::kExact |
                  completion::of_gain(game.gain(child));
    }
  }
};

}  // namespace polymax
