// Storage of a growing game tree (a graph, since positions meet again), with a memory limit. Not
// thread-safe: the search holds its own lock.
//   Nodes expanded positions: 64 bytes, 8 of block header, 11 to 22 of index, and what the search
//         keeps of the position elsewhere (PerNode)
//   Edges their moves in the order of moves(), one block of columns a node (link, value of each
//         seat, visits, bits): 30 bytes an edge with four seats, 26 with three, 22 with two
//   Index from hash to node. Chosen: two positions are the same when their 64-bit hashes are
//   Stale edges are known without looking: those that lead to a node with several edges into it;
//         a node is searched for unlinked children only when nodes one move deeper were added
//   Room  is made bit by bit (sweep): a hand goes round all nodes, halves their weights and frees
//         those without. A freed node leaves its hash in its slot until the hand has been round,
//         so that edges into it are found out and lead to an unexpanded position again
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "core/scores.hpp"
#include "tree/block_log.hpp"
#include "tree/edges.hpp"
#include "tree/node_index.hpp"

namespace polymax {

class Arena {
 public:
  struct alignas(64) Node {
    std::uint64_t hash = 0;
    std::byte* block = nullptr;  // the edges
    Scores value;                // kept by the search, as are best, second, bits, seat and second_c
    std::uint32_t count = 0;     // of edges
    std::uint32_t weight = 0;    // the search adds 1 a visit; halved whenever the hand comes by
    NodeIndex parent = kNoNode;  // whose edge was the first to lead here; kNoNode when it is gone
    // How many nodes there were one move deeper when children were last looked for.
    std::uint32_t looked = 0;
    std::uint32_t best = 0;  // the edge that gives value and bits
    float second = 0;        // no other edge has a larger (c, v), as the mover sees it
    std::uint16_t ply = 0;
    std::uint16_t bits = 0;
    std::uint8_t seat : 4 = 0;  // to move
    std::uint8_t second_c : 4 = 0;
    std::uint8_t is_shared : 1 = 0;    // edges into it are kShared
    std::uint8_t has_shared : 1 = 0;   // edges out of it may be kShared
    std::uint8_t is_pinned : 1 = 0;    // must not be freed
    std::uint8_t is_dead : 1 = 0;      // freed
    std::uint8_t is_narrow : 1 = 0;    // has edges that are kUnseen
    std::uint8_t is_widening : 1 = 0;  // a thread is valuing some of them
  };

  // What one call of sweep() looks at, at most (beyond the edges, those of one node).
  static constexpr std::size_t kSweptNodes = 256, kSweptEdges = 8192;

  // kept_bytes: what the search keeps of a node elsewhere; counts as held from here.
  Arena(int seats, std::size_t limit_bytes, std::size_t kept_bytes)
      : seats_(seats),
        node_bytes_(sizeof(Node) + kept_bytes),
        shift_(limit_bytes < kMostChunk * 64 ? 5 : 10),
        limit_(limit_bytes),
        blocks_(std::clamp(limit_bytes / 256 * 8, kLeastChunk, kMostChunk)) {}

  std::size_t size() const { return alive_; }  // nodes

  // Nodes have indices below this one; some of them may be dead.
  NodeIndex end() const { return end_; }
  bool alive(NodeIndex i) const { return !(*this)[i].is_dead; }

  Node& operator[](NodeIndex i) { return node_chunks_[i >> shift_][i & (nodes() - 1)]; }
  const Node& operator[](NodeIndex i) const { return node_chunks_[i >> shift_][i & (nodes() - 1)]; }

  Edges edges(NodeIndex i) const { return edges((*this)[i]); }
  Edges edges(const Node& node) const {
    const std::size_t count = node.count;
    Edges out;
    out.link = reinterpret_cast<std::uint64_t*>(node.block);
    out.values = reinterpret_cast<float*>(out.link + count);
    out.visits =
        reinterpret_cast<std::uint32_t*>(out.values + count * static_cast<std::size_t>(seats_));
    out.bits = reinterpret_cast<std::uint16_t*>(out.visits + count);
    out.count = node.count;
    out.seats = seats_;
    return out;
  }

  // kNoNode when the position is not expanded.
  NodeIndex find(std::uint64_t hash) const {
    return index_.find(hash, [&](NodeIndex i) { return (*this)[i].hash == hash; });
  }

  // Announces find() and child().
  void prefetch(std::uint64_t hash) const { index_.prefetch(hash); }
  void prefetch(const Edges& edges, std::size_t e) const {
    if (edges.bits[e] & bits::kLinked)
      __builtin_prefetch(&(*this)[static_cast<NodeIndex>(edges.link[e])]);
    else
      index_.prefetch(edges.link[e]);
  }

  // The node behind an edge, kNoNode while it is not expanded; links the edge when its position has
  // become a node in the meantime.
  NodeIndex child(NodeIndex i, const Edges& edges, std::size_t e) {
    if (edges.bits[e] & bits::kLinked) {
      const auto known = static_cast<NodeIndex>(edges.link[e]);
      if (alive(known)) return known;
      unlink(edges, e);
    }
    if (edges.bits[e] & bits::kOver) return kNoNode;
    const NodeIndex found = find(edges.link[e]);
    if (found != kNoNode) link(i, edges, e, found);
    return found;
  }

  // The same node, when nothing may change.
  NodeIndex behind(const Edges& edges, std::size_t e) const {
    if (!(edges.bits[e] & bits::kLinked))
      return edges.bits[e] & bits::kOver ? kNoNode : find(edges.link[e]);
    const auto known = static_cast<NodeIndex>(edges.link[e]);
    return alive(known) ? known : find((*this)[known].hash);
  }

  // Whether unlinked edges may have become nodes since this was last asked.
  bool must_look(Node& node) {
    const std::uint32_t now = added_at(node.ply + 1u);
    return std::exchange(node.looked, now) != now;
  }

  // How many nodes were ever added with that many moves played.
  std::uint32_t& added_at(std::size_t ply) {
    if (ply >= added_.size()) added_.resize(ply + 1, 1);
    return added_[ply];
  }

  // A new node with `count` edges behind edge e of `parent` (none for a root). Visits and bits of
  // the edges are 0, the rest is not written yet. No node has this hash.
  NodeIndex add(std::uint64_t hash, int ply, std::size_t count, NodeIndex parent, std::size_t e) {
    const NodeIndex out = take_slot();
    Node& node = (*this)[out];
    node = {};
    node.hash = hash;
    node.count = static_cast<std::uint32_t>(count);
    node.parent = parent;
    node.ply = static_cast<std::uint16_t>(ply);
    const std::size_t bytes = Edges::bytes(count, seats_);
    largest_ = std::max(largest_, bytes);
    node.block = blocks_.add(out, bytes);
    std::byte* visits = reinterpret_cast<std::byte*>(edges(node).visits);
    std::memset(visits, 0, static_cast<std::size_t>(node.block + bytes - visits));
    index_.insert(hash, out);
    ++alive_;
    const std::uint32_t before = added_at(node.ply)++;
    if (parent == kNoNode) {
      node.is_shared = 1;
      return out;
    }
    Node& from = (*this)[parent];
    if (from.looked == before && from.ply + 1 == node.ply) ++from.looked;  // it knows this one
    set_link(edges(from), e, out);
    return out;
  }

  // Notes that an edge of node i leads to a node that was added behind another edge.
  void link(NodeIndex i, const Edges& edges, std::size_t e, NodeIndex child) {
    if (edges.bits[e] & bits::kLinked) return;
    Node& node = (*this)[child];
    if (!node.is_shared) share_first_edge(node.parent, child);
    node.is_shared = 1;
    set_link(edges, e, child);
    edges.bits[e] |= bits::kShared;
    (*this)[i].has_shared = 1;
  }

  // Memory held.
  std::size_t bytes() const {
    return node_chunks_.size() * nodes() * node_bytes_ + blocks_.bytes() + index_.bytes();
  }

  // Time to sweep: less than an eighth of the limit is left.
  bool wants_room() const { return bytes() > limit_ - limit_ / 8; }

  // The next node may not fit in, and sweeping can help.
  bool needs_room() const {
    const bool slot = free_ == kNoNode && end_ == node_chunks_.size() * nodes();
    const std::size_t blocks = largest_ + 2 * blocks_.chunk_bytes();
    return bytes() + (slot ? nodes() * node_bytes_ : 0) + blocks + index_.next_growth() > limit_ &&
           stuck_ < alive_;
  }

  // Looks at the next nodes, at most as many as the constants above say, until there is room: frees
  // those with weight 0 and those with fewer moves played than `ply`, except pinned ones, and
  // halves the weight of the others. An edge whose node goes keeps its value, bits and visits.
  // on_drop(index) is called for every node before it goes.
  template <class OnDrop>
  void sweep(int ply, const OnDrop& on_drop) {
    std::size_t nodes = 0, edges_seen = 0;
    while (nodes < kSweptNodes && edges_seen < kSweptEdges && (wants_room() || needs_room())) {
      const NodeIndex i = blocks_.oldest();
      if (i == kNoNode) break;
      Node& node = (*this)[i];
      ++nodes;
      edges_seen += node.count;
      if (!node.is_pinned && (node.weight == 0 || node.ply < ply)) {
        on_drop(i);
        bury(i);
        stuck_ = 0;
        continue;
      }
      stuck_ = node.is_pinned ? stuck_ + 1 : 0;
      if (!node.is_pinned) node.weight /= 2;
      node.block = blocks_.renew();
      tidy(node);
    }
    while (dead_first_ != kNoNode &&
           static_cast<std::int32_t>(blocks_.first() - (*this)[dead_first_].looked) >= 0)
      reuse_first_dead();
  }

 private:
  static constexpr std::size_t kLeastChunk = 1 << 10,
                               kMostChunk = 64 << 10;  // bytes of a chunk of blocks

  NodeIndex nodes() const { return NodeIndex{1} << shift_; }  // of a chunk

  static void set_link(const Edges& of, std::size_t e, NodeIndex child) {
    of.link[e] = child;
    of.bits[e] |= bits::kLinked;
  }

  void unlink(const Edges& of, std::size_t e) const {
    of.link[e] = (*this)[static_cast<NodeIndex>(of.link[e])].hash;
    of.bits[e] &= static_cast<std::uint16_t>(~(bits::kLinked | bits::kShared));
  }

  void share_first_edge(NodeIndex parent, NodeIndex child) {
    Node& node = (*this)[parent];
    node.has_shared = 1;
    const Edges of = edges(node);
    for (std::size_t e = 0; e < of.count; ++e)
      if (of.link[e] == child && of.bits[e] & bits::kLinked) of.bits[e] |= bits::kShared;
  }

  NodeIndex take_slot() {
    if (free_ != kNoNode) return std::exchange(free_, (*this)[free_].parent);
    if (end_ == node_chunks_.size() * nodes())
      node_chunks_.push_back(std::make_unique_for_overwrite<Node[]>(nodes()));
    return end_++;
  }

  // Frees the node of the oldest block. Its slot waits in a queue (`parent` is the next, `looked`
  // the chunk until which there may be edges into it).
  void bury(NodeIndex i) {
    Node& node = (*this)[i];
    index_.erase(node.hash, i);
    blocks_.drop();
    node.block = nullptr;
    node.count = 0;
    node.is_dead = 1;
    node.parent = kNoNode;
    node.looked = blocks_.next();
    (dead_first_ == kNoNode ? dead_first_ : (*this)[dead_last_].parent) = i;
    dead_last_ = i;
    --alive_;
  }

  void reuse_first_dead() {
    const NodeIndex i = dead_first_;
    dead_first_ = std::exchange((*this)[i].parent, free_);
    free_ = i;
  }

  // Edges into dead nodes lead to unexpanded positions again.
  void tidy(Node& node) {
    if (node.parent != kNoNode && !alive(node.parent)) node.parent = kNoNode;
    if (node.parent == kNoNode) node.is_shared = 1;
    const Edges of = edges(node);
    for (std::size_t e = 0; e < of.count; ++e) {
      if (!(of.bits[e] & bits::kLinked) || alive(static_cast<NodeIndex>(of.link[e]))) continue;
      unlink(of, e);
      node.looked = 0;
    }
  }

  int seats_;
  std::size_t node_bytes_;
  int shift_;
  std::size_t limit_;
  std::vector<std::unique_ptr<Node[]>> node_chunks_;
  BlockLog blocks_;
  NodeTable index_;
  NodeIndex end_ = 0, free_ = kNoNode;  // slots never used start at end_; free ones are a list
  NodeIndex dead_first_ = kNoNode, dead_last_ = kNoNode;  // a queue
  std::size_t alive_ = 0, largest_ = 0;                   // nodes; bytes of the largest block
  std::size_t stuck_ = 0;             // pinned nodes looked at since anything else was
  std::vector<std::uint32_t> added_;  // nodes ever added, by ply, plus one
};

// Something for every node of an arena, whose memory the arena counts.
template <class T>
class PerNode {
 public:
  T& operator[](NodeIndex i) {
    while (chunks_.size() <= i / kChunk)
      chunks_.push_back(std::make_unique_for_overwrite<T[]>(kChunk));
    return chunks_[i / kChunk][i % kChunk];
  }
  const T& operator[](NodeIndex i) const { return chunks_[i / kChunk][i % kChunk]; }

 private:
  static constexpr NodeIndex kChunk = 256;

  std::vector<std::unique_ptr<T[]>> chunks_;
};

}  // namespace polymax
