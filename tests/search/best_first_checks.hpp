// What the tests of best-first trees share: a tree against the naive search.
#pragma once

#include <gtest/gtest.h>

#include "tests/search/naive_best_first.hpp"

namespace polymax {

inline Scores completion_of(std::uint16_t bits, int seats) {
  Scores out;
  for (int p = 0; p < seats; ++p) out[p] = static_cast<float>(completion::of_seat(bits, p));
  return out;
}

inline naive::Known known(std::uint16_t bits, const Scores& value, int seats) {
  return {completion_of(bits, seats), value, (bits & bits::kResolved) != 0};
}

// Every c, v, n, r of the two tables is the same, and the same edges are not valued yet. Nothing is
// left under way.
inline void expect_same(const BestFirst<tree_game::Rules>& found, const naive::BestFirst& expected,
                        int seats) {
  ASSERT_EQ(found.tree().size(), expected.table.size());
  for (auto entry = expected.table.begin(); entry != expected.table.end(); ++entry) {
    const NodeIndex i = found.tree().find(mix64(entry->first));
    ASSERT_NE(i, kNoNode);
    const auto& node = found.tree()[i];
    ASSERT_EQ(known(node.bits, node.value, seats), entry->second.known);
    ASSERT_FALSE(node.is_widening);
    const Edges edges = found.tree().edges(i);
    ASSERT_EQ(edges.count, entry->second.edges.size());
    for (std::size_t e = 0; e < edges.count; ++e) {
      const naive::Edge& edge = entry->second.edges[e];
      ASSERT_FALSE(edges.bits[e] & bits::kPending);
      ASSERT_EQ((edges.bits[e] & bits::kUnseen) == 0, edge.seen);
      if (!edge.seen) continue;
      ASSERT_EQ(known(edges.bits[e], edges.value(e), seats), edge.known);
      ASSERT_EQ(edges.visits[e], static_cast<std::uint32_t>(edge.n));
    }
  }
}

// Small trees of all kinds; with `shared`, positions have several parents.
inline tree_game::Options random_tree(int seed, bool shared) {
  return {.seats = 2 + seed % 3,
          .depth = 2 + seed % 5,
          .branching = 2 + seed % 3,
          .seed = seed,
          .payoffs = static_cast<tree_game::Payoffs>(seed % 4),
          .turns_in_order = seed % 2 == 0,
          .shared = shared,
          .scores = 1 + seed % 4,
          .early = seed % 7 < 4 ? 0 : 6};
}

// Both, line by line until the root is solved, are the same.
inline void expect_same_lines(BestFirst<tree_game::Rules>& tree, naive::BestFirst& oracle,
                              int seats) {
  Meter meter(Budget{});
  tree.start({}, meter);
  oracle.expand(0);
  for (int line = 0;; ++line) {
    ASSERT_NO_FATAL_FAILURE(expect_same(tree, oracle, seats)) << "after " << line << " lines";
    if (tree.solved()) break;
    ASSERT_LT(line, 100000);
    tree.run(meter, {.lines = 1});
    oracle.iterate(0);
  }
}

// A search that has solved its root: whatever is resolved is an equilibrium.
template <class S>
void expect_solved(const S& search, const tree_game::Rules& game) {
  ASSERT_TRUE(search.tree().solved());
  naive::Equilibria exact(game);
  for (std::uint32_t s = 0; s < game.nodes().size(); ++s) {
    const NodeIndex i = search.tree().tree().find(mix64(s));
    if (i == kNoNode || !(search.tree().tree()[i].bits & bits::kResolved)) continue;
    ASSERT_TRUE(exact.contains(s, search.tree().tree()[i].value)) << s;
  }
}

}  // namespace polymax
