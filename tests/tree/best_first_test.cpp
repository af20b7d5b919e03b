// The best-first tree against its definition: after every iteration the whole table is that of the
// naive search.
#include "tree/best_first.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stop_token>

#include "eval/estimate.hpp"
#include "games/hex.hpp"
#include "tests/long_tests.hpp"
#include "tests/search/best_first_checks.hpp"

namespace polymax::best_first_test {
namespace {

using tree_game::Payoffs;
using Trees = BestFirst<tree_game::Rules>;

struct Setting {
  bool coalition = false, literal = false, refresh = true, whole = false, shared = true;
};

void compare_iterations(int seed, const Setting& setting) {
  const tree_game::Rules game(random_tree(seed, setting.shared));
  estimate::Eval<tree_game::Rules> eval({&game, Points::score, 0});
  const Task<tree_game::Rules> task{&game, Points::score, eval, 0};
  Trees tree(
      task,
      {.coalition = setting.coalition, .literal = setting.literal, .refresh = setting.refresh});
  naive::BestFirst oracle(game);
  oracle.literal = setting.literal;
  oracle.refresh = setting.refresh;
  oracle.whole = setting.whole;
  if (setting.coalition) oracle.view = game.to_move({});
  Meter meter(Budget{});
  tree.start({}, meter);
  oracle.expand(0);
  for (int iteration = 0;; ++iteration) {
    ASSERT_NO_FATAL_FAILURE(expect_same(tree, oracle, game.players()))
        << "seed " << seed << " after " << iteration;
    if (tree.solved()) break;
    const auto before = tree.tree().size();
    tree.run(meter, {.whole = setting.whole, .lines = 1});
    oracle.iterate(0);
    const auto added = tree.tree().size() - before;
    ASSERT_TRUE(setting.whole || (setting.shared ? added <= 1 : added == 1));
  }
}

void compare_all(const Setting& setting, int first, int trees) {
  for (int seed = first; seed < first + trees; ++seed)
    ASSERT_NO_FATAL_FAILURE(compare_iterations(seed, setting));
}

TEST(best_first, IsItsDefinitionOnTrees) {
  compare_all({.shared = false}, 0, long_tests() ? 1000 : 300);
}

// Every combination of the rules, in the short form on graphs of its own.
class Definition : public testing::TestWithParam<std::tuple<bool, bool, bool, bool>> {};

TEST_P(Definition, OnGraphs) {
  const auto [coalition, literal, refresh, whole] = GetParam();
  const int graphs = long_tests() ? 450 : 60;
  const int combination = 8 * coalition + 4 * literal + 2 * refresh + whole;
  compare_all({.coalition = coalition, .literal = literal, .refresh = refresh, .whole = whole},
              long_tests() ? 0 : combination * graphs, graphs);
}

std::string name_of(const testing::TestParamInfo<Definition::ParamType>& tested) {
  const auto [coalition, literal, refresh, whole] = tested.param;
  return std::string(coalition ? "Coalition" : "EachForItself") + (literal ? "Literal" : "") +
         (refresh ? "Refresh" : "") + (whole ? "WholeLines" : "");
}

INSTANTIATE_TEST_SUITE_P(best_first, Definition,
                         testing::Combine(testing::Bool(), testing::Bool(), testing::Bool(),
                                          testing::Bool()),
                         name_of);

// On a tree every selection of an edge has expanded one position behind it.
TEST(best_first, SelectionsCountExpansions) {
  for (int seed = 0; seed < 300; ++seed) {
    const tree_game::Rules game(random_tree(seed, false));
    estimate::Eval<tree_game::Rules> eval({&game, Points::score, 0});
    Trees tree({&game, Points::score, eval, 0}, {});
    Meter meter(Budget{});
    tree.start({}, meter);
    tree.run(meter, {.lines = 20});
    const auto below = [&](auto self, NodeIndex node) -> std::uint32_t {
      std::uint32_t sum = 1;
      const Edges edges = tree.tree().edges(node);
      for (std::size_t e = 0; e < edges.count; ++e) {
        const bool linked = (edges.bits[e] & bits::kLinked) != 0;
        const NodeIndex child = linked ? static_cast<NodeIndex>(edges.link[e]) : kNoNode;
        const std::uint32_t expanded = child == kNoNode ? 0 : self(self, child);
        EXPECT_EQ(edges.visits[e], expanded);
        sum += expanded;
      }
      return sum;
    };
    EXPECT_EQ(below(below, tree.root()), tree.tree().size());
  }
}

template <class Tree>
void expect_identical(const Tree& a, const Tree& b) {
  ASSERT_EQ(a.size(), b.size());
  ASSERT_EQ(a.end(), b.end());
  for (NodeIndex i = 0; i < a.end(); ++i) {
    ASSERT_EQ(a.alive(i), b.alive(i));
    ASSERT_EQ(a[i].hash, b[i].hash);
    if (!a.alive(i)) continue;
    ASSERT_EQ(a[i].weight, b[i].weight);
    ASSERT_EQ(a[i].bits, b[i].bits);
    ASSERT_EQ(a[i].value, b[i].value);
    ASSERT_EQ(a[i].count, b[i].count);
    const std::size_t bytes = Edges::bytes(a[i].count, a.edges(i).seats);
    ASSERT_EQ(std::memcmp(a[i].block, b[i].block, bytes), 0);
  }
}

TEST(best_first, BatchingChangesNothing) {
  const hex::Rules game({.n = 5});
  estimate::Eval<hex::Rules> eval({&game, Points::depth, 0});
  const Task<hex::Rules> task{&game, Points::depth, eval, 0};
  for (const bool whole : {false, true}) {
    BestFirst<hex::Rules> together(task, {.batch = true}), one_by_one(task, {.batch = false});
    for (auto* tree : {&together, &one_by_one}) {
      Meter meter(Budget{});
      tree->start(game.start(0), meter);
      tree->run(meter, {.whole = whole, .lines = 300});
    }
    expect_identical(together.tree(), one_by_one.tree());
  }
}

TEST(best_first, OrdersMovesByTheTuplesOfThePaper) {
  Rng rng(3);
  for (int round = 0; round < 5000; ++round) {
    const std::size_t count = 1 + rng.below(6);
    Arena arena(3, 1 << 20, 0);
    const Edges edges = arena.edges(arena.add(1, 0, count, kNoNode, 0));
    for (std::size_t i = 0; i < count; ++i) {
      Scores c;
      for (int p = 0; p < 3; ++p) c[p] = static_cast<float>(rng.below(3)) - 1;
      const auto r = rng.below(2) == 0 ? bits::kResolved : 0;
      edges.bits[i] = static_cast<std::uint16_t>(completion::of_gain(c) | r);
      edges.visits[i] = rng.below(3);
      for (int p = 0; p < 3; ++p) c[p] = static_cast<float>(rng.below(3)) / 2;
      edges.set_value(i, c);
    }
    const int seat = static_cast<int>(rng.below(3));
    for (const bool highest : {true, false}) {
      const float o = highest ? 1.0f : -1.0f;
      const AimedEdges aimed(edges, {seat, o});
      std::size_t best = count, dual = kNoEdge, safe = count, proven = 0;
      const auto c = [&](std::size_t i) { return o * completion_of(edges.bits[i], 3)[seat]; };
      const auto v = [&](std::size_t i) { return o * edges.value(i)[seat]; };
      const auto n = [&](std::size_t i) { return static_cast<float>(edges.visits[i]); };
      const auto r = [&](std::size_t i) { return (edges.bits[i] & bits::kResolved) != 0; };
      const auto proven_key = [&](std::size_t i) { return std::tuple{c(i), r(i), v(i), n(i)}; };
      for (std::size_t i = 0; i < count; ++i) {
        if (proven_key(i) > proven_key(proven)) proven = i;
        const auto beats = [&](std::size_t j, float a, float b, float a2, float b2) {
          return c(i) > c(j) || (c(i) == c(j) && (a > b || (a == b && a2 > b2)));
        };
        if (best == count || beats(best, v(i), v(best), n(i), n(best))) best = i;
        if (safe == count || beats(safe, n(i), n(safe), v(i), v(safe))) safe = i;
        if (r(i)) continue;
        if (dual == kNoEdge || beats(dual, v(i), v(dual), -n(i), -n(dual))) dual = i;
      }
      EXPECT_EQ(aimed.best_action(), best);
      EXPECT_EQ(aimed.best_action_dual(), dual);
      EXPECT_EQ(aimed.safe_action(), safe);
      EXPECT_EQ(aimed.proven_action(), proven);
    }
  }
}

// At the limit the tree stays small, the search goes on, and what it calls resolved is right.
TEST(best_first, StaysCorrectWithLittleMemory) {
  int cramped = 0, solved = 0;
  for (int seed = 0; seed < 60; ++seed) {
    const tree_game::Rules game(
        {.seats = 3,
         .depth = 8,
         .branching = 5,
         .seed = seed,
         .payoffs = seed % 2 == 0 ? Payoffs::partial_ties : Payoffs::joint_wins,
         .shared = seed % 3 == 0,
         .early = 0});
    naive::Equilibria exact(game);
    estimate::Eval<tree_game::Rules> eval({&game, Points::gain, 0});
    for (const bool whole : {false, true}) {
      constexpr std::size_t kMemory = 16 << 10;
      int forgotten = 0;
      Forgetful<tree_game::Rules> tree({&game, Points::gain, eval, 0}, {.memory = kMemory},
                                       [&] { ++forgotten; });
      Meter meter(Budget{});
      tree.start({}, meter);
      for (int i = 0; i < 3000 && !tree.solved(); ++i) {
        tree.run(meter, {.whole = whole, .lines = 1});
        ASSERT_LE(tree.tree().bytes(), kMemory);
        if (i % 100 > 0 && !tree.solved()) continue;
        for (std::uint32_t s = 0; s < game.nodes().size(); ++s) {
          const NodeIndex n = tree.tree().find(mix64(s));
          if (n == kNoNode || !(tree.tree()[n].bits & bits::kResolved)) continue;
          ASSERT_TRUE(exact.contains(s, completion_of(tree.tree()[n].bits, 3)));
        }
      }
      cramped += forgotten > 0 ? 1 : 0;
      solved += tree.solved() && forgotten > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(cramped, 40);
  EXPECT_GT(solved, 20);
}

// Below a node with this position every linked edge leads to the node of the position that its move
// leads to.
template <class G>
void expect_true_links(const G& game, const Arena& tree, NodeIndex i,
                       const typename G::State& state, std::set<NodeIndex>& seen) {
  ASSERT_EQ(tree[i].hash, game.hash(state));
  if (!seen.insert(i).second) return;
  const Edges edges = tree.edges(i);
  MoveList<G> moves;
  game.moves(state, moves);
  ASSERT_EQ(edges.count, moves.size());
  for (std::size_t e = 0; e < edges.count; ++e) {
    auto next = state;
    game.play(next, moves[e]);
    const auto child = static_cast<NodeIndex>(edges.link[e]);
    if (edges.bits[e] & bits::kLinked && !tree.alive(child))
      ASSERT_EQ(tree[child].hash, game.hash(next));
    else if (edges.bits[e] & bits::kLinked)
      expect_true_links(game, tree, child, next, seen);
    else
      ASSERT_EQ(edges.link[e], game.hash(next));
  }
}

// Positions are played again from the root, by the moves that nodes keep, also when nodes come and
// go.
TEST(best_first, PositionsFollowFromTheMovesKept) {
  const hex::Rules game({.n = 4});
  estimate::Eval<hex::Rules> eval({&game, Points::depth, 0});
  Rng rng(1);
  for (int match = 0; match < 200; ++match) {
    const std::size_t memory = match % 3 == 0 ? 1 << 30 : 20 << 10;
    BestFirst<hex::Rules> tree({&game, Points::depth, eval, 0},
                               {.refresh = match % 2 == 0, .memory = memory});
    for (auto state = game.start(0); !game.over(state);) {
      Meter meter(Budget{});
      tree.start(state, meter);
      tree.run(meter, {.lines = rng.below(100)});
      std::set<NodeIndex> seen;
      ASSERT_NO_FATAL_FAILURE(expect_true_links(game, tree.tree(), tree.root(), state, seen));
      game.play(state, tree.verdict(rng.below(tree.root_node().count), meter).best);
    }
  }
}

// A stop that comes while room is made: the rest of the work waits, and there is little left of the
// piece begun.
TEST(best_first, StopsWhileRoomIsMade) {
  const hex::Rules game({.n = 9});
  estimate::Eval<hex::Rules> eval({&game, Points::depth, 0});
  int stopped = 0;
  for (const std::size_t memory : {1u << 16, 1u << 18, 1u << 20}) {
    std::stop_source source;
    int after_stop = 0;
    Forgetful<hex::Rules> tree({&game, Points::depth, eval, 0}, {.memory = memory}, [&] {
      source.request_stop();
      ++after_stop;
    });
    auto state = game.start(0);
    for (int think = 0; think < 40; ++think) {
      source = {};
      after_stop = 0;
      Budget budget;
      budget.stop = source.get_token();
      budget.evaluations = 20000;
      Meter meter(budget);
      tree.start(state, meter);
      tree.run(meter, {});
      ASSERT_LE(after_stop, static_cast<int>(Arena::kSweptNodes));
      stopped += source.stop_requested() ? 1 : 0;
      if (think % 4 == 3)
        game.play(state, tree.verdict(tree.root_edges().safe_action(), meter).best);
    }
  }
  EXPECT_GT(stopped, 60);
}

// Thoughts cut off at any moment, also in the middle of making room: what the tree is after so many
// evaluations does not depend on it.
TEST(best_first, InterruptionsChangeNothing) {
  const hex::Rules game({.n = 7});
  estimate::Eval<hex::Rules> eval({&game, Points::depth, 0});
  for (const std::size_t memory : {1u << 15, 1u << 17}) {
    using Tree = BestFirst<hex::Rules>;
    const Task<hex::Rules> task{&game, Points::depth, eval, 0};
    std::stop_source source;
    int forgotten = 0, cuts = 0;
    Tree whole(task, {.memory = memory});
    Forgetful<hex::Rules> cut(task, {.memory = memory}, [&] {
      if (++forgotten % 3 == 0) source.request_stop();
    });
    std::uint64_t evaluations = 0;
    const auto think = [&](Tree& tree, std::uint64_t limit) {
      Budget budget;
      budget.evaluations = limit;
      budget.stop = source.get_token();
      Meter meter(budget);
      tree.start(game.start(0), meter);
      tree.run(meter, {});
      return meter.evaluations();
    };
    for (std::uint64_t step = 0; step < 20; ++step) {
      const auto limit = 1000 + 7 * step;
      evaluations = think(whole, limit);
      for (std::uint64_t done = 0; done < evaluations; source = {}) {
        done += think(cut, limit - done);
        cuts += done < limit ? 1 : 0;
      }
      ASSERT_NO_FATAL_FAILURE(expect_identical(whole.tree(), cut.tree()));
    }
    EXPECT_GT(cuts, 100);
  }
}

}  // namespace
}  // namespace polymax::best_first_test
