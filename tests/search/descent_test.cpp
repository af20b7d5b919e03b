// Descent: the law by which it plays, and what it hands over to learning. That its iterations are
// those of the definition, and end on finished or resolved positions, is in best_first_test.
#include "search/descent.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "eval/estimate.hpp"
#include "games/hex.hpp"
#include "tests/search/naive_best_first.hpp"
#include "tests/search/verdicts.hpp"

namespace polymax::descent_test {
namespace {

using tree_game::Payoffs;
using Trees = tree_game::Rules;
using Descent = descent::Search<Trees>;
using descent::Law;

double closed_form(std::size_t i, std::size_t n, double e) {
  const auto count = static_cast<double>(n), rank = static_cast<double>(i);
  return std::pow(1 - e, rank) * (e * (count - rank) + 1 - e) / count;
}

// Each count within five standard deviations of its expectation.
void expect_law(const std::vector<int>& counts, const std::vector<double>& law) {
  double all = 0;
  for (const int count : counts) all += count;
  for (std::size_t i = 0; i < counts.size(); ++i)
    EXPECT_NEAR(counts[i], all * law[i], 5 * std::sqrt(all * law[i] * (1 - law[i])) + 1e-9)
        << "rank " << i;
}

TEST(ordinal, IsTheClosedForm) {
  Rng rng(1);
  for (const std::size_t n : {1u, 2u, 5u, 30u})
    for (const double e : {0.0, 0.3, 0.8, 1.0}) {
      std::vector<int> counts(n);
      for (int i = 0; i < 100000; ++i) ++counts[ordinal_rank(n, e, rng)];
      std::vector<double> law;
      for (std::size_t i = 0; i < n; ++i) law.push_back(closed_form(i, n, e));
      expect_law(counts, law);
    }
}

// How often each move is played by searches that expanded the root only.
std::vector<int> played(const Trees& game, const descent::Params& params, int draws) {
  estimate::Eval<Trees> eval({&game, Points::score, 0});
  std::vector<int> out(game.node({}).children.size());
  for (int seed = 0; seed < draws; ++seed) {
    Descent search({&game, Points::score, eval, static_cast<std::uint64_t>(seed)}, params);
    const auto verdict = search.think({}, evaluations(1));
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] += verdict.children[i].move == verdict.best ? 1 : 0;
  }
  return out;
}

// Ranks of the root's edges after one expansion, and how many may be played, from the definition.
std::vector<double> expected_law(const Trees& game, double (*share)(std::size_t, std::size_t)) {
  naive::BestFirst oracle(game);
  oracle.expand(0);
  const auto& edges = oracle.table[0].edges;
  const int p = game.to_move({});
  const auto key = [&](std::size_t i) {
    return std::tuple{edges[i].known.c[p], edges[i].known.v[p], edges[i].n};
  };
  std::vector<std::size_t> candidates, wins;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].known.r && edges[i].known.c[p] == 1) wins.push_back(i);
    if (!(edges[i].known.r && edges[i].known.c[p] == -1)) candidates.push_back(i);
  }
  std::vector<double> out(edges.size());
  if (!wins.empty()) candidates = {*std::ranges::max_element(wins, {}, key)};
  if (candidates.empty()) candidates = {oracle.best_action(0)};
  for (const auto i : candidates) {
    std::size_t better = 0, equal = 0;
    for (const auto j : candidates) {
      better += key(j) > key(i) ? 1 : 0;
      equal += key(j) == key(i) ? 1 : 0;
    }
    for (std::size_t k = 0; k < equal; ++k)
      out[i] += share(better + k, candidates.size()) / static_cast<double>(equal);
  }
  return out;
}

TEST(descent, PlaysByTheOrdinalLawAndCompletion) {
  for (int seed = 0; seed < 12; ++seed) {
    const Trees game({.seats = 3,
                      .depth = 3,
                      .branching = 7,
                      .seed = seed,
                      .payoffs = Payoffs::joint_wins,
                      .early = seed % 2 == 0 ? 3 : 0});
    expect_law(
        played(game, {.law = Law::fixed, .e = 0.4}, 4000),
        expected_law(game, [](std::size_t i, std::size_t n) { return closed_form(i, n, 0.4); }));
  }
}

TEST(descent, DrawsTheParameterForEveryMove) {
  const Trees game({.seats = 3, .depth = 4, .branching = 8, .seed = 5, .scores = 1000, .early = 0});
  const auto mean = [](auto density) {
    return [density](std::size_t i, std::size_t n) {
      double sum = 0;
      for (int k = 0; k < 1000; ++k)
        sum += closed_form(i, n, (k + 0.5) / 1000) * density((k + 0.5) / 1000) / 1000;
      return sum;
    };
  };
  static const auto sqrt_law = mean([](double e) { return 2 * e; });
  static const auto uniform_law = mean([](double) { return 1.0; });
  expect_law(played(game, {}, 8000),
             expected_law(game, [](std::size_t i, std::size_t n) { return sqrt_law(i, n); }));
  expect_law(played(game, {.law = Law::uniform}, 8000),
             expected_law(game, [](std::size_t i, std::size_t n) { return uniform_law(i, n); }));
  EXPECT_NEAR(sqrt_law(0, 30), 2.0 / 3 + 1.0 / 90, 1e-4);
}

using Pairs = std::map<std::uint32_t, Scores>;

Pairs harvest_of(Descent& search) {
  Pairs out;
  search.harvest([&](const Trees::State& state, const Scores& value) {
    EXPECT_TRUE(out.emplace(state.node, value).second) << "position " << state.node << " twice";
  });
  return out;
}

// Plays a match, the naive search making the same iterations and moves.
void play_both(const Trees& game, Descent& search, naive::BestFirst& oracle) {
  oracle.whole = true;
  for (Trees::State state; !game.over(state);) {
    const auto verdict = search.think(state, evaluations(10));
    if (!oracle.table.contains(state.node)) oracle.expand(state.node);
    while (oracle.table.size() < search.tree().tree().size() ||
           oracle.table[state.node].known.r != (verdict.proof != Proof::none)) {
      oracle.iterate(state.node);
      ASSERT_LE(oracle.table.size(), search.tree().tree().size());
    }
    EXPECT_EQ(verdict.value, oracle.table[state.node].known.v);
    search.advance(verdict.best);
    game.play(state, verdict.best);
  }
}

Trees some_tree(int seed) {
  return Trees({.seats = 2 + seed % 3,
                .depth = 6,
                .branching = 3,
                .seed = seed,
                .payoffs = static_cast<Payoffs>(seed % 4),
                .shared = seed % 2 == 0,
                .early = seed % 3 == 0 ? 6 : 0});
}

TEST(descent, HarvestsExpandedAndFinishedPositionsOnce) {
  for (int seed = 0; seed < 500; ++seed) {
    const Trees game = some_tree(seed);
    estimate::Eval<Trees> eval({&game, Points::score, 0});
    Descent search({&game, Points::score, eval, static_cast<std::uint64_t>(seed)}, {});
    naive::BestFirst oracle(game);
    play_both(game, search, oracle);
    Pairs expected;
    for (const auto& [s, entry] : oracle.table) {
      expected[s] = entry.known.v;
      for (const auto& edge : entry.edges)
        if (game.over({edge.to})) expected[edge.to] = game.score({edge.to});
    }
    ASSERT_EQ(harvest_of(search), expected) << seed;
  }
}

TEST(descent, MixesTheEndsOfLinesIntoWhatPositionsTeach) {
  int mixed = 0;
  for (int seed = 0; seed < 500; ++seed) {
    const Trees game = some_tree(seed);
    estimate::Eval<Trees> eval({&game, Points::score, 0});
    Descent search({&game, Points::score, eval, static_cast<std::uint64_t>(seed)}, {.ends = 0.75});
    naive::BestFirst oracle(game);
    play_both(game, search, oracle);
    const Pairs pairs = harvest_of(search);
    for (const auto& [s, entry] : oracle.table) {
      const auto& ends = oracle.ends[s];
      for (int p = 0; p < game.players(); ++p) {
        float expected = entry.known.v[p], mean = 0;
        for (const auto& end : ends) mean += end[p] / static_cast<float>(ends.size());
        if (!entry.known.r && !ends.empty()) expected = 0.25f * expected + 0.75f * mean;
        ASSERT_NEAR(pairs.at(s)[p], expected, 1e-3) << seed << " position " << s;
      }
      mixed += !entry.known.r && !ends.empty() && entry.known.v != ends[0] ? 1 : 0;
    }
  }
  EXPECT_GT(mixed, 500);
}

// Without search only the opening's moves differ from a match that is played by the law e = 1.
TEST(descent, BeginsWithAnyNumberOfRandomMoves) {
  const Trees game({.seats = 3, .depth = 4, .branching = 5, .seed = 5, .scores = 1000, .early = 0});
  const descent::Params best{.law = Law::fixed, .e = 1};
  descent::Params params = best;
  params.opening = 1;  // of each of three seats: none to three
  const auto best_moves = played(game, best, 1);
  const std::vector<int> moves = played(game, params, 8000);
  std::vector<double> law;
  for (const int is_best : best_moves)
    law.push_back((is_best != 0 ? 0.25 : 0) + 0.75 / static_cast<double>(best_moves.size()));
  expect_law(moves, law);
}

// A seat is weak in the whole match or not at all: with two moves of a seat in every match, both
// are the best ones in all matches where it is not weak, and else by chance alone.
TEST(descent, AWeakSeatPlaysAnyMoveAllMatchLong) {
  const Trees game({.seats = 2, .depth = 4, .branching = 5, .seed = 5, .scores = 1000, .early = 0});
  estimate::Eval<Trees> eval({&game, Points::score, 0});
  const Budget none = evaluations(1);
  constexpr int kMatches = 8000;
  constexpr double kWeak = 0.4;
  int both = 0;
  double expected = 0;
  for (std::uint64_t seed = 0; seed < kMatches; ++seed) {
    Descent search({&game, Points::score, eval, seed}, {.law = Law::fixed, .weak = kWeak});
    Descent strong({&game, Points::score, eval, seed}, {.law = Law::fixed});
    Trees::State state{};
    double chance = 1;
    bool best = true;
    for (int ply = 0; ply < 3; ++ply) {
      const auto verdict = search.think(state, none), other = strong.think(state, none);
      if (game.to_move(state) == 0) {
        best = best && verdict.best == other.best;
        chance /= static_cast<double>(verdict.children.size());
      }
      game.play(state, verdict.best);
    }
    both += best ? 1 : 0;
    expected += 1 - kWeak + kWeak * chance;
  }
  EXPECT_NEAR(both, expected, 5 * std::sqrt(kMatches * kWeak * (1 - kWeak)));
}

TEST(descent, ValuesAsManyChildrenAsItsWidth) {
  const Trees game({.seats = 3, .depth = 4, .branching = 6, .seed = 5, .scores = 1000, .early = 0});
  estimate::Eval<Trees> eval({&game, Points::score, 0});
  const auto all = Descent({&game, Points::score, eval, 0}, {}).think({}, evaluations(1)).children;
  const auto count = static_cast<int>(all.size());
  ASSERT_GT(count, 3);
  const int mover = game.to_move({});
  std::vector<int> valued(all.size());
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    Descent search({&game, Points::score, eval, seed}, {.law = Law::fixed, .width = 2});
    const auto verdict = search.think({}, evaluations(1));
    EXPECT_EQ(verdict.cost.evaluations, 2u);
    std::vector<Scores> own, borrowed;  // of those valued, of the others
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool is_own = verdict.children[i].value == all[i].value;
      (is_own ? own : borrowed).push_back(verdict.children[i].value);
      valued[i] += is_own ? 1 : 0;
    }
    ASSERT_EQ(own.size(), 2u);
    if (own[0][mover] > own[1][mover]) std::swap(own[0], own[1]);
    EXPECT_EQ(verdict.value, own[1]);
    for (const Scores& value : borrowed) EXPECT_EQ(value, own[0]);
  }
  for (const int times : valued)
    EXPECT_NEAR(times, 12000.0 / count, 5 * std::sqrt(12000.0 / count));
}

// Values by the position's hash; likes moves the more, the higher their cell.
struct Likes {
  const hex::Rules* game;
  int asked = 0;

  void evaluate(std::span<const hex::Rules::State> states, std::span<Scores> out) const {
    for (std::size_t i = 0; i < states.size(); ++i) out[i] = value(states[i]);
  }
  void evaluate(std::span<const hex::Rules::State> states, std::span<Scores> out,
                MovePriors& priors) {
    evaluate(states, out);
    asked += static_cast<int>(states.size());
    priors = {};
    for (const auto& state : states) {
      MoveList<hex::Rules> moves;
      game->moves(state, moves);
      for (const auto& move : moves) priors.all.push_back(std::exp(0.1f * move.cell));
      priors.ends.push_back(static_cast<std::uint32_t>(priors.all.size()));
    }
  }
  bool knows_moves() const { return true; }
  Scores value(const hex::Rules::State& state) const {
    const float x = static_cast<float>(game->hash(state) % 1000) / 1000 - 0.5f;
    return {{x, -x}};
  }
};

using HexDescent = descent::Search<hex::Rules>;

// Of the root alone: which cells were valued, by what harvest gives.
std::set<int> valued_cells(const descent::Params& params, std::uint64_t seed, bool* all = nullptr) {
  const hex::Rules game({.n = 5});
  Likes likes{&game};
  HexDescent search({&game, Points::gain, likes, seed}, params);
  const auto verdict = search.think(game.start(0), evaluations(1));
  std::set<int> out;
  search.harvest(
      [&](const hex::Rules::State& s, const Scores&, const ValuedMoves<hex::Rules>& valued) {
        EXPECT_TRUE(s == game.start(0));
        for (std::size_t i = 0; i < valued.moves.size(); ++i) {
          auto next = s;
          game.play(next, valued.moves[i]);
          EXPECT_EQ(valued.values[i], likes.value(next)[0]);
          out.insert(valued.moves[i].cell);
        }
        if (all != nullptr) *all = valued.all;
      });
  EXPECT_EQ(verdict.cost.evaluations, out.size() + static_cast<std::size_t>(likes.asked));
  return out;
}

TEST(descent, WidthTakesTheMovesThatThePriorLikes) {
  bool all = true;
  EXPECT_EQ(valued_cells({.noise = 0, .full = 0, .width = 3}, 1, &all),
            (std::set<int>{22, 23, 24}));
  EXPECT_FALSE(all);
  EXPECT_EQ(valued_cells({.noise = 0, .full = 1, .width = 3}, 1, &all).size(), 25u);
  EXPECT_TRUE(all);
  EXPECT_EQ(valued_cells({}, 1, &all).size(), 25u);
  EXPECT_TRUE(all) << "without width there is nothing to choose";
}

// With noise 1 the first choice is drawn by the prior: exp(0.1 cell) of 25 cells.
TEST(descent, NoiseDrawsByThePrior) {
  std::vector<int> counts(25);
  std::vector<double> law(25);
  double sum = 0;
  for (std::size_t i = 0; i < 25; ++i) sum += law[i] = std::exp(0.1 * static_cast<double>(i));
  for (double& x : law) x /= sum;
  for (std::uint64_t seed = 0; seed < 4000; ++seed)
    ++counts[static_cast<std::size_t>(*valued_cells({.full = 0, .width = 1}, seed).begin())];
  expect_law(counts, law);
}

// What was left out is not known: lines go there too before a position is resolved, and what is
// taught stays in points.
TEST(descent, WidthResolvesNothingThatIsNotSo) {
  for (int seed = 0; seed < 40; ++seed) {
    const Trees game({.seats = 2, .depth = 4, .branching = 3, .seed = seed, .scores = 1});
    estimate::Eval<Trees> eval({&game, Points::gain, 0});
    Descent all({&game, Points::gain, eval, 1}, {}),
        some({&game, Points::gain, eval, 1}, {.width = 1});
    const auto truth = all.think({}, evaluations(100'000)),
               found = some.think({}, evaluations(100'000));
    ASSERT_TRUE(truth.proof == Proof::exact && found.proof == Proof::exact);
    EXPECT_EQ(found.value, truth.value) << seed;
    Descent cut({&game, Points::gain, eval, 1}, {.width = 1});
    cut.think({}, evaluations(12));
    cut.harvest([](const Trees::State&, const Scores& value) {
      for (const float x : value.seats) EXPECT_LE(std::abs(x), 1);
    });
  }
}

TEST(descent, HarvestsAllEvenWithLittleMemory) {
  const hex::Rules game({.n = 6});
  estimate::Eval<hex::Rules> eval({&game, Points::depth, 0});
  descent::Search<hex::Rules> search({&game, Points::depth, eval, 3}, {.memory = 1});
  auto state = game.start(0);
  std::set<std::uint64_t> played;
  while (!game.over(state)) {
    played.insert(game.hash(state));
    const auto verdict = search.think(state, evaluations(8000));
    game.play(state, verdict.best);
  }
  std::set<std::uint64_t> seen;
  std::size_t finished = 0;
  search.harvest([&](const hex::Rules::State& s, const Scores& value) {
    EXPECT_TRUE(seen.insert(game.hash(s)).second);
    if (!game.over(s)) return;
    ++finished;
    EXPECT_EQ(value, terminal_points(game, s, Points::depth));
  });
  EXPECT_GT(seen.size(), 1500u);
  EXPECT_GT(seen.size(), search.tree().tree().size());
  EXPECT_GT(finished, 100u);
  for (const auto hash : played) EXPECT_TRUE(seen.contains(hash));
  EXPECT_LE(search.tree().tree().bytes(), 1u << 20);
}

TEST(descent, IsAFunctionOfSeedAndBudget) {
  const hex::Rules game({.n = 5});
  estimate::Eval<hex::Rules> eval({&game, Points::depth, 0});
  std::set<std::uint64_t> ends;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::vector<std::uint64_t> end;
    for (int run = 0; run < 2; ++run) {
      descent::Search<hex::Rules> search({&game, Points::depth, eval, seed}, {.batch = run == 0});
      auto state = game.start(0);
      while (!game.over(state)) game.play(state, search.think(state, evaluations(300)).best);
      end.push_back(game.hash(state));
    }
    EXPECT_EQ(end[0], end[1]);
    ends.insert(end[0]);
  }
  EXPECT_GT(ends.size(), 1u);
}

}  // namespace
}  // namespace polymax::descent_test
