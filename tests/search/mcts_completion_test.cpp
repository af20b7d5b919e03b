// mcts with completion=on: against an oracle written from its definition, and what it calls proven.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>

#include "eval/estimate.hpp"
#include "eval/playouts.hpp"
#include "search/mcts.hpp"
#include "tests/search/knowing.hpp"
#include "tests/search/mcts_checks.hpp"
#include "tests/search/naive_best_first.hpp"
#include "tests/search/naive_puct.hpp"
#include "tests/search/tree_game.hpp"

namespace polymax::mcts_completion_test {
namespace {

using tree_game::Payoffs;
using namespace naive_puct;
using Search = mcts::Search<Tree>;

mcts::Params settings(bool table) {
  mcts::Params out = puct(1, 0.2, PuctRange::game);
  out.table = table;
  out.completion = true;
  return out;
}

Tree random_tree(int seed, bool shared) {
  return Tree({.seats = 2 + seed % 3,
               .depth = 2 + seed % 5,
               .branching = 1 + seed % 6,
               .seed = seed,
               .payoffs = static_cast<Payoffs>(seed % 5),
               .shared = shared,
               .scores = 7});
}

// PUCT with completion by its definition, recursive; every way to a position is a node of its own.
struct Oracle {
  // What is known for good.
  struct Known {
    Rewards reward{};
    Scores gain;
  };
  struct Edge {
    double n = 0, prior = 0;
    Rewards q{};
    std::uint32_t to = 0;
    std::optional<Known> known{};

    double mean(std::size_t p) const { return known ? known->reward[p] : q[p] / n; }
  };
  struct Node {
    double n = 1;
    std::vector<Edge> edges;
  };
  struct Result {
    Rewards reward{};
    std::optional<Known> known{};
  };

  const Tree& game;
  const Knowing& eval;
  mcts::Params params;
  std::map<Way, Node> nodes{};

  std::size_t select(const Node& here, std::size_t p) const {
    double sum = 0, tried = 0, known = 0;
    for (const auto& edge : here.edges) {
      if (edge.n == 0) continue;
      sum += edge.mean(p) * edge.n;
      tried += edge.n;
      known += edge.prior;
    }
    const double untried = tried > 0 ? sum / tried - params.fpu * std::sqrt(known) : 0;
    std::size_t best = here.edges.size();
    double highest = 0;
    for (const bool wanted : {true, false})
      for (std::size_t i = 0; i < here.edges.size(); ++i) {
        const Edge& edge = here.edges[i];
        if ((edge.n > 0) != wanted || edge.known) continue;
        const double bound = (wanted ? edge.mean(p) : untried) +
                             params.c_puct * std::sqrt(here.n) * edge.prior / (1 + edge.n);
        if (best < here.edges.size() && bound <= highest) continue;
        best = i;
        highest = bound;
      }
    return best;
  }

  static std::optional<Known> best_known(const Node& node, int mover) {
    std::optional<Known> best;
    for (const auto& edge : node.edges) {
      if (!edge.known) continue;
      const auto key = [&](const Known& known) {
        return std::pair(known.gain[mover], known.reward[static_cast<std::size_t>(mover)]);
      };
      if (!best || key(*edge.known) > key(*best)) best = edge.known;
    }
    return best;
  }

  Result simulate(Tree::State s, Way way) {
    if (game.over(s)) return {reward(game, s), Known{reward(game, s), game.gain(s)}};
    way.push_back(s.node);
    if (!nodes.contains(way)) {
      nodes[way] = fresh<Node>(game, eval, s);
      return {reward(game, s)};
    }
    Node& here = nodes[way];
    const int mover = game.to_move(s);
    Edge& edge = here.edges[select(here, static_cast<std::size_t>(mover))];
    ++here.n;
    Result out = simulate({edge.to}, way);
    ++edge.n;
    edge.known = out.known;
    for (std::size_t p = 0; p < out.reward.size(); ++p) edge.q[p] += out.reward[p];
    // A proven win of the mover, or the best of moves that are all proven; else no less than the
    // best proven move.
    const auto best = best_known(here, mover);
    const bool all =
        std::ranges::all_of(here.edges, [](const Edge& e) { return e.known.has_value(); });
    out.known = best && (all || best->gain[mover] == 1) ? best : std::nullopt;
    const auto seat = static_cast<std::size_t>(mover);
    if (best && best->reward[seat] >= edge.mean(seat)) out.reward = best->reward;
    return out;
  }
};

TEST(mcts_completion, VisitsAndMeansEqualTheOracle) {
  int proven = 0, open = 0;
  for (int seed = 0; seed < 1500; ++seed) {
    const Tree game = random_tree(seed, seed % 2 == 0);
    Knowing eval(game);
    const int budget = 4 + seed % 120;
    const auto verdict = Search({&game, Points::score, eval, 7}, settings(false))
                             .think({}, evaluations(static_cast<std::uint64_t>(budget)));
    Oracle oracle{game, eval, settings(false)};
    const Way root{0};
    oracle.nodes[root] = fresh<Oracle::Node>(game, eval, {});
    std::optional<Oracle::Known> known;
    for (int i = 1; i < budget && !known; ++i) known = oracle.simulate({}, {}).known;
    ASSERT_EQ(verdict.proof == Proof::gain, known.has_value()) << seed;
    ++(known ? proven : open);
    const int mover = game.to_move({});
    if (known) {
      ASSERT_EQ(static_cast<float>(verdict.proven_gain), known->gain[mover]);
    }
    for (const auto& edge : oracle.nodes[root].edges) {
      const auto child =
          *std::ranges::find(verdict.children, Tree::Move{edge.to}, &Verdict<Tree>::Child::move);
      ASSERT_EQ(static_cast<double>(child.visits), edge.n) << "seed " << seed;
      ASSERT_TRUE(!edge.known || child.resolved);
      for (int p = 0; child.visits > 0 && p < game.players(); ++p)
        ASSERT_NEAR(child.value[p], kLo + (kHi - kLo) * edge.mean(static_cast<std::size_t>(p)),
                    1e-5);
    }
  }
  EXPECT_GT(proven, 300);
  EXPECT_GT(open, 150);
}

template <class Eval>
void check_proofs(Eval& eval, const Tree& game, mcts::Params params, int& proven) {
  const int mover = game.to_move({});
  for (const std::uint64_t budget : {10, 100, 20000}) {
    const auto verdict =
        Search({&game, Points::score, eval, 3}, params).think({}, evaluations(budget));
    if (verdict.proof == Proof::none) {
      ASSERT_LT(budget, 20000u) << "not solved";
      continue;
    }
    ++proven;
    const auto gains = naive::Equilibria(game).of(0);
    ASSERT_TRUE(std::ranges::any_of(gains, [&](const auto& gain) {
      return gain[static_cast<std::size_t>(mover)] == static_cast<float>(verdict.proven_gain);
    }));
    const auto best =
        *std::ranges::find(verdict.children, verdict.best, &Verdict<Tree>::Child::move);
    ASSERT_TRUE(best.resolved);
  }
}

// Every simulation learns something: a small tree is solved.
TEST(mcts_completion, WhatItProvesIsAnEquilibrium) {
  int proven = 0;
  for (int seed = 0; seed < 300; ++seed) {
    const Tree game({.seats = 2 + seed % 3,
                     .depth = 2 + seed % 3,
                     .branching = 3,
                     .seed = seed,
                     .payoffs = static_cast<Payoffs>(seed % 5),
                     .shared = seed % 2 == 0,
                     .scores = 3});
    Knowing knowing(game);
    estimate::Eval<Tree> guess({&game, Points::score, 0});
    playouts::Eval<Tree> random({&game, Points::score, 1});
    for (const bool table : {false, true}) {
      auto params = settings(table);
      SCOPED_TRACE(seed);
      ASSERT_NO_FATAL_FAILURE(check_proofs(knowing, game, params, proven));
      params.select = mcts::Select::uct;
      params.c = 2;
      ASSERT_NO_FATAL_FAILURE(check_proofs(guess, game, params, proven));
      ASSERT_NO_FATAL_FAILURE(check_proofs(random, game, params, proven));
      params.threads = 3;
      ASSERT_NO_FATAL_FAILURE(check_proofs(guess, game, params, proven));
    }
  }
  EXPECT_GT(proven, 3000);
}

// Without it some of these wins stay hidden behind a prior that likes them least (puct_test).
TEST(mcts_completion, FindsEveryForcedWinAgainstItsPrior) {
  int there = 0;
  for (int seed = 0; seed < 300; ++seed) {
    const Tree game({.seats = 2,
                     .depth = 4,
                     .branching = 4,
                     .seed = seed,
                     .payoffs = Payoffs::zero_sum,
                     .early = 0});
    const int mover = game.to_move({});
    if (!forces_win(game, {}, mover)) continue;
    ++there;
    Knowing eval(game, Knowing::Prior::hostile);
    const auto verdict =
        Search({&game, Points::gain, eval, 1},
               {.select = mcts::Select::puct, .c_puct = 20, .lo = -1, .hi = 1, .completion = true})
            .think({}, evaluations(20000));
    EXPECT_EQ(verdict.proof, Proof::gain);
    EXPECT_EQ(verdict.proven_gain, 1);
    Tree::State after{};
    game.play(after, verdict.best);
    EXPECT_TRUE(forces_win(game, after, mover)) << seed;
  }
  EXPECT_GT(there, 50);
}

// A move that is proven to lose is not played because it was tried often.
TEST(mcts_completion, KeepsProofsWhenItGoesOn) {
  int kept = 0;
  for (int seed = 0; seed < 200; ++seed) {
    const Tree game({.seats = 2, .depth = 5, .branching = 3, .seed = seed, .early = 0});
    estimate::Eval<Tree> eval({&game, Points::gain, 0});
    Search search({&game, Points::gain, eval, 1}, {.c = 2, .lo = -1, .hi = 1, .completion = true});
    const auto first = search.think({}, evaluations(5000));
    ASSERT_EQ(first.proof, Proof::gain);
    Tree::State next{};
    search.advance(first.best);
    game.play(next, first.best);
    if (game.over(next)) continue;
    const auto second = search.think(next, evaluations(5000));
    EXPECT_EQ(second.proof, Proof::gain);
    if (first.proven_gain == 1) {
      EXPECT_EQ(second.cost.evaluations, 0u) << "it knew";
      ++kept;
    }
  }
  EXPECT_GT(kept, 20);
}

}  // namespace
}  // namespace polymax::mcts_completion_test
