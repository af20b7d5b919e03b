// mcts with select=puct against an oracle written from its definition, and at its limits.
#include "tree/puct.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>

#include "eval/estimate.hpp"
#include "search/mcts.hpp"
#include "tests/search/knowing.hpp"
#include "tests/search/mcts_checks.hpp"
#include "tests/search/naive_puct.hpp"
#include "tests/search/tree_game.hpp"

namespace polymax::puct_test {
namespace {

using namespace naive_puct;
using Search = mcts::Search<Tree>;

// By its definition, recursive. With a table a position is one node however it is reached.
struct Oracle {
  struct Edge {
    double n = 0, prior = 0;
    Rewards q{};
    std::uint32_t to = 0;
  };
  struct Node {
    double n = 1;  // its own valuation
    std::vector<Edge> edges;
  };

  const Tree& game;
  const Knowing& eval;
  mcts::Params params;
  std::map<Way, Node> nodes{};
  std::optional<Rewards> lowest{}, highest{};

  void see(const Rewards& reward) {
    if (!lowest) lowest = highest = reward;
    for (std::size_t p = 0; p < reward.size(); ++p) {
      (*lowest)[p] = std::min((*lowest)[p], reward[p]);
      (*highest)[p] = std::max((*highest)[p], reward[p]);
    }
  }

  double range(std::size_t p) const {
    if (params.range == PuctRange::game || !lowest || (*highest)[p] == (*lowest)[p]) return 1;
    return (*highest)[p] - (*lowest)[p];
  }

  // Of equal moves a tried one, then the one with the larger prior, then the earlier one is taken.
  std::size_t select(const Node& here, std::size_t p) const {
    double sum = 0, tried = 0, known = 0;
    for (const auto& edge : here.edges) {
      sum += edge.q[p];
      tried += edge.n;
      known += edge.n > 0 ? edge.prior : 0;
    }
    const double untried = tried > 0 ? sum / tried - params.fpu * range(p) * std::sqrt(known) : 0;
    std::size_t best = here.edges.size();
    double highest_bound = 0;
    for (const bool wanted : {true, false})
      for (std::size_t i = 0; i < here.edges.size(); ++i) {
        const Edge& edge = here.edges[i];
        if ((edge.n > 0) != wanted) continue;
        const double bound =
            (wanted ? edge.q[p] / edge.n : untried) +
            params.c_puct * range(p) * std::sqrt(here.n) * edge.prior / (1 + edge.n);
        if (best < here.edges.size() && bound <= highest_bound) continue;
        best = i;
        highest_bound = bound;
      }
    return best;
  }

  Rewards simulate(Tree::State s, Way way) {
    if (game.over(s)) return reward(game, s);
    if (params.table) way.clear();
    way.push_back(s.node);
    if (!nodes.contains(way)) {
      nodes[way] = fresh<Node>(game, eval, s);
      return reward(game, s);
    }
    Node& here = nodes[way];
    Edge& edge = here.edges[select(here, static_cast<std::size_t>(game.to_move(s)))];
    ++here.n;
    const Rewards out = simulate({edge.to}, way);
    ++edge.n;
    for (std::size_t p = 0; p < out.size(); ++p) edge.q[p] += out[p];
    return out;
  }

  // A new search of a root: what was seen before counts as far as the root's moves tell.
  void settle(Tree::State s, const Way& way) {
    lowest.reset();
    if (!nodes.contains(way)) {
      nodes.clear();
      nodes[way] = fresh<Node>(game, eval, s);
      see(reward(game, s));
      return;
    }
    for (const auto& edge : nodes[way].edges) {
      if (edge.n == 0) continue;
      Rewards mean{};
      for (std::size_t p = 0; p < mean.size(); ++p)
        mean[p] = static_cast<double>(static_cast<float>(edge.q[p] / edge.n));
      see(mean);
    }
  }
};

Tree random_tree(int seed, bool shared) {
  return Tree({.seats = 2 + seed % 3,
               .depth = 2 + seed % 5,
               .branching = 1 + seed % 7,
               .seed = seed,
               .payoffs = static_cast<tree_game::Payoffs>(seed % 4),
               .shared = shared});
}

void compare_with_oracle(int seed, bool table) {
  const Tree game = random_tree(seed, seed % 2 == 0);
  Knowing eval(game);
  auto params = puct(0.1 + 0.4 * (seed % 5), 0.15 * (seed % 3),
                     seed % 4 < 2 ? PuctRange::seen : PuctRange::game);
  params.table = table;
  Search search({&game, Points::score, eval, 7}, params);
  Oracle oracle{game, eval, params};
  Tree::State root{};
  Way way;
  for (const int budget : {3, 30, 200}) {
    Way here = table ? Way{} : way;
    here.push_back(root.node);
    const bool fresh = !oracle.nodes.contains(here);
    oracle.settle(root, here);
    const int simulations = fresh ? budget - 1 : budget;
    for (int i = 0; i < simulations; ++i) oracle.see(oracle.simulate(root, way));
    const auto verdict = search.think(root, evaluations(static_cast<std::uint64_t>(budget)));
    ASSERT_EQ(verdict.cost.evaluations, static_cast<std::uint64_t>(budget));
    const auto& node = oracle.nodes[here];
    ASSERT_EQ(verdict.children.size(), node.edges.size());
    for (std::size_t i = 0; i < node.edges.size(); ++i) {
      const auto child = *std::ranges::find(verdict.children, Tree::Move{node.edges[i].to},
                                            &Verdict<Tree>::Child::move);
      ASSERT_EQ(static_cast<double>(child.visits), node.edges[i].n)
          << "seed " << seed << " budget " << budget << " move " << i;
      for (int p = 0; child.visits > 0 && p < game.players(); ++p) {
        const double mean = node.edges[i].q[static_cast<std::size_t>(p)] / node.edges[i].n;
        ASSERT_NEAR(child.value[p], kLo + (kHi - kLo) * mean, 1e-5);
      }
    }
    if (budget == 30 && !table) {
      search.advance(verdict.best);
      way = here;
      game.play(root, verdict.best);
      if (game.over(root)) return;
    }
  }
}

TEST(puct, VisitsAndMeansEqualTheOracle) {
  for (int seed = 0; seed < 1500; ++seed) ASSERT_NO_FATAL_FAILURE(compare_with_oracle(seed, false));
}

TEST(puct, EqualsTheOracleWithATable) {
  for (int seed = 0; seed < 1500; ++seed) ASSERT_NO_FATAL_FAILURE(compare_with_oracle(seed, true));
}

// One call a simulation, and one for the root.
TEST(puct, AsksOnceASimulation) {
  const Tree game({.depth = 8, .branching = 6, .seed = 3, .early = 0});
  Knowing eval(game);
  Search search({&game, Points::score, eval, 1}, puct(1.5, 0.2, PuctRange::seen));
  const auto verdict = search.think({}, evaluations(200));
  EXPECT_EQ(visits_of(verdict), 199u);
  EXPECT_LE(eval.calls, 200);
  for (const auto& [position, times] : eval.valued) EXPECT_EQ(times, 1) << position;
  search.advance(verdict.best);
  Tree::State next{};
  game.play(next, verdict.best);
  const auto best = *std::ranges::find(verdict.children, verdict.best, &Verdict<Tree>::Child::move);
  EXPECT_EQ(visits_of(search.think(next, evaluations(50))), best.visits - 1 + 50);
}

TEST(puct, IsExactOnForcedTrees) {
  for (int seed = 0; seed < 50; ++seed) {
    const Tree game({.depth = 6, .branching = 1, .seed = seed, .early = 0});
    Knowing eval(game);
    Search search({&game, Points::gain, eval, 1},
                  {.select = mcts::Select::puct, .lo = -1, .hi = 1});
    const auto verdict = search.think({}, evaluations(5000));
    Tree::State end{};
    while (!game.over(end)) end.node = game.node(end).children[0];
    EXPECT_EQ(verdict.pv.back().to, end.node);
    for (int p = 0; p < game.players(); ++p) EXPECT_NEAR(verdict.value[p], game.gain(end)[p], 0.02);
  }
}

// A prior that likes the best moves least delays the search, no more: visits of a move that looks
// bad grow with the root of all, and some wins stay hidden. Two seats: where there are
// more, a seat that has lost may let the mover win by any move.
TEST(puct, FindsForcedWinsAgainstItsPrior) {
  int there = 0, found = 0;
  for (int seed = 0; seed < 300; ++seed) {
    const Tree game({.seats = 2,
                     .depth = 4,
                     .branching = 4,
                     .seed = seed,
                     .payoffs = tree_game::Payoffs::zero_sum,
                     .early = 0});
    const int mover = game.to_move({});
    if (!forces_win(game, {}, mover)) continue;
    ++there;
    Knowing eval(game, Knowing::Prior::hostile);
    Search search({&game, Points::gain, eval, 1},
                  {.select = mcts::Select::puct, .c_puct = 2, .lo = -1, .hi = 1});
    Tree::State after{};
    game.play(after, search.think({}, evaluations(20000)).best);
    found += forces_win(game, after, mover);
  }
  EXPECT_GT(there, 50);
  EXPECT_GE(found, there * 3 / 4);
}

TEST(puct, IsAFunctionOfPositionSettingsAndBudget) {
  const Tree game({.depth = 8, .branching = 6, .seed = 5, .early = 0});
  Knowing eval(game);
  const auto think = [&](std::uint64_t seed) {
    return Search({&game, Points::score, eval, seed}, puct(1.5, 0.2, PuctRange::seen))
        .think({}, evaluations(500));
  };
  EXPECT_TRUE(same(think(1), think(2))) << "nothing is drawn";
}

TEST(puct, KeepsToItsBudget) {
  const Tree game({.depth = 8, .branching = 6, .seed = 5, .early = 0});
  Knowing eval(game);
  Budget budget = evaluations(500);
  budget.depth = 2;
  EXPECT_EQ(Search({&game, Points::score, eval, 1}, puct(1.5, 0.2, PuctRange::seen))
                .think({}, budget)
                .cost.depth,
            2);
  EXPECT_EQ(Search({&game, Points::score, eval, 1}, puct(1.5, 0.2, PuctRange::seen))
                .think({}, evaluations(1))
                .cost.evaluations,
            1u);
}

TEST(puct, GoesOnWhenMemoryIsFull) {
  const Tree game({.depth = 14, .branching = 4, .seed = 2, .early = 0});
  Knowing eval(game);
  for (const bool table : {false, true}) {
    auto params = puct(1.5, 0.2, PuctRange::seen);
    params.table = table;
    params.memory = 1;
    const auto verdict =
        Search({&game, Points::score, eval, 1}, params).think({}, evaluations(60000));
    EXPECT_LE(verdict.cost.bytes, (std::size_t{1} << 20) + 5000);
    EXPECT_EQ(visits_of(verdict), 59999u);
  }
}

TEST(puct, NeedsAnEvaluatorThatKnowsTheMoves) {
  const Tree game;
  estimate::Eval<Tree> eval({&game, Points::score, 0});
  EXPECT_THROW(Search({&game, Points::score, eval, 0}, {.select = mcts::Select::puct}), Error);
}

}  // namespace
}  // namespace polymax::puct_test
