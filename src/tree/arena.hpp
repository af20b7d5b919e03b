// Storage of a growing game tree (a graph, since positions meet again): nodes = expanded positions, edges = their moves
// in the order of moves(), an index from position hash to node, a memory limit.
// The edges of a node are one block of columns (link, value of each seat, visits, bits): 30 bytes an edge with four
// seats, 26 with three, 22 with two. A node has 56 bytes, 11 to 22 of index, and what the search keeps of the position:
// the move that led to it, or all of it. Chosen: two positions are the same when their 64-bit hashes are.
// Edges that can be stale are known without looking: those that lead to a node with several edges into it are shared,
// and a node is searched for unlinked children only when positions one move deeper were added in the meantime.
// Not thread-safe: the search holds its own lock.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/scores.hpp"
#include "tree/edges.hpp"
#include "tree/node_index.hpp"

namespace polymax {

template <class Kept>
class Arena {
 public:
  struct Node {
    std::uint64_t hash = 0;
    std::byte* block = nullptr;  // the edges
    Scores value;                // kept by the search, as are bits, seat and kept
    std::uint32_t count = 0;     // of edges
    std::uint32_t weight = 0;    // the search adds 1 a visit; halved whenever room is made
    NodeIndex parent = kNoNode;  // whose edge was the first to lead here; kNoNode when it is gone
    std::uint32_t looked = 0;    // how many nodes there were one move deeper when children were last looked for
    std::uint16_t ply = 0;
    std::uint16_t bits = 0;
    std::uint8_t seat = 0;       // to move
    std::uint8_t is_shared = 0;  // edges into it are kShared
    [[no_unique_address]] Kept kept{};
  };

  Arena(int seats, std::size_t limit_bytes)
      : seats_(seats), limit_(limit_bytes), chunk_(std::clamp(limit_bytes / 256 * 8, kLeastChunk, kMostChunk)) {}

  NodeIndex size() const { return size_; }
  Node& operator[](NodeIndex i) { return node_chunks_[i / kNodes][i % kNodes]; }
  const Node& operator[](NodeIndex i) const { return node_chunks_[i / kNodes][i % kNodes]; }

  Edges edges(NodeIndex i) const {
    const Node& node = (*this)[i];
    const std::size_t count = node.count;
    Edges out;
    out.link = reinterpret_cast<std::uint64_t*>(node.block);
    out.values = reinterpret_cast<float*>(out.link + count);
    out.visits = reinterpret_cast<std::uint32_t*>(out.values + count * static_cast<std::size_t>(seats_));
    out.bits = reinterpret_cast<std::uint16_t*>(out.visits + count);
    out.count = node.count;
    out.seats = seats_;
    return out;
  }

  // kNoNode when the position is not expanded.
  NodeIndex find(std::uint64_t hash) const {
    return index_.find(hash, [&](NodeIndex i) { return (*this)[i].hash == hash; });
  }

  // The node behind an edge, kNoNode while it is not expanded; links the edge when its position has become a node in
  // the meantime.
  NodeIndex child(const Edges& edges, std::size_t e) {
    if (edges.bits[e] & bits::kLinked) return static_cast<NodeIndex>(edges.link[e]);
    if (edges.bits[e] & bits::kOver) return kNoNode;
    const NodeIndex found = find(edges.link[e]);
    if (found != kNoNode) link(edges, e, found);
    return found;
  }

  // Whether unlinked edges may have become nodes since this was last asked.
  bool must_look(NodeIndex i) {
    Node& node = (*this)[i];
    const std::uint32_t now = added_at(node.ply + 1u);
    return std::exchange(node.looked, now) != now;
  }

  // A new node with `count` edges, all zero, behind edge e of `parent` (none for a root). No node has this hash.
  NodeIndex add(std::uint64_t hash, int ply, std::size_t count, NodeIndex parent, std::size_t e) {
    if (size_ % kNodes == 0 && size_ / kNodes == node_chunks_.size())
      node_chunks_.push_back(std::make_unique_for_overwrite<Node[]>(kNodes));
    const NodeIndex out = size_++;
    Node& node = (*this)[out];
    node = {};
    node.hash = hash;
    node.count = static_cast<std::uint32_t>(count);
    node.parent = parent;
    node.ply = static_cast<std::uint16_t>(ply);
    node.block = take(Edges::bytes(count, seats_));
    std::memset(node.block, 0, Edges::bytes(count, seats_));
    index_.insert(hash, out);
    ++added_at(node.ply);
    if (parent == kNoNode)
      node.is_shared = 1;
    else
      set_link(edges(parent), e, out);
    return out;
  }

  // Notes that an edge leads to a node that was added behind another edge.
  void link(const Edges& edges, std::size_t e, NodeIndex child) {
    if (edges.bits[e] & bits::kLinked) return;
    Node& node = (*this)[child];
    if (!node.is_shared) share_first_edge(node.parent, child);
    node.is_shared = 1;
    set_link(edges, e, child);
    edges.bits[e] |= bits::kShared;
  }

  // Memory held.
  std::size_t bytes() const { return node_chunks_.size() * kNodes * sizeof(Node) + block_bytes_ + index_.bytes(); }
  std::size_t limit() const { return limit_; }

  // Time to make room: less than an eighth of the limit is left.
  bool full() const { return bytes() > limit_ - limit_ / 8; }

  // Frees every node that cannot be reached from `root` any more. Returns the new index of every node, kNoNode for
  // those that are gone.
  std::vector<NodeIndex> keep_reachable(NodeIndex root) {
    std::vector<std::uint8_t> keep(size_, 0);
    mark({&root, 1}, keep, false);
    return compact(keep);
  }

  // Frees at least half of the limit, as far as the pinned nodes (the root first) allow: what cannot be reached, then
  // what lies behind resolved edges, then the least visited nodes, newer ones first (so that no node stays without
  // those above it). An edge whose node goes keeps its value, bits and visits, and leads to an unexpanded position
  // again. on_drop(node, edges) is called for every node before it goes. Returns new indices as above.
  template <class OnDrop>
  std::vector<NodeIndex> make_room(std::span<const NodeIndex> pinned, OnDrop on_drop) {
    std::vector<std::uint8_t> keep(size_, 0);
    mark(pinned, keep, false);
    if (needed(keep) > limit_ / 2) {
      std::ranges::fill(keep, std::uint8_t{0});
      mark(pinned, keep, true);
    }
    if (needed(keep) > limit_ / 2) drop_least_visited(pinned, keep);
    for (NodeIndex i = 0; i < size_; ++i) {
      (*this)[i].weight /= 2;
      if (!keep[i]) on_drop(std::as_const((*this)[i]), edges(i));
    }
    return compact(keep);
  }
  std::vector<NodeIndex> make_room(std::span<const NodeIndex> pinned) {
    return make_room(pinned, [](const Node&, const Edges&) {});
  }

  void clear() {
    node_chunks_.clear();
    chunks_.clear();
    large_.clear();
    index_.clear();
    size_ = 0;
    block_bytes_ = 0;
    free_ = nullptr;
    free_bytes_ = 0;
  }

 private:
  static constexpr std::size_t kNodes = 64;                                   // a chunk of nodes
  static constexpr std::size_t kLeastChunk = 1 << 10, kMostChunk = 64 << 10;  // bytes of a chunk of blocks

  using Memory = std::unique_ptr<std::byte[]>;

  static void set_link(const Edges& of, std::size_t e, NodeIndex child) {
    of.link[e] = child;
    of.bits[e] |= bits::kLinked;
  }

  void share_first_edge(NodeIndex parent, NodeIndex child) const {
    const Edges of = edges(parent);
    for (std::size_t e = 0; e < of.count; ++e)
      if (of.link[e] == child && of.bits[e] & bits::kLinked) of.bits[e] |= bits::kShared;
  }

  std::uint32_t& added_at(std::size_t ply) {
    if (ply >= added_.size()) added_.resize(ply + 1, 1);
    return added_[ply];
  }

  // Has a chunk of its own.
  bool is_large(std::size_t bytes) const { return bytes > chunk_ / 16; }

  // Room for a block, aligned to 8.
  std::byte* take(std::size_t bytes) {
    if (is_large(bytes)) return own_large(std::make_unique_for_overwrite<std::byte[]>(bytes), bytes);
    if (bytes > free_bytes_) {
      chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(chunk_));
      block_bytes_ += chunk_;
      free_ = chunks_.back().get();
      free_bytes_ = chunk_;
    }
    std::byte* out = free_;
    free_ += bytes;
    free_bytes_ -= bytes;
    return out;
  }

  std::byte* own_large(Memory block, std::size_t bytes) {
    large_.push_back(std::move(block));
    block_bytes_ += bytes;
    return large_.back().get();
  }

  // What a node costs with its share of chunks and index.
  std::size_t cost(NodeIndex i) const {
    return sizeof(Node) + Edges::bytes((*this)[i].count, seats_) + NodeTable::kMeanBytes;
  }

  std::size_t needed(const std::vector<std::uint8_t>& keep) const {
    std::size_t out = 0;
    for (NodeIndex i = 0; i < size_; ++i)
      if (keep[i]) out += cost(i);
    return out;
  }

  void mark(std::span<const NodeIndex> from, std::vector<std::uint8_t>& keep, bool unresolved_only) {
    std::vector<NodeIndex> open(from.begin(), from.end());
    for (const NodeIndex i : open) keep[i] = 1;
    while (!open.empty()) {
      const Edges of = edges(open.back());
      open.pop_back();
      for (std::size_t e = 0; e < of.count; ++e) {
        if (unresolved_only && of.bits[e] & bits::kResolved) continue;
        const NodeIndex next = child(of, e);
        if (next == kNoNode || keep[next]) continue;
        keep[next] = 1;
        open.push_back(next);
      }
    }
  }

  void drop_least_visited(std::span<const NodeIndex> pinned, std::vector<std::uint8_t>& keep) const {
    constexpr std::uint32_t kMost = 1 << 16;  // weights from here on count as equal
    std::vector<std::size_t> costs(kMost + 1);
    const auto weight = [&](NodeIndex i) { return std::min((*this)[i].weight, kMost); };
    for (NodeIndex i = 0; i < size_; ++i)
      if (keep[i]) costs[weight(i)] += cost(i);
    std::size_t room = limit_ / 2;
    for (const NodeIndex i : pinned) room -= std::min(room, cost(i));
    std::uint32_t lightest = kMost;  // of the nodes that stay; of those with this weight the older ones, as room allows
    for (; costs[lightest] <= room && lightest > 0; --lightest) room -= costs[lightest];
    for (NodeIndex i = 0; i < size_; ++i) {
      if (!keep[i] || weight(i) > lightest) continue;
      keep[i] = weight(i) == lightest && cost(i) <= room;
      if (keep[i]) room -= cost(i);
    }
    for (const NodeIndex i : pinned) keep[i] = 1;
  }

  // Keeps the marked nodes, in their order, and moves everything together.
  std::vector<NodeIndex> compact(const std::vector<std::uint8_t>& keep) {
    std::vector<NodeIndex> moved(size_, kNoNode);
    NodeIndex kept = 0;
    for (NodeIndex i = 0; i < size_; ++i)
      if (keep[i]) moved[i] = kept++;
    if (kept == size_) return moved;
    for (NodeIndex i = 0; i < size_; ++i)
      if (keep[i]) relink((*this)[i], edges(i), moved);
    move_blocks(keep);
    index_.clear();
    for (NodeIndex i = 0; i < size_; ++i) {
      if (!keep[i]) continue;
      (*this)[moved[i]] = (*this)[i];
      index_.insert((*this)[i].hash, moved[i]);
    }
    size_ = kept;
    node_chunks_.resize((size_ + kNodes - 1) / kNodes);
    return moved;
  }

  void relink(Node& node, const Edges& of, const std::vector<NodeIndex>& moved) const {
    if (node.parent != kNoNode) node.parent = moved[node.parent];
    if (node.parent == kNoNode) node.is_shared = 1;
    for (std::size_t e = 0; e < of.count; ++e) {
      if (!(of.bits[e] & bits::kLinked)) continue;
      const auto old = static_cast<NodeIndex>(of.link[e]);
      const bool gone = moved[old] == kNoNode;
      of.link[e] = gone ? (*this)[old].hash : moved[old];
      if (gone) of.bits[e] &= static_cast<std::uint16_t>(~(bits::kLinked | bits::kShared));
    }
  }

  // Copies the blocks that stay into new chunks and frees each old chunk as soon as it is passed, so that little more
  // than one chunk is needed besides. Blocks lie in the order of the nodes; large ones need not be copied.
  void move_blocks(const std::vector<std::uint8_t>& keep) {
    auto chunks = std::exchange(chunks_, {});
    auto large = std::exchange(large_, {});
    std::size_t chunk = 0, next_large = 0;
    free_ = nullptr;
    free_bytes_ = block_bytes_ = 0;
    for (NodeIndex i = 0; i < size_; ++i) {
      Node& node = (*this)[i];
      const std::size_t bytes = Edges::bytes(node.count, seats_);
      if (is_large(bytes)) {
        auto block = std::move(large[next_large++]);
        if (keep[i]) own_large(std::move(block), bytes);
      } else if (keep[i]) {
        while (!inside(chunks[chunk].get(), node.block)) chunks[chunk++].reset();
        std::byte* to = take(bytes);
        std::memcpy(to, node.block, bytes);
        node.block = to;
      }
    }
  }

  bool inside(const std::byte* chunk, const std::byte* block) const {
    return !std::less<>()(block, chunk) && std::less<>()(block, chunk + chunk_);
  }

  int seats_;
  std::size_t limit_, chunk_;
  std::vector<std::unique_ptr<Node[]>> node_chunks_;
  std::vector<Memory> chunks_, large_;  // of blocks; both in the order of the nodes
  std::size_t block_bytes_ = 0;
  std::byte* free_ = nullptr;
  std::size_t free_bytes_ = 0;
  NodeTable index_;
  NodeIndex size_ = 0;
  std::vector<std::uint32_t> added_;  // nodes ever added, by ply, plus one
};

}  // namespace polymax
