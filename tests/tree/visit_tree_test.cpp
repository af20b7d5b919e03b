// Sums in few bits that stay true over many visits; nodes that grow, go and leave their memory to
// others.
#include "tree/visit_tree.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>
#include <set>

#include "tests/long_tests.hpp"

namespace polymax::visit_tree_test {
namespace {

using Tree = VisitTree<std::uint16_t>;

TEST(visit_edge, HasAtMost32BytesWithFourSeats) {
  constexpr std::size_t kLargestMove = 8;  // core/game.hpp
  EXPECT_LE(VisitEdge::words(4, false) * 4 + kLargestMove, 32u);
}

TEST(visit_edge, SumsWinsDrawsAndLossesExactly) {
  std::array<std::uint32_t, 6> words{};
  VisitEdge edge(words.data());
  std::array<double, 4> sums{};
  Rng rng(3);
  for (int i = 1; i <= 3000000; ++i) {
    Scores reward;
    for (auto& x : reward.seats) x = static_cast<float>(rng.below(3)) / 2;
    edge.visit(4);
    edge.add(reward, 4);
    for (std::size_t p = 0; p < 4; ++p) sums[p] += static_cast<double>(reward.seats[p]);
  }
  for (int p = 0; p < 4; ++p) EXPECT_EQ(edge.mean(p), sums[static_cast<std::size_t>(p)] / 3000000);
}

TEST(visit_edge, KeepsMeansOfAnyRewards) {
  std::array<std::uint32_t, 6> words{};
  VisitEdge edge(words.data());
  std::array<double, 4> sums{};
  Rng rng(4);
  std::uint32_t checked = 1;
  const std::uint32_t visits = 1u << (long_tests() ? 24 : 18);
  for (std::uint32_t i = 1; i <= visits; ++i) {
    const Scores reward{{0.3f, 1.0f, static_cast<float>(rng.uniform()), 1e-5f}};
    edge.visit(4);
    edge.add(reward, 4);
    for (std::size_t p = 0; p < 4; ++p) sums[p] += static_cast<double>(reward.seats[p]);
    if (i != checked) continue;
    checked *= 2;
    for (int p = 0; p < 4; ++p)
      EXPECT_NEAR(edge.mean(p), sums[static_cast<std::size_t>(p)] / i, 1e-6) << i << ' ' << p;
  }
  EXPECT_EQ(edge.visits(), visits);
}

// From near the last visit on, where sums have one fraction bit.
TEST(visit_edge, KeepsMeansOfAnyRewardsNearItsLimit) {
  constexpr std::uint32_t kBegun = VisitEdge::kMostVisits - (1u << 16);
  const std::array<double, 2> begin{0.25, 0.75};
  std::array<std::uint32_t, 4> words{kBegun, 0, 0, 0};
  std::array<double, 2> sums{};
  for (std::size_t p = 0; p < 2; ++p) {
    words[2 + p] = static_cast<std::uint32_t>(begin[p] * 2 * kBegun);
    sums[p] = words[2 + p] / 2.0;
  }
  VisitEdge edge(words.data());
  Rng rng(5);
  for (std::uint32_t i = kBegun; i < VisitEdge::kMostVisits; ++i) {
    const Scores reward{{0.3f, static_cast<float>(rng.uniform())}};
    edge.visit(2);
    edge.add(reward, 2);
    for (std::size_t p = 0; p < 2; ++p) sums[p] += static_cast<double>(reward.seats[p]);
  }
  EXPECT_EQ(edge.visits(), VisitEdge::kMostVisits);
  for (std::size_t p = 0; p < 2; ++p)
    EXPECT_NEAR(edge.sum(static_cast<int>(p)), sums[p], 300) << "half a visit each way, evenly";
}

TEST(visit_edge, HoldsTwoThousandMillionWins) {
  std::array<std::uint32_t, 4> words{VisitEdge::kMostVisits - 1, 0,
                                     2 * (VisitEdge::kMostVisits - 1), 0};
  VisitEdge edge(words.data());
  edge.visit(2);
  edge.add({{1, 0}}, 2);
  EXPECT_EQ(edge.mean(0), 1);
  EXPECT_EQ(edge.mean(1), 0);
}

TEST(visit_tree, TriesEveryMoveOnceInRandomOrder) {
  std::vector<std::uint16_t> moves(100);
  std::iota(moves.begin(), moves.end(), std::uint16_t{0});
  Tree tree(3, std::size_t{1} << 20, {});
  Rng rng(1);
  const auto id = tree.add(moves, 7, 2, Limit::hard);
  for (std::uint32_t i = 0; i < 100; ++i) {
    ASSERT_EQ(tree.try_move(id, rng, Limit::hard), i);
    auto edge = tree.edge(id, i);
    EXPECT_EQ(edge.visits(), 0u);
    EXPECT_EQ(edge.child(), Tree::kNone);
    for (std::uint32_t n = 0; n <= i; ++n) edge.visit(3);
    edge.add({{1, 0, 0.5f}}, 3);
  }
  std::vector<std::uint16_t> order;
  for (std::uint32_t i = 0; i < 100; ++i) {
    order.push_back(tree.move(id, i));
    EXPECT_EQ(tree.edge(id, i).visits(), i + 1);
    EXPECT_DOUBLE_EQ(tree.edge(id, i).mean(2), 0.5 / (i + 1));
  }
  EXPECT_NE(order, moves);
  EXPECT_EQ(std::set(order.begin(), order.end()), std::set(moves.begin(), moves.end()));
  EXPECT_EQ(tree.node(id).seat, 2);
}

// A chain of nodes under the first edge of `from`, until memory is full; how many were added.
int fill(Tree& tree, Tree::Id from, Rng& rng) {
  const std::vector<std::uint16_t> moves(50);
  for (int count = 0;; ++count) {
    if (tree.try_move(from, rng, Limit::hard) == Tree::kNoEdge) return count;
    const auto next = tree.add(moves, 7, 0, Limit::hard);
    if (next == Tree::kNone) return count;
    tree.edge(from, 0).set_child(next);
    from = next;
  }
}

TEST(visit_tree, ReusesWhatWasDiscarded) {
  Tree tree(2, std::size_t{1} << 20, {});
  Rng rng(1);
  const std::vector<std::uint16_t> moves(50);
  auto root = tree.add(moves, 7, 0, Limit::soft);
  const int first = fill(tree, root, rng);
  EXPECT_GT(first, 4000);
  EXPECT_EQ(tree.add(moves, 7, 0, Limit::hard), Tree::kNone);
  for (int round = 0; round < 3; ++round) {
    tree.let_go(root);
    root = tree.add(moves, 7, 0, Limit::hard);
    ASSERT_NE(root, Tree::kNone);
    EXPECT_GE(fill(tree, root, rng), first - 2);
    EXPECT_LE(tree.bytes(), std::size_t{1} << 20);
  }
  EXPECT_NE(tree.add(moves, 7, 0, Limit::soft), Tree::kNone);
}

TEST(visit_tree, FindsExactlyTheNodesThatSomebodyHolds) {
  Tree tree(2, std::size_t{4} << 20, {.table = true});
  Rng rng(5);
  const std::vector<std::uint16_t> moves(3);
  std::map<std::uint64_t, Tree::Id> known;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t hash = rng.below(3000) * 0x100000001u;  // neighbours, so that entries crowd
    const auto found = tree.find(hash);
    ASSERT_EQ(found, known.contains(hash) ? known[hash] : Tree::kNone);
    if (found == Tree::kNone) {
      known[hash] = tree.add(moves, hash, 0, Limit::hard);
    } else {
      tree.let_go(found);
      known.erase(hash);
    }
  }
}

TEST(visit_tree, StaysWithinItsLimitWithATable) {
  Tree tree(2, std::size_t{1} << 20, {.table = true});
  const std::vector<std::uint16_t> moves(1);
  std::uint64_t count = 0;
  while (tree.add(moves, mix64(count), 0, Limit::hard) != Tree::kNone) ++count;
  EXPECT_LE(tree.bytes(), std::size_t{1} << 20);
  EXPECT_NE(tree.find(mix64(0)), Tree::kNone);
  EXPECT_EQ(tree.find(mix64(count)), Tree::kNone);
}

TEST(visit_tree, KeepsWhatIsHeldTwice) {
  Tree tree(2, std::size_t{1} << 20, {.table = true});
  Rng rng(5);
  const std::vector<std::uint16_t> moves(3);
  const auto a = tree.add(moves, 1, 0, Limit::hard), b = tree.add(moves, 2, 0, Limit::hard),
             shared = tree.add(moves, 3, 0, Limit::hard);
  for (const auto parent : {a, b}) {
    tree.try_move(parent, rng, Limit::hard);
    tree.edge(parent, 0).set_child(shared);
  }
  ++tree.node(shared).held;
  tree.let_go(a);
  for (int i = 0; i < 100; ++i) tree.add(moves, 99, 0, Limit::hard);  // time to reclaim
  EXPECT_EQ(tree.find(3), shared);
  EXPECT_EQ(tree.node(shared).held, 1u);
  tree.let_go(b);
  for (int i = 0; i < 100; ++i) tree.add(moves, 99, 0, Limit::hard);
  EXPECT_EQ(tree.find(3), Tree::kNone);
}

TEST(visit_tree, RefusesTooManyMoves) {
  Tree tree(4, std::size_t{1} << 20, {});
  const std::vector<std::uint16_t> moves(20000);
  EXPECT_THROW(tree.add(moves, 1, 0, Limit::soft), Error);
}

}  // namespace
}  // namespace polymax::visit_tree_test
