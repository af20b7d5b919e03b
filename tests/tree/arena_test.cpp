// Storage of trees: what is added is found, what is freed is gone, what stays keeps its links and
// numbers.
#include "tree/arena.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/rng.hpp"

namespace polymax::arena_test {
namespace {

struct Place {
  std::uint64_t id = 0;
  std::array<std::uint64_t, 8> ballast{};
  friend bool operator==(const Place&, const Place&) = default;
};

// A tree and what is kept beside it.
class Tree : public Arena {
 public:
  Tree(int seats, std::size_t limit) : Arena(seats, limit, sizeof(Place)) {}
  PerNode<Place> kept;
};

std::uint64_t hash_of(std::uint64_t id) {
  return mix64(id);
}

NodeIndex add(Tree& tree, std::uint64_t id, std::size_t count, std::uint64_t first_child) {
  const NodeIndex out = tree.add(hash_of(id), static_cast<int>(id % 3), count, kNoNode, 0);
  tree.kept[out] = {id, {}};
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
  const std::uint64_t id = tree.kept[i].id;
  const Edges edges = tree.edges(i);
  ASSERT_EQ(node.hash, hash_of(id));
  EXPECT_EQ(tree.find(node.hash), i);
  for (std::size_t e = 0; e < edges.count; ++e) {
    EXPECT_EQ(edges.visits[e], id * 31 + e);
    EXPECT_EQ(edges.value(e), (Scores{{static_cast<float>(id), static_cast<float>(e), -1, 0}}));
  }
}

TEST(arena, AnEdgeOfFourSeatsHas30Bytes) {
  EXPECT_EQ(Edges::bytes(100, 4), 3000u);
  EXPECT_EQ(Edges::bytes(100, 3), 2600u);
  EXPECT_EQ(Edges::bytes(100, 2), 2200u);
}

TEST(arena, FindsWhatWasAdded) {
  Tree tree(3, 1 << 30);
  for (std::uint64_t id = 0; id < 5000; ++id)
    add(tree, id, 1 + id % 7 * (id % 97 == 0 ? 500 : 1), 3 * id + 1);
  for (NodeIndex i = 0; i < 5000; ++i) expect_intact(tree, i);
  EXPECT_EQ(tree.find(hash_of(5000)), kNoNode);
}

constexpr auto kNothing = [](NodeIndex) {};

TEST(arena, MakesRoomByDroppingTheLeastVisited) {
  constexpr std::size_t kLimit = 1 << 20;
  Tree tree(4, kLimit);
  for (std::uint64_t id = 0; id < 50000; ++id) {
    tree[add(tree, id, 5, id + 1)].weight = id % 4 == 0 ? 1000 : 0;
    while (tree.wants_room()) tree.sweep(0, kNothing);
    ASSERT_LE(tree.bytes(), kLimit);
  }
  EXPECT_GT(tree.bytes(), kLimit / 2);
  std::size_t heavy = 0;
  for (NodeIndex i = 0; i < tree.end(); ++i) {
    if (!tree.alive(i)) continue;
    expect_intact(tree, i);
    heavy += tree.kept[i].id % 4 == 0 ? 1 : 0;
  }
  EXPECT_GT(heavy, tree.size() / 2);
}

TEST(arena, FreesWhatWasPlayedBefore) {
  Tree tree(2, 1 << 18);
  std::uint64_t id = 0;
  for (; !tree.wants_room(); ++id)
    tree[add(tree, id, 4, id + 1)].weight = id % 3 == 0 ? 1 << 30 : 2;
  const std::size_t all = tree.size();
  for (std::size_t i = 0; i <= all / Tree::kSweptNodes; ++i) tree.sweep(1, kNothing);
  std::size_t passed = 0;
  for (NodeIndex i = 0; i < tree.end(); ++i) passed += tree.alive(i) && tree[i].ply == 0 ? 1 : 0;
  EXPECT_LT(passed, all / 3);
  EXPECT_FALSE(tree.wants_room());
}

// One call looks at so many nodes and edges only, whatever there is to do.
TEST(arena, SweepsInSmallPieces) {
  Rng rng(7);
  for (const std::size_t edges : {1u, 10u, 300u, 5000u}) {
    const std::size_t most = std::min(Tree::kSweptNodes, (Tree::kSweptEdges + edges - 1) / edges);
    const std::size_t count = 40 * most;
    Tree tree(4, 64 << 10);
    for (std::uint64_t id = 0; id < count; ++id)
      tree[add(tree, id, edges, id + 1)].weight = rng.below(3) == 0 ? 3 : 0;
    std::size_t calls = 0;
    for (; tree.size() > 0; ++calls) {
      std::vector<std::uint32_t> weights;
      for (NodeIndex i = 0; i < tree.end(); ++i)
        weights.push_back(tree.alive(i) ? tree[i].weight : ~0u);
      tree.sweep(0, kNothing);
      std::size_t touched = 0;
      for (NodeIndex i = 0; i < tree.end(); ++i)
        touched += weights[i] != (tree.alive(i) ? tree[i].weight : ~0u) ? 1 : 0;
      ASSERT_LE(touched, most);
    }
    EXPECT_GE(calls, 40u);
  }
}

TEST(arena, KeepsPinnedNodesEvenBeyondTheLimit) {
  Tree tree(3, 64 << 10);
  for (std::uint64_t id = 0; tree.bytes() < 128 << 10; ++id)
    tree[add(tree, id, 9, id + 1)].is_pinned = id % 2 == 0;
  const std::size_t all = tree.size();
  for (int calls = 0; tree.needs_room(); ++calls) {
    tree.sweep(0, kNothing);
    ASSERT_LT(calls, 100);
  }
  EXPECT_EQ(tree.size(), (all + 1) / 2);
  EXPECT_GT(tree.bytes(), 64u << 10);
}

// Nodes come and go in any order: every edge leads to the node of its position, or to none while
// there is none.
TEST(arena, LinksStayTrueWhileNodesComeAndGo) {
  Rng rng(5);
  for (int round = 0; round < 10; ++round) {
    Tree tree(3, 24 << 10);
    std::map<std::uint64_t, std::uint64_t> alive;  // id -> first child
    std::size_t dropped = 0;
    const auto on_drop = [&](NodeIndex i) {
      ASSERT_EQ(alive.erase(tree.kept[i].id), 1u);
      ++dropped;
    };
    for (int step = 0; step < 2000; ++step) {
      const std::uint64_t id = rng.below(400);
      if (!alive.contains(id)) {
        const std::size_t edges = 1 + rng.below(rng.below(50) == 0 ? 60 : 4);
        alive[id] = id + 1 + rng.below(20);
        tree[add(tree, id, edges, alive[id])].weight = rng.below(3);
      }
      if (rng.below(20) == 0) tree[tree.find(hash_of(id))].is_pinned ^= 1;
      while (tree.wants_room() && rng.below(8) > 0) tree.sweep(0, on_drop);
      const NodeIndex at = tree.find(hash_of(id));
      if (at == kNoNode) continue;
      const Edges edges = tree.edges(at);
      for (std::size_t e = 0; e < edges.count; ++e) {
        const NodeIndex child = tree.child(at, edges, e);
        const std::uint64_t to = alive[id] + e;
        ASSERT_EQ(child != kNoNode, alive.contains(to));
        ASSERT_EQ(child != kNoNode ? tree[child].hash : edges.link[e], hash_of(to));
      }
    }
    ASSERT_EQ(tree.size(), alive.size());
    for (NodeIndex i = 0; i < tree.end(); ++i)
      if (tree.alive(i)) expect_intact(tree, i);
    EXPECT_GT(dropped, 100u);
  }
}

// A node behind one edge is not shared; a second edge makes both shared; edges learn of nodes added
// elsewhere.
TEST(arena, KnowsWhichEdgesAreShared) {
  Tree tree(2, 1 << 20);
  const NodeIndex a = tree.add(1, 3, 2, kNoNode, 0), b = tree.add(2, 3, 2, kNoNode, 0);
  for (const NodeIndex i : {a, b}) {
    tree.edges(i).link[0] = 10;
    tree.edges(i).link[1] = 11 + i;
  }
  EXPECT_TRUE(tree.must_look(tree[b]));
  EXPECT_FALSE(tree.must_look(tree[b]));
  const NodeIndex child = tree.add(10, 4, 1, a, 0);
  EXPECT_EQ(tree.child(a, tree.edges(a), 0), child);
  EXPECT_EQ(tree.edges(a).bits[0], bits::kLinked);
  EXPECT_TRUE(tree.must_look(tree[b]));
  EXPECT_EQ(tree.child(b, tree.edges(b), 0), child);
  EXPECT_EQ(tree.child(b, tree.edges(b), 1), kNoNode);
  EXPECT_EQ(tree.edges(a).bits[0], bits::kLinked | bits::kShared);
  EXPECT_EQ(tree.edges(b).bits[0], bits::kLinked | bits::kShared);
  EXPECT_TRUE(tree[a].has_shared);
  EXPECT_TRUE(tree[b].has_shared);
}

}  // namespace
}  // namespace polymax::arena_test
