// A line that a best-first search extends: the steps from the root, and the children of the position at its end.
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

  MoveList<G> moves;
  std::vector<typename G::State> states{{}};  // positions after the steps `walked`, from an earlier line on
  std::vector<Step> walked;

  // Children with their hashes; what the rules say of them goes in the bits.
  void list_children(const G& game, const typename G::State& state) {
    children.list(game, state);
    const std::size_t count = children.states.size();
    hashes.resize(count);
    bits.assign(count, completion::kUnknown);
    for (std::size_t i = 0; i < count; ++i) {
      const auto& child = children.states[i];
      hashes[i] = game.hash(child);
      if (children.over[i])
        bits[i] = polymax::bits::kOver | polymax::bits::kResolved | completion::of_gain(game.gain(child));
    }
  }
};

}  // namespace polymax
