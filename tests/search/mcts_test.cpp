// UCT against an oracle written from its definition, on forced trees, in known positions and at its
// limits.
#include "search/mcts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>
#include <thread>

#include "eval/estimate.hpp"
#include "eval/playouts.hpp"
#include "eval/zero.hpp"
#include "games/hex.hpp"
#include "games/tictactoe.hpp"
#include "tests/games/uniform.hpp"
#include "tests/search/mcts_checks.hpp"
#include "tests/search/tree_game.hpp"

namespace polymax::mcts_test {
namespace {

using Tree = tree_game::Rules;

// ---- the oracle

// UCT by its definition, recursive, sums in full. With a table (as on a tree) a position is one
// node however it is reached; statistics belong to edges. Without it every way to a position is a
// node of its own.
struct Oracle {
  using Rewards = std::array<double, kMaxPlayers>;
  using Way = std::vector<std::uint32_t>;  // to a node: all positions from the start, or with a
                                           // table the last alone

  struct Edge {
    double n = 0;
    Rewards q{};
  };
  struct Node {
    double n = 0;
    std::vector<std::uint32_t> moves;  // tried ones first
    std::vector<Edge> edges{};         // of those tried
  };

  const Tree& game;
  bool heuristic;  // MCTS_h with reward (f + 8)/16
  bool table;
  bool batch;  // moves are tried in an order drawn with the node
  double c;
  Rng rng;
  std::map<Way, Node> nodes{};

  Rewards reward(Tree::State state) {
    if (!heuristic)
      while (!game.over(state)) {
        const auto& children = game.node(state).children;
        state.node = children[rng.below(static_cast<std::uint32_t>(children.size()))];
      }
    const auto& node = game.node(state);
    Rewards out{};
    for (std::size_t p = 0; p < out.size(); ++p) {
      if (!heuristic)
        out[p] = (static_cast<double>(node.gain.seats[p]) + 1) / 2;
      else
        out[p] =
            (static_cast<double>((node.children.empty() ? node.score : node.guess).seats[p]) + 8) /
            16;
    }
    return out;
  }

  std::size_t select(Node& here, std::size_t mover) {
    const std::size_t tried = here.edges.size();
    if (tried < here.moves.size()) {
      if (!batch) {
        const std::size_t i =
            tried + rng.below(static_cast<std::uint32_t>(here.moves.size() - tried));
        std::swap(here.moves[tried], here.moves[i]);
      }
      here.edges.emplace_back();
      return tried;
    }
    std::size_t best = 0;
    double highest = -1;
    for (std::size_t i = 0; i < tried; ++i) {
      const Edge& edge = here.edges[i];
      const double score = edge.q[mover] / edge.n + c * std::sqrt(std::log(here.n) / edge.n);
      if (score > highest) {
        highest = score;
        best = i;
      }
    }
    return best;
  }

  void make_node(const Way& way, double visits, std::vector<std::uint32_t> moves) {
    if (batch) rng.shuffle(std::span(moves));
    nodes[way] = {visits, std::move(moves)};
  }

  // One simulation from a position; `before` = visits of the edge that led there, not counting this
  // one.
  Rewards simulate(Tree::State state, Way way, double before) {
    if (game.over(state)) return reward(state);
    if (table) way.clear();
    way.push_back(state.node);
    if (!nodes.contains(way)) {
      if (before == 0) return reward(state);
      make_node(way, before, game.node(state).children);
    }
    Node& here = nodes[way];
    const std::size_t i = select(here, static_cast<std::size_t>(game.to_move(state)));
    ++here.n;
    const Rewards out = simulate({here.moves[i]}, way, here.edges[i].n);
    ++here.edges[i].n;
    for (std::size_t p = 0; p < out.size(); ++p) here.edges[i].q[p] += out[p];
    return out;
  }
};

// The oracle must have seen and computed the same, at several times.
template <class E>
void compare_with_oracle(const Tree& game, bool heuristic, bool table, std::uint64_t seed,
                         int batch = 1) {
  E eval({&game, Points::score, seed});
  mcts::Params params{.c = 0.1 + static_cast<double>(seed % 5) / 4, .table = table, .batch = batch};
  if (heuristic) params.lo = -8, params.hi = 8;
  mcts::Search<Tree> search({&game, Points::score, eval, seed}, params);
  Oracle oracle{game, heuristic, table, batch > 1, params.c, Rng(seed)};
  Tree::State root{};
  Oracle::Way way;
  for (const std::uint64_t budget : {1, 3, 30, 300}) {
    Oracle::Way here = table ? Oracle::Way{} : way;
    here.push_back(root.node);
    if (!oracle.nodes.contains(here)) {
      oracle.nodes.clear();
      oracle.make_node(here, 0, game.node(root).children);
    }
    for (std::uint64_t i = 0; i < budget; ++i) oracle.simulate(root, way, 1);
    const auto verdict = search.think(root, evaluations(budget));
    const int mover = game.to_move(root);
    const auto better = [&](const auto& a, const auto& b) {
      return std::pair(a.visits, a.value[mover]) < std::pair(b.visits, b.value[mover]);
    };
    const auto best = *std::ranges::max_element(verdict.children, better);
    const auto chosen =
        *std::ranges::find(verdict.children, verdict.best, &Verdict<Tree>::Child::move);
    ASSERT_FALSE(better(chosen, best));
    ASSERT_EQ(verdict.value, chosen.value);
    const auto& node = oracle.nodes[here];
    for (std::size_t i = 0; i < node.edges.size(); ++i) {
      const auto child = *std::ranges::find(verdict.children, Tree::Move{node.moves[i]},
                                            &Verdict<Tree>::Child::move);
      ASSERT_EQ(static_cast<double>(child.visits), node.edges[i].n) << "seed " << seed;
      for (int p = 0; p < game.players(); ++p) {
        const double mean = node.edges[i].q[static_cast<std::size_t>(p)] / node.edges[i].n;
        ASSERT_NEAR(child.value[p], heuristic ? 16 * mean - 8 : 2 * mean - 1, 1e-5);
      }
    }
    // Go on one move further, with the tree that is there. With a table, when forgotten nodes go is
    // not defined.
    if (budget == 30 && !table) {
      search.advance(verdict.best);
      way = here;
      game.play(root, verdict.best);
      if (game.over(root)) return;
    }
  }
}

Tree random_tree(int seed, bool shared) {
  return Tree({.seats = 2 + seed % 3,
               .depth = 2 + seed % 5,
               .branching = 1 + seed % 6,
               .seed = seed,
               .payoffs = static_cast<tree_game::Payoffs>(seed % 4),
               .shared = shared});
}

TEST(mcts, VisitsAndMeansEqualTheOracle) {
  for (int seed = 0; seed < 1000; ++seed) {
    const Tree game = random_tree(seed, seed % 2 == 0);
    compare_with_oracle<playouts::Eval<Tree>>(game, false, false, static_cast<std::uint64_t>(seed));
    compare_with_oracle<estimate::Eval<Tree>>(game, true, false, static_cast<std::uint64_t>(seed));
  }
}

TEST(mcts, EqualsTheOracleWithATable) {
  for (int seed = 0; seed < 1000; ++seed) {
    const Tree game = random_tree(seed, true);
    compare_with_oracle<playouts::Eval<Tree>>(game, false, true, static_cast<std::uint64_t>(seed));
    compare_with_oracle<estimate::Eval<Tree>>(game, true, true, static_cast<std::uint64_t>(seed));
  }
}

TEST(mcts, EqualsTheOracleWhateverTheBatch) {
  for (int seed = 0; seed < 1000; ++seed) {
    const Tree game = random_tree(seed, seed % 2 == 0);
    for (const bool table : {false, true})
      compare_with_oracle<estimate::Eval<Tree>>(game, true, table, static_cast<std::uint64_t>(seed),
                                                2 + seed % 7);
  }
}

// Estimates, and counts how often it is asked and for how much.
struct Asked {
  explicit Asked(const hex::Rules& of) : game(&of) {}
  void evaluate(std::span<const hex::Rules::State> states, std::span<Scores> out) {
    ++calls;
    positions += states.size();
    for (std::size_t i = 0; i < states.size(); ++i) out[i] = game->estimate(states[i]);
  }
  const hex::Rules* game;
  std::size_t calls = 0, positions = 0;
};

TEST(mcts, BatchesSaveCallsAndChangeNothing) {
  const hex::Rules game({.n = 4});
  Verdict<hex::Rules> first;
  std::size_t calls = 0;
  for (const int batch : {2, 4, 16}) {
    Asked asked(game);
    mcts::Search<hex::Rules> search({&game, Points::depth, asked, 1},
                                    {.lo = -16, .hi = 16, .batch = batch});
    const auto verdict = search.think(game.start(0), evaluations(500));
    EXPECT_EQ(verdict.cost.evaluations, 500u);
    EXPECT_LE(asked.positions, asked.calls * static_cast<std::size_t>(batch));
    if (calls > 0) {
      EXPECT_TRUE(same(first, verdict)) << batch;
      EXPECT_LT(asked.calls * 10, calls * 9) << batch;
    }
    first = verdict;
    calls = asked.calls;
  }
  EXPECT_LT(calls, 200u);
}

TEST(mcts, BatchesAreForValuesOfSinglePositions) {
  const hex::Rules game({.n = 4});
  playouts::Eval<hex::Rules> eval({&game, Points::depth, 1});
  EXPECT_THROW(mcts::Search<hex::Rules>({&game, Points::depth, eval, 1}, {.batch = 2}), Error);
}

// ---- values

TEST(mcts, IsExactOnForcedTrees) {
  for (int seed = 0; seed < 50; ++seed) {
    const Tree game(
        {.depth = 6, .branching = 1, .seed = seed, .payoffs = tree_game::Payoffs::joint_wins});
    Tree::State end{};
    while (!game.over(end)) end.node = game.node(end).children[0];
    playouts::Eval<Tree> eval({&game, Points::score, 1});
    const auto verdict =
        mcts::Search<Tree>({&game, Points::score, eval, 5}).think({}, evaluations(100));
    EXPECT_EQ(verdict.value, game.gain(end));
    EXPECT_EQ(visits_of(verdict), 100u);
    EXPECT_EQ(verdict.pv.back().to, end.node);
    EXPECT_EQ(verdict.cost.depth, game.node(end).ply);
  }
}

// UCT may take very long to return to a move that began badly, so a few of them may still be
// hidden.
TEST(mcts, FindsForcedWinsOfThreeSeats) {
  int there = 0, found = 0;
  for (int seed = 0; seed < 300; ++seed) {
    const Tree game({.depth = 5, .branching = 4, .seed = seed});
    if (!forces_win(game, {}, game.to_move({}))) continue;
    ++there;
    playouts::Eval<Tree> eval({&game, Points::score, 1});
    mcts::Search<Tree> search({&game, Points::score, eval, 5}, {.c = 1.4});
    found += search.think({}, evaluations(10000)).value[game.to_move({})] > 0.9f;
  }
  EXPECT_GT(there, 50);
  EXPECT_GE(found, there * 95 / 100);
}

template <template <class> class E, class G>
Verdict<G> think(const G& game, const typename G::State& state, std::uint64_t n,
                 mcts::Params params = {}, std::uint64_t seed = 1) {
  E<G> eval({&game, G::default_points, seed});
  return mcts::Search<G>({&game, G::default_points, eval, seed}, params)
      .think(state, evaluations(n));
}

TEST(mcts, PlaysKnownPositions) {
  const tictactoe::Rules game;
  const auto best = [&](const std::vector<std::string>& moves, auto... settings) {
    const auto state = uniform::after(game, moves);
    return game.move_text(state, think<playouts::Eval>(game, state, 5000, settings...).best);
  };
  EXPECT_EQ(best({"a1", "b2", "a2", "c3"}), "a3");            // wins
  EXPECT_EQ(best({"a1", "b2", "a2"}), "a3");                  // must block
  EXPECT_EQ(best({"a1"}), "b2");                              // the only reply that draws
  EXPECT_EQ(best({"a1"}, mcts::Params{.threads = 3}), "b2");  // however many look for it
  // MCTS_h sees finished positions exactly.
  const auto state = uniform::after(game, {"a1", "b2", "a2", "c3"});
  EXPECT_EQ(game.move_text(state, think<zero::Eval>(game, state, 500).best), "a3");
}

bool mover_wins(const hex::Rules& game, const hex::Rules::State& state) {
  if (game.over(state)) return false;  // the other seat has just joined its sides
  MoveList<hex::Rules> moves;
  game.moves(state, moves);
  return std::ranges::any_of(moves, [&](const auto& move) {
    auto next = state;
    game.play(next, move);
    return !mover_wins(game, next);
  });
}

TEST(mcts, WinsHex) {
  const hex::Rules game({.n = 3});
  int won = 0;
  for (const auto& moves :
       std::vector<std::vector<std::string>>{{}, {"a1"}, {"b2", "a2"}, {"c2", "b2", "a3"}}) {
    auto state = uniform::after(game, moves);
    const int mover = game.to_move(state);
    if (!mover_wins(game, state)) continue;
    const auto verdict = think<playouts::Eval>(game, state, 20000, {.c = 0.7});
    EXPECT_GT(verdict.value[mover], 0.8f);
    EXPECT_LT(verdict.value[1 - mover], -0.8f);
    ++won;
    game.play(state, verdict.best);
    EXPECT_FALSE(mover_wins(game, state)) << moves.size();
  }
  EXPECT_GE(won, 3);
}

template <Game G>
class Narrow : public estimate::Eval<G> {
 public:
  using estimate::Eval<G>::Eval;
  Bounds bounds() const { return {-2, 3}; }
};

TEST(mcts, TakesTheBoundsThatItsEvaluatorKnows) {
  const Tree game({.depth = 6, .branching = 4, .seed = 8, .scores = 100});
  double lowest = 0, highest = 0;
  for (const auto& child : think<Narrow>(game, {}, 500).children)
    for (int p = 0; p < 3; ++p) {
      lowest = std::min(lowest, static_cast<double>(child.value[p]));
      highest = std::max(highest, static_cast<double>(child.value[p]));
    }
  EXPECT_GE(lowest, -2);
  EXPECT_LE(highest, 3);
  EXPECT_LT(lowest, highest);
}

TEST(mcts, ClipsToItsBounds) {
  const Tree game({.depth = 6, .branching = 4, .seed = 8, .scores = 100});
  for (const auto& params :
       {mcts::Params{.lo = -1, .hi = 1}, mcts::Params{.lo = -1}, mcts::Params{.hi = 1}, {}}) {
    const auto verdict = think<estimate::Eval>(game, {}, 500, params);
    EXPECT_TRUE(same(verdict, think<estimate::Eval>(game, {}, 500, params)));
    for (const auto& child : verdict.children)
      for (int p = 0; p < 3; ++p) {
        EXPECT_GE(child.value[p], std::max(-100.0, params.lo));
        EXPECT_LE(child.value[p], std::min(100.0, params.hi));
      }
  }
  EXPECT_THROW(think<estimate::Eval>(game, {}, 1, {.lo = 2, .hi = 1}), Error);
  EXPECT_NO_THROW(think<zero::Eval>(tictactoe::Rules(), {}, 10));
}

// ---- budgets, memory

TEST(mcts, IsAFunctionOfItsSeed) {
  const hex::Rules game({.n = 7});
  const auto first = think<playouts::Eval>(game, game.start(0), 3000);
  Verdict<hex::Rules> second;
  std::thread other([&] { think<playouts::Eval>(game, game.start(0), 3000, {}, 2); });
  second = think<playouts::Eval>(game, game.start(0), 3000);
  other.join();
  EXPECT_TRUE(same(first, second));
  EXPECT_FALSE(same(first, think<playouts::Eval>(game, game.start(0), 3000, {}, 2)));
}

// The same numbers in every build type; raise Search::about.version when they change.
TEST(mcts, IsTheSameInEveryBuild) {
  const hex::Rules game({.n = 5});
  std::uint64_t fingerprint = 0;
  for (const auto& verdict : {think<playouts::Eval>(game, game.start(0), 5000),
                              think<estimate::Eval>(game, game.start(0), 5000)})
    for (const auto& child : verdict.children) fingerprint = mix64(fingerprint ^ child.visits);
  EXPECT_EQ(fingerprint, 11154756265996204871u);
}

TEST(mcts, KeepsItsTreeBetweenMoves) {
  const hex::Rules game({.n = 4});
  playouts::Eval<hex::Rules> eval({&game, Points::depth, 1});
  mcts::Search<hex::Rules> search({&game, Points::depth, eval, 1});
  auto state = game.start(0);
  const auto first = search.think(state, evaluations(2000));
  const auto best =
      *std::ranges::find(first.children, first.best, &Verdict<hex::Rules>::Child::move);
  search.advance(first.best);
  game.play(state, first.best);
  const auto second = search.think(state, evaluations(100));
  EXPECT_EQ(visits_of(second), best.visits - 1 + 100);  // one visit valued the position itself
  EXPECT_EQ(second.cost.evaluations, 100u);
  const auto elsewhere = search.think(game.start(0), evaluations(50));
  EXPECT_EQ(visits_of(elsewhere), 50u);
}

TEST(mcts, GoesOnWhenMemoryIsFull) {
  const hex::Rules game({.n = 9});
  zero::Eval<hex::Rules> eval({&game, Points::depth, 1});
  for (const bool table : {false, true}) {
    mcts::Search<hex::Rules> search({&game, Points::depth, eval, 1},
                                    {.lo = -100, .hi = 100, .table = table, .memory = 1});
    auto state = game.start(0);
    std::uint64_t before = 0;
    for (int i = 0; i < 4; ++i) {
      const auto verdict = search.think(state, evaluations(30000));
      EXPECT_LE(verdict.cost.bytes, (std::size_t{1} << 20) + 5000);
      EXPECT_GT(verdict.cost.bytes, std::size_t{1} << 18);
      EXPECT_GE(visits_of(verdict), before + 30000);
      EXPECT_TRUE(table || visits_of(verdict) == before + 30000);
      before = std::ranges::find(verdict.children, verdict.best, &Verdict<hex::Rules>::Child::move)
                   ->visits -
               1;
      search.advance(verdict.best);
      game.play(state, verdict.best);
    }
  }
}

TEST(mcts, StaysRightWhenMemoryIsFull) {
  const hex::Rules game({.n = 6});
  const auto state = uniform::after(
      game, {"c3", "a1", "c4", "a2", "c2", "a3", "c5", "a4", "d6", "a5"});  // c1 then joins top
  const auto verdict = think<playouts::Eval>(game, state, 100000, {.memory = 1});
  const auto free = think<playouts::Eval>(game, state, 100000);
  EXPECT_GT(free.cost.bytes, verdict.cost.bytes);
  EXPECT_GT(verdict.value[0], 0.9f);
}

TEST(mcts, KeepsToItsBudget) {
  const hex::Rules game({.n = 5});
  playouts::Eval<hex::Rules> eval({&game, Points::depth, 1});
  mcts::Search<hex::Rules> search({&game, Points::depth, eval, 1});
  Budget budget;
  budget.nodes = 700;
  EXPECT_EQ(search.think(game.start(0), budget).cost.nodes, 700u);
  budget = evaluations(5000);
  budget.depth = 2;
  EXPECT_EQ(mcts::Search<hex::Rules>({&game, Points::depth, eval, 1})
                .think(game.start(0), budget)
                .cost.depth,
            2);
  EXPECT_THROW(search.think(game.start(0), {}), Error);
}

TEST(mcts, EndsWhereEveryMoveEndsTheGame) {
  const Tree game({.depth = 1, .branching = 5, .seed = 2});
  EXPECT_EQ(visits_of(think<playouts::Eval>(game, {}, 1000)), 1000u);
}

}  // namespace
}  // namespace polymax::mcts_test
