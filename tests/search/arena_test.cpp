// Storage of trees: what is added is found, what is freed is gone, what stays keeps its links and numbers.
#include "tree/arena.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/rng.hpp"

namespace polymax {
namespace {

struct Place {
  std::uint64_t id = 0;
  std::array<std::uint64_t, 8> ballast{};
  friend bool operator==(const Place&, const Place&) = default;
};

using Tree = Arena<Place>;

std::uint64_t hash_of(std::uint64_t id) {
  return mix64(id);
}

NodeIndex add(Tree& tree, std::uint64_t id, std::size_t count, std::uint64_t first_child) {
  const NodeIndex out = tree.add(hash_of(id), static_cast<int>(id % 3), count, kNoNode, 0);
  tree[out].kept = {id, {}};
  const Edges edges = tree.edges(out);
  for (std::size_t e = 0; e < count; ++e) {
    edges.link[e] = hash_of(first_child + e);
    edges.visits[e] = static_cast<std::uint32_t>(id * 31 + e);
    edges.set_value(e, {{static_cast<float>(id), static_cast<float>(e), -1, 0}});
  }
  return out;
}

// Everything that add() wrote is still there.
void expect_intact(const Tree& tree, NodeIndex i) {
  const auto& node = tree[i];
  const Edges edges = tree.edges(i);
  ASSERT_EQ(node.hash, hash_of(node.kept.id));
  EXPECT_EQ(tree.find(node.hash), i);
  for (std::size_t e = 0; e < edges.count; ++e) {
    EXPECT_EQ(edges.visits[e], node.kept.id * 31 + e);
    EXPECT_EQ(edges.value(e), (Scores{{static_cast<float>(node.kept.id), static_cast<float>(e), -1, 0}}));
  }
}

TEST(arena, AnEdgeOfFourSeatsHas30Bytes) {
  EXPECT_EQ(Edges::bytes(100, 4), 3000u);
  EXPECT_EQ(Edges::bytes(100, 3), 2600u);
  EXPECT_EQ(Edges::bytes(100, 2), 2200u);
}

TEST(arena, FindsWhatWasAdded) {
  Tree tree(3, 1 << 30);
  for (std::uint64_t id = 0; id < 5000; ++id) add(tree, id, 1 + id % 7 * (id % 97 == 0 ? 500 : 1), 3 * id + 1);
  for (NodeIndex i = 0; i < 5000; ++i) expect_intact(tree, i);
  EXPECT_EQ(tree.find(hash_of(5000)), kNoNode);
}

TEST(arena, KeepsExactlyWhatCanBeReached) {
  Rng rng(5);
  for (int round = 0; round < 20; ++round) {
    Tree tree(3, 1 << 30);
    const std::uint64_t count = 1 + rng.below(1000);
    std::map<std::uint64_t, std::set<std::uint64_t>> to;
    for (std::uint64_t id = 0; id < count; ++id) {
      const std::size_t edges = 1 + rng.below(rng.below(50) == 0 ? 3000 : 4);
      const std::uint64_t first = id + 1 + rng.below(20);
      add(tree, id, edges, first);
      for (std::size_t e = 0; e < edges; ++e)
        if (first + e < count) to[id].insert(first + e);
    }
    for (NodeIndex i = 0; i < tree.size(); ++i)
      for (std::size_t e = 0; e < tree.edges(i).count; ++e)
        if (rng.below(2) == 0) tree.child(tree.edges(i), e);
    std::set<std::uint64_t> reached{count / 3};
    for (auto i = reached.begin(); i != reached.end(); ++i) reached.insert(to[*i].begin(), to[*i].end());
    const auto before = tree.bytes();
    const auto moved = tree.keep_reachable(tree.find(hash_of(count / 3)));
    EXPECT_LE(tree.bytes(), before);
    ASSERT_EQ(tree.size(), reached.size());
    for (std::uint64_t id = 0; id < count; ++id) {
      ASSERT_EQ(moved[id] != kNoNode, reached.contains(id));
      if (moved[id] == kNoNode) continue;
      ASSERT_EQ(tree[moved[id]].kept.id, id);
      expect_intact(tree, moved[id]);
      std::set<std::uint64_t> children;
      for (std::size_t e = 0; e < tree.edges(moved[id]).count; ++e)
        if (const auto child = tree.child(tree.edges(moved[id]), e); child != kNoNode)
          children.insert(tree[child].kept.id);
      ASSERT_EQ(children, to[id]);
    }
  }
}

TEST(arena, MakesRoomByDroppingTheLeastVisited) {
  constexpr std::size_t kLimit = 1 << 20;
  Tree tree(4, kLimit);
  std::uint64_t id = 0;
  for (int round = 0; round < 5; ++round) {
    while (!tree.full()) {
      const NodeIndex added = tree.find(hash_of(id)) == kNoNode ? add(tree, id, 5, id + 1) : kNoNode;
      ASSERT_NE(added, kNoNode);
      tree[added].weight = static_cast<std::uint32_t>(id == 0 ? 1000000 : mix64(id) % 1000);
      ++id;
    }
    EXPECT_LE(tree.bytes(), kLimit);
    const NodeIndex root = tree.find(hash_of(0));
    std::uint32_t most_dropped = 0, least_kept = 1000000;
    std::vector<std::uint32_t> visits;
    for (NodeIndex i = 0; i < tree.size(); ++i) visits.push_back(tree[i].weight);
    const auto moved = tree.make_room({&root, 1});
    for (std::size_t i = 0; i < moved.size(); ++i)
      (moved[i] == kNoNode ? most_dropped : least_kept) =
          moved[i] == kNoNode ? std::max(most_dropped, visits[i]) : std::min(least_kept, visits[i]);
    EXPECT_LT(tree.bytes(), kLimit * 5 / 8);
    EXPECT_TRUE(round > 0 || tree.bytes() > kLimit / 4);  // later on much cannot be reached
    EXPECT_TRUE(round > 0 || most_dropped <= least_kept);
    for (NodeIndex i = 0; i < tree.size(); ++i) {
      expect_intact(tree, i);
      const Edges edges = tree.edges(i);
      for (std::size_t e = 0; e < edges.count; ++e) {
        const auto child = tree.child(edges, e);
        const auto expected = hash_of(tree[i].kept.id + 1 + e);
        EXPECT_EQ(child != kNoNode ? tree[child].hash : edges.link[e], expected);
      }
    }
  }
}

TEST(arena, DropsWhatLiesBehindResolvedEdgesFirst) {
  constexpr std::size_t kLimit = 1 << 18;
  Tree tree(2, kLimit);
  const NodeIndex root = add(tree, 0, 2, 1);
  for (std::uint64_t id = 1; !tree.full(); ++id) {
    const NodeIndex added = add(tree, id, 3, id + 2);  // even ids lead to even ones, odd ones to odd ones
    const Edges edges = tree.edges(added);
    edges.link[1] = edges.link[0];
    edges.link[2] = hash_of(~id);
    tree[added].weight = id % 2 == 0 ? 1000 : 1;
  }
  tree.edges(root).bits[1] |= bits::kResolved;
  tree.make_room({&root, 1});
  ASSERT_GT(tree.size(), 100u);
  for (NodeIndex i = 1; i < tree.size(); ++i) EXPECT_EQ(tree[i].kept.id % 2, 1u);
}

// A node behind one edge is not shared; a second edge makes both shared; edges learn of nodes added elsewhere.
TEST(arena, KnowsWhichEdgesAreShared) {
  Tree tree(2, 1 << 20);
  const NodeIndex a = tree.add(1, 3, 2, kNoNode, 0), b = tree.add(2, 3, 2, kNoNode, 0);
  for (const NodeIndex i : {a, b}) {
    tree.edges(i).link[0] = 10;
    tree.edges(i).link[1] = 11 + i;
  }
  EXPECT_TRUE(tree.must_look(b));
  EXPECT_FALSE(tree.must_look(b));
  const NodeIndex child = tree.add(10, 4, 1, a, 0);
  EXPECT_EQ(tree.child(tree.edges(a), 0), child);
  EXPECT_EQ(tree.edges(a).bits[0], bits::kLinked);
  EXPECT_TRUE(tree.must_look(b));
  EXPECT_EQ(tree.child(tree.edges(b), 0), child);
  EXPECT_EQ(tree.child(tree.edges(b), 1), kNoNode);
  EXPECT_EQ(tree.edges(a).bits[0], bits::kLinked | bits::kShared);
  EXPECT_EQ(tree.edges(b).bits[0], bits::kLinked | bits::kShared);
  tree.keep_reachable(b);
  ASSERT_EQ(tree.size(), 2u);
  EXPECT_EQ(tree.child(tree.edges(0), 0), 1u);
  EXPECT_EQ(tree[1].parent, kNoNode);
}

}  // namespace
}  // namespace polymax
