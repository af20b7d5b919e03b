// The positions and moves of nodes met lately. A tree that keeps moves only would have to play
// every line again from the root; most lines end near one of the lines before. One entry for every
// remainder of the node index, a later node takes it over.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/game.hpp"
#include "tree/node_index.hpp"

namespace polymax {

template <Game G>
class Positions {
 public:
  using State = typename G::State;
  using Move = typename G::Move;

  struct Entry {
    std::uint64_t hash = 0;
    NodeIndex node = kNoNode;
    State state{};
    std::vector<Move> moves;  // none: not listed yet
  };

  // Entries are made as nodes come, until about `limit` bytes are used.
  explicit Positions(std::size_t limit)
      : most_(std::bit_floor(std::clamp<std::size_t>(limit / kEntryBytes, 1, kMost))) {}

  std::size_t bytes() const { return entries_.size() * kEntryBytes; }

  // nullptr when it is not here. Nodes come and go, so that the hash is compared too.
  Entry* find(NodeIndex node, std::uint64_t hash) {
    const std::size_t i = node & (most_ - 1);
    return i < entries_.size() && entries_[i].node == node && entries_[i].hash == hash
               ? &entries_[i]
               : nullptr;
  }

  Entry& put(NodeIndex node, std::uint64_t hash, const State& state) {
    const std::size_t i = node & (most_ - 1);
    if (i >= entries_.size()) entries_.resize(i + 1);
    Entry& out = entries_[i];
    out.hash = hash;
    out.node = node;
    out.state = state;
    out.moves.clear();
    return out;
  }

 private:
  static constexpr std::size_t kMost = 1 << 14;
  static constexpr std::size_t kEntryBytes = sizeof(Entry) + 64 * sizeof(Move);  // about

  std::size_t most_;
  std::vector<Entry> entries_;
};

}  // namespace polymax
