// Compares a depth-first search with the oracle of its definition on random trees and small boards.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "eval/estimate.hpp"
#include "games/hex.hpp"
#include "games/tictactoe.hpp"
#include "tests/long_tests.hpp"
#include "tests/search/claim_game.hpp"
#include "tests/search/oracles.hpp"
#include "tests/search/tree_game.hpp"

namespace polymax::checks {

// Which of the tricks that must not matter are used.
struct Tricks {
  bool batch = true, table = true, pruning = true, leaves = false;
};
inline constexpr Tricks kAllTricks[] = {{},
                                        {.leaves = true},
                                        {.batch = false},
                                        {.table = false},
                                        {.pruning = false},
                                        {.batch = false, .leaves = true},
                                        {.batch = false, .table = false},
                                        {.batch = false, .pruning = false},
                                        {.batch = false, .table = false, .pruning = false}};

template <class Params>
Params with(Params params, Tricks tricks) {
  params.batch = tricks.batch;
  params.table = tricks.table;
  params.pruning = tricks.pruning;
  params.leaves = tricks.leaves;
  return params;
}

inline bool same_for(const Scores& a, const Scores& b, int seat, bool all) {
  return all ? a == b : a[seat] == b[seat];
}

// The line begins with the best move, can be played, and leads to the value where it reaches full
// depth. whole_line: it is long enough for that.
template <Game G>
void check_line(const Task<G>& task, typename G::State state, const Verdict<G>& verdict,
                bool all_seats, bool whole_line) {
  const int seat = task.game->to_move(state);
  ASSERT_FALSE(verdict.pv.empty());
  ASSERT_TRUE(verdict.pv.front() == verdict.best);
  ASSERT_LE(static_cast<int>(verdict.pv.size()), verdict.cost.depth);
  for (const auto& move : verdict.pv) {
    MoveList<G> moves;
    task.game->moves(state, moves);
    ASSERT_TRUE(std::ranges::find(moves, move) != moves.end());
    task.game->play(state, move);
  }
  const bool over = task.game->over(state);
  const bool reached = over || static_cast<int>(verdict.pv.size()) == verdict.cost.depth;
  ASSERT_TRUE(reached || !whole_line);
  if (!whole_line || !reached) return;
  const Scores end =
      over ? terminal_points(*task.game, state, task.points) : task.evaluator.evaluate(state);
  EXPECT_TRUE(same_for(end, verdict.value, seat, all_seats));
}

struct Demands {
  bool all_seats = true;   // else the root seat's component alone
  bool whole_line = true;  // every move of the search can be played in the game
};

// What an oracle says of a position, computed once for every depth.
template <class Oracle>
class Said {
 public:
  Said(const Oracle& by, const typename Oracle::State& of)
      : oracle(by), root(of), moves(by.children(of).size()) {}

  const polymax::oracle::Outcome& at(int depth) {
    const auto found = kept_.find(depth);
    return found != kept_.end() ? found->second
                                : kept_.emplace(depth, oracle(root, depth)).first->second;
  }

  const Oracle& oracle;
  const typename Oracle::State root;
  const std::size_t moves;

 private:
  std::map<int, polymax::oracle::Outcome> kept_;
};

// What a completed depth must say.
template <Game G, class Oracle>
void check_verdict(Said<Oracle>& said, const Verdict<G>& verdict, const Demands& demands) {
  const Oracle& oracle = said.oracle;
  const auto& expected = said.at(verdict.cost.depth);
  ASSERT_EQ(verdict.children.size(), said.moves);
  std::size_t best = 0;
  while (!(verdict.children[best].move == verdict.best)) ++best;
  EXPECT_EQ(best, expected.best);
  EXPECT_TRUE(same_for(verdict.value, expected.value, oracle.root, demands.all_seats));
  EXPECT_TRUE(verdict.children[best].value == verdict.value);
  check_line(oracle.task, said.root, verdict, demands.all_seats, demands.whole_line);
}

// Compares depths 1..deepest; all settings of `params` but the tricks are the oracle's, too.
template <template <class> class Search, class Oracle, class Params>
void check_depths(const Oracle& oracle, const typename Oracle::State& root, const Params& params,
                  int deepest, Demands demands = {}) {
  using G = typename Oracle::Game;
  Said<Oracle> said(oracle, root);
  for (int depth = 1; depth <= deepest; ++depth)
    for (const auto& tricks : kAllTricks) {
      SCOPED_TRACE("depth " + std::to_string(depth) + " batch " + std::to_string(tricks.batch) +
                   " table " + std::to_string(tricks.table) + " pruning " +
                   std::to_string(tricks.pruning) + " leaves " + std::to_string(tricks.leaves));
      Search<G> search(oracle.task, with(params, tricks));
      Budget budget;
      budget.depth = depth;
      const Verdict<G> verdict = search.think(root, budget);
      check_verdict<G>(said, verdict, demands);
      if (verdict.cost.depth < depth) {  // it claims that more depth changes nothing
        const auto& expected = said.at(depth);
        EXPECT_TRUE(same_for(verdict.value, expected.value, oracle.root, demands.all_seats));
        EXPECT_TRUE(verdict.best == verdict.children[expected.best].move);
      }
      if (::testing::Test::HasFailure()) return;
    }
}

// Plays a whole game with one search object, every move with a budget that ends in the midst of a
// depth.
template <template <class> class Search, class Oracle, class Params>
void check_match(Oracle oracle, const Params& params, std::uint64_t seed, Demands demands = {}) {
  using G = typename Oracle::Game;
  Rng rng(seed);
  const G& game = *oracle.task.game;
  auto state = game.start(seed);
  Search<G> search(oracle.task, params);
  while (!game.over(state)) {
    Budget budget;
    budget.depth = 5;
    budget.evaluations = 1 + rng.below(60);
    oracle.root = game.to_move(state);
    const auto verdict = search.think(state, budget);
    Said<Oracle> said(oracle, state);
    check_verdict<G>(said, verdict, {demands.all_seats, false});
    if (::testing::Test::HasFailure()) return;
    const auto& chosen =
        verdict.children[rng.below(static_cast<std::uint32_t>(verdict.children.size()))];
    game.play(state, chosen.move);
    search.advance(chosen.move);
  }
}

// So many trees or boards; a third of them in the short form.
inline int samples(int most) {
  return long_tests() ? most : most / 3;
}

inline tree_game::Options random_tree(int seed) {
  tree_game::Options out;
  out.seed = seed;
  out.seats = 2 + seed % 3;
  out.payoffs = static_cast<tree_game::Payoffs>(seed / 3 % (out.seats == 2 ? 5 : 4));
  out.depth = 3 + seed % 5;
  out.branching = 2 + seed / 2 % 3;
  out.turns_in_order = seed % 4 == 0;
  out.shared = seed % 2 == 0;
  out.scores = seed % 7 == 0 ? 1 : 5;
  return out;
}

inline claim_game::Options random_claim(int seed) {
  claim_game::Options out;
  out.seed = seed;
  out.seats = 2 + seed % 3;
  out.cells = 4 + seed % 3;
  out.target = seed % 3 == 0 ? 4 : 1000;
  return out;
}

// A game, its estimate and what an oracle is made of.
template <Game G>
class Ground {
 public:
  explicit Ground(const typename G::Options& options = {}, Points points = G::default_points)
      : game(options), root(game.start(1)), eval_({&game, points, 0}), points_(points) {}

  Task<G> task() { return {&game, points_, eval_, 1}; }
  oracle::Definition<G> definition(int k) { return {task(), game.to_move(root), k}; }

  const G game;
  const typename G::State root;

 private:
  estimate::Eval<G> eval_;
  Points points_;
};

}  // namespace polymax::checks
