// The tree of Monte-Carlo search. Not thread-safe: the search holds its own lock.
//   Node    a position met at least twice: its moves, and edges for those tried so far. 32 bytes;
//           the position is not kept
//   Edge    counts visits and sums the rewards of every seat: 8 + 4 * seats bytes besides its move
//           (24 with four seats); an untried move has its own bytes only
//   Sums    32-bit numbers with as many fraction bits as the visits leave room for, at most 24.
//           What is cut off is spread evenly over the visits, so a mean stays good to 1e-6 beyond
//           10^8 visits, and rewards 0, 1/2 and 1 are exact
//   Table   with one, a position reached by several ways is one node (two positions are the same
//           when their hashes are) and the tree a graph; an entry may be lost
//   Priors  with them a move has four bytes more, and moves are tried in their order
//   Proofs  with them (visit_proof.hpp) an edge has 4 + 4 * seats bytes more
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/rng.hpp"
#include "core/scores.hpp"
#include "tree/node_index.hpp"
#include "tree/pool.hpp"

namespace polymax {

// A view of one edge, valid until its node tries another move.
class VisitEdge {
 public:
  static constexpr std::uint32_t kMostVisits = (1u << 31) - 1;
  static constexpr std::size_t words(int seats, bool proofs) {
    return static_cast<std::size_t>(proofs ? 3 + 2 * seats : 2 + seats);
  }

  explicit VisitEdge(std::uint32_t* to) : words_(to) {}

  std::uint32_t visits() const { return words_[0]; }
  Pool::Address child() const { return words_[1]; }
  void set_child(Pool::Address node) { words_[1] = node; }

  // Of the rewards so far; a visit whose reward is still to come counts as 0.
  double mean(int seat) const {
    return words_[2 + seat] / static_cast<double>(unit(visits()) * visits());
  }

  double sum(int seat) const { return words_[2 + seat] / static_cast<double>(unit(visits())); }

  // Q/n + weight/sqrt(n), in fewer divisions.
  double bound(int seat, double weight) const {
    const double root = inverse_root(visits());
    return words_[2 + seat] * (kScale[std::bit_width(visits())] * root * root) + weight * root;
  }

  void visit(int seats) {
    const auto before = unit(words_[0]), after = unit(++words_[0]);
    if (after < before)
      for (int p = 0; p < seats; ++p) words_[2 + p] >>= 1;
  }

  // In a tree with proofs: what is known for good of the position behind it, 0 when nothing is.
  std::uint32_t proof(int seats) const { return words_[2 + seats]; }
  Scores exact(int seats) const {
    Scores out;
    for (int p = 0; p < seats; ++p) out[p] = std::bit_cast<float>(words_[3 + seats + p]);
    return out;
  }
  void prove(std::uint32_t proof, const Scores& exact, int seats) {
    words_[2 + seats] = proof;
    for (int p = 0; p < seats; ++p) words_[3 + seats + p] = std::bit_cast<std::uint32_t>(exact[p]);
  }
  // The means become the exact rewards.
  void settle(int seats) {
    const auto all = static_cast<double>(unit(visits())) * visits();
    for (int p = 0; p < seats; ++p)
      words_[2 + p] = static_cast<std::uint32_t>(
          std::min(std::round(static_cast<double>(exact(seats)[p]) * all), 0x1.fffffffep31));
  }

  // Rewards are in 0..1; the visit was counted before.
  void add(const Scores& reward, int seats) {
    const auto one = static_cast<double>(unit(visits()));
    // Multiples of the golden ratio fill 0..1 evenly.
    const double dither = (visits() * 0x9e3779b9u) * 0x1.0p-32;
    for (int p = 0; p < seats; ++p)
      words_[2 + p] += static_cast<std::uint32_t>(static_cast<double>(reward[p]) * one + dither);
  }

 private:
  // The reward 1 in the sums of an edge with that many visits.
  static std::uint64_t unit(std::uint32_t visits) {
    return std::uint64_t{1} << std::min(24, 32 - static_cast<int>(std::bit_width(visits)));
  }

  static double inverse_root(std::uint32_t n) {
    return n < kRoots.size() ? kRoots[n] : 1 / std::sqrt(static_cast<double>(n));
  }

  static inline const std::array<double, 512> kRoots = [] {
    std::array<double, 512> out{};
    for (std::size_t n = 1; n < out.size(); ++n) out[n] = 1 / std::sqrt(static_cast<double>(n));
    return out;
  }();

  // 1/unit(visits) by the bit width of visits.
  static constexpr std::array<double, 33> kScale = [] {
    std::array<double, 33> out{};
    for (int width = 0; width < 33; ++width)
      out[static_cast<std::size_t>(width)] =
          1 / static_cast<double>(std::uint64_t{1} << std::min(24, 32 - width));
    return out;
  }();

  std::uint32_t* words_;  // visits, child, sums; with proofs what is proven, exact rewards
};

template <class Move>
class VisitTree {
 public:
  using Id = Pool::Address;
  static constexpr Id kNone = Pool::kNone;
  static constexpr std::uint32_t kNoEdge = ~0u;

  struct Node {
    std::uint64_t hash = 0;    // of the position
    std::uint32_t edges = 0;   // address of the block
    std::uint32_t count = 0;   // moves
    std::uint32_t tried = 0;   // moves with an edge: the first ones
    std::uint32_t visits = 0;  // kept by the search
    std::uint32_t held = 1;    // by edges and by the search; goes when nobody holds it
    std::int16_t seat = 0;     // to move
    std::uint16_t proven = 0;  // edges that are, with proofs; kept by the search
  };

  struct With {
    bool table = false;   // at most a 24th of the memory; nodes beyond are not found
    bool priors = false;  // of every move
    bool proofs = false;  // of every edge
  };

  // move_bytes: so many at the beginning of a move are kept, the others are zero.
  VisitTree(int seats, std::size_t limit_bytes, With with, std::size_t move_bytes = sizeof(Move))
      : edge_words_(VisitEdge::words(seats, with.proofs)),
        has_priors_(with.priors),
        move_bytes_(move_bytes),
        pool_(with.table ? limit_bytes - limit_bytes / 24 : limit_bytes),
        table_limit_(with.table ? limit_bytes / 24 : 0) {}

  Node& node(Id id) const { return *reinterpret_cast<Node*>(pool_.at(id)); }
  VisitEdge edge(Id id, std::uint32_t i) const {
    return VisitEdge(reinterpret_cast<std::uint32_t*>(pool_.at(node(id).edges)) + i * edge_words_);
  }
  Move move(Id id, std::uint32_t i) const {
    Move out{};
    copy_move(&out, move_at(id, i));
    return out;
  }
  float prior(Id id, std::uint32_t i) const { return priors(id)[i]; }
  std::size_t bytes() const { return pool_.used() + table_.bytes(); }

  // A new node held once; kNone when memory is full and the limit hard. Throws Error for too many
  // moves. priors: of the moves, where the tree has them.
  Id add(std::span<const Move> moves, std::uint64_t hash, int seat, Limit limit,
         std::span<const float> priors = {}) {
    if (std::max(node_bytes(moves.size()), moves.size() * edge_bytes()) > Pool::kLargest)
      throw Error("a position has " + std::to_string(moves.size()) +
                  " moves: too many for this tree");
    const Id out = take(node_bytes(moves.size()), limit);
    if (out == kNone) return kNone;
    Node fresh;
    fresh.hash = hash;
    fresh.count = static_cast<std::uint32_t>(moves.size());
    fresh.seat = static_cast<std::int16_t>(seat);
    std::memcpy(pool_.at(out), &fresh, sizeof fresh);
    std::byte* to = move_at(out, 0);
    for (const Move& move : moves) to += copy_move(to, &move);
    if (has_priors_) std::copy(priors.begin(), priors.end(), this->priors(out));
    if (table_.bytes() + table_.next_growth() <= table_limit_) table_.insert(hash, out);
    return out;
  }

  // kNone when no node of that position is known, and always without a table.
  Id find(std::uint64_t hash) const {
    const NodeIndex found = table_.find(hash, [&](Id id) { return node(id).hash == hash; });
    return found == kNoNode ? kNone : found;
  }

  // A new edge for the first untried move; there must be one. kNoEdge when memory is full and the
  // limit hard.
  std::uint32_t try_next(Id id, Limit limit) {
    auto& at = node(id);
    if (at.tried == capacity(at.count, at.tried) && !grow(at, limit)) return kNoEdge;
    const std::uint32_t out = at.tried++;
    std::memset(pool_.at(at.edges) + out * edge_bytes(), 0, edge_bytes());
    return out;
  }

  // As try_next, for a random untried move.
  std::uint32_t try_move(Id id, Rng& rng, Limit limit) {
    const std::uint32_t out = try_next(id, limit);
    if (out == kNoEdge) return out;
    std::byte *at = move_at(id, out), *drawn = move_at(id, out + rng.below(node(id).count - out));
    const Move first = move(id, out);
    copy_move(at, drawn);
    copy_move(drawn, &first);
    return out;
  }

  // Held once less. What nobody holds goes with all behind it; the memory comes back bit by bit as
  // it is needed.
  void let_go(Id id) {
    auto& at = node(id);
    if (--at.held > 0) return;
    if (in_table(id)) table_.erase(at.hash, id);
    gone_.push_back(id);
  }

  void clear() {
    pool_.clear();
    gone_.clear();
    table_.clear();
  }

 private:
  // A node, the priors, the moves.
  std::size_t prior_bytes(std::size_t moves) const {
    return has_priors_ ? (moves * sizeof(float) + 7) / 8 * 8 : 0;
  }
  std::size_t node_bytes(std::size_t moves) const {
    return sizeof(Node) + prior_bytes(moves) + moves * move_bytes_;
  }
  std::size_t edge_bytes() const { return edge_words_ * sizeof(std::uint32_t); }
  std::byte* move_at(Id id, std::uint32_t i) const {
    return pool_.at(id) + sizeof(Node) + prior_bytes(node(id).count) + i * move_bytes_;
  }
  // Returns the bytes of a move. The usual sizes are known to the compiler: nothing is called.
  std::size_t copy_move(void* to, const void* from) const {
    if (move_bytes_ == 2)
      std::memmove(to, from, 2);
    else if (move_bytes_ == 4)
      std::memmove(to, from, 4);
    else
      std::memmove(to, from, move_bytes_);
    return move_bytes_;
  }
  float* priors(Id id) const { return reinterpret_cast<float*>(pool_.at(id) + sizeof(Node)); }

  // Edges that a node has room for.
  static std::uint32_t capacity(std::uint32_t count, std::uint32_t tried) {
    return tried == 0 ? 0 : std::min(count, std::max(2u, std::bit_ceil(tried)));
  }

  bool grow(Node& node, Limit limit) {
    const Id larger = take(capacity(node.count, node.tried + 1) * edge_bytes(), limit);
    if (larger == kNone) return false;
    if (node.tried > 0) {
      std::memcpy(pool_.at(larger), pool_.at(node.edges), node.tried * edge_bytes());
      pool_.give_back(node.edges, node.tried * edge_bytes());
    }
    node.edges = larger;
    return true;
  }

  Id take(std::size_t bytes, Limit limit) {
    for (int i = 0; i < 2 && !gone_.empty(); ++i) reclaim();
    Id out = pool_.take(bytes);
    while (out == kNone && !gone_.empty()) {
      reclaim();
      out = pool_.take(bytes);
    }
    return out == kNone && limit == Limit::soft ? pool_.take(bytes, limit) : out;
  }

  void reclaim() {
    const Id id = gone_.back();
    gone_.pop_back();
    const Node old = node(id);
    for (std::uint32_t i = 0; i < old.tried; ++i)
      if (const Id child = edge(id, i).child(); child != kNone) let_go(child);
    if (old.tried > 0) pool_.give_back(old.edges, capacity(old.count, old.tried) * edge_bytes());
    pool_.give_back(id, node_bytes(old.count));
  }

  bool in_table(Id id) const {
    return table_.find(node(id).hash, [&](Id known) { return known == id; }) != kNoNode;
  }

  std::size_t edge_words_;
  bool has_priors_;
  std::size_t move_bytes_;
  Pool pool_;
  std::size_t table_limit_;
  NodeTable table_;
  std::vector<Id> gone_;  // nodes that nobody holds
};

}  // namespace polymax
