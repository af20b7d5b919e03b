// Unbounded Max^n and Unbounded Minimax as players: what they solve is right, and they are what
// their settings say.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "catalog/catalog.hpp"
#include "eval/estimate.hpp"
#include "games/hex.hpp"
#include "search/unbounded_maxn.hpp"
#include "search/unbounded_minimax.hpp"
#include "tests/long_tests.hpp"
#include "tests/search/naive_best_first.hpp"
#include "tests/search/verdicts.hpp"

namespace polymax::unbounded_test {
namespace {

using tree_game::Payoffs;
using Trees = tree_game::Rules;
using Maxn = unbounded_maxn::Search<Trees>;
using Minimax = unbounded_minimax::Search<Trees>;

// Solves a tree; whether its value is that of an equilibrium.
bool solves_rightly(const tree_game::Options& options, const BestFirstParams& params) {
  const Trees game(options);
  estimate::Eval<Trees> eval({&game, Points::gain, 0});
  Maxn search({&game, Points::gain, eval, 0}, params);
  const auto verdict = search.think({}, {});
  EXPECT_TRUE(search.tree().solved());
  EXPECT_EQ(verdict.proof, params.literal ? Proof::none : Proof::exact);
  naive::Equilibria exact(game);
  for (const auto& child : verdict.children)
    if (child.resolved && !exact.contains(child.move.to, child.value)) return false;
  return exact.contains(0, verdict.value);
}

tree_game::Options tree_of(int seed, Payoffs payoffs) {
  return {.seats = 3 + seed % 2,
          .depth = 3 + seed % 3,
          .branching = 3,
          .seed = seed,
          .payoffs = payoffs,
          .turns_in_order = seed % 5 == 0,
          .shared = seed % 7 == 0,
          .early = seed % 3 == 0 ? 0 : 6};
}

TEST(unbounded_maxn, SolvesToAnEquilibrium) {
  int wrong = 0;
  const int trees = long_tests() ? 100000 : 10000;
  for (int seed = 0; seed < trees; ++seed) {
    const auto payoffs = seed % 3 == 0 ? Payoffs::partial_ties : Payoffs::joint_wins;
    const BestFirstParams params{.decision = seed % 2 == 0 ? Decision::safe : Decision::best,
                                 .refresh = seed % 4 < 2};
    wrong += solves_rightly(tree_of(seed, payoffs), params) ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0);
}

constexpr int kWrong = 33284;  // five positions

// The published rule taken over to vectors calls this tree resolved with a value that no
// equilibrium has.
TEST(unbounded_maxn, TheLiteralRuleIsWrongWithPartialTies) {
  EXPECT_FALSE(solves_rightly(tree_of(kWrong, Payoffs::joint_wins), {.literal = true}));
  EXPECT_TRUE(solves_rightly(tree_of(kWrong, Payoffs::joint_wins), {}));
}

TEST(unbounded_maxn, TheLiteralRuleIsRightWithOneWinnerOrDraws) {
  for (int seed = 0; seed < 5000; ++seed)
    for (const auto payoffs : {Payoffs::one_winner, Payoffs::common_draw})
      ASSERT_TRUE(solves_rightly(tree_of(seed, payoffs), {.literal = true}));
}

// Safe and best decision by their definition, from the children that the verdict lists.
TEST(unbounded_maxn, DecidesByTheTuples) {
  int solved = 0;
  for (int seed = 0; seed < 3000; ++seed) {
    const Trees game(tree_of(seed, static_cast<Payoffs>(seed % 4)));
    estimate::Eval<Trees> eval({&game, Points::score, 0});
    for (const auto decision : {Decision::safe, Decision::best}) {
      naive::BestFirst oracle(game);
      Maxn search({&game, Points::score, eval, 0}, {.decision = decision});
      const auto verdict = search.think({}, evaluations(15));
      while (oracle.table.size() < search.tree().tree().size() ||
             !oracle.table[0].known.r == search.tree().solved())
        oracle.iterate(0);
      const auto safe = search.tree().solved() ? oracle.proven_action(0) : oracle.safe_action(0);
      const auto chosen = decision == Decision::safe ? safe : oracle.best_action(0);
      solved += search.tree().solved() ? 1 : 0;
      EXPECT_EQ(verdict.best.to, oracle.table[0].edges[chosen].to);
      EXPECT_EQ(verdict.value, oracle.table[0].edges[chosen].known.v);
    }
  }
  EXPECT_GT(solved, 1000);
}

// Where all moves are resolved the safe decision takes what is worth most: no visit is worth a
// fish.
TEST(unbounded_maxn, SafeTakesTheMostOfWhatIsProven) {
  const auto game = catalog::open_game("fish(players=2)");
  int resolved = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto match = game->start(seed);
    Rng rng(seed);
    const auto safe = game->player(Spec::parse("unbounded_maxn(decision=safe)"), seed),
               best = game->player(Spec::parse("unbounded_maxn(decision=best)"), seed);
    while (!match->over()) {
      const auto legal = match->legal();
      if (match->history().size() < 34) {
        match->play(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
        continue;
      }
      const int seat = match->to_move();
      const auto a = safe->think(*match, evaluations(3000)),
                 b = best->think(*match, evaluations(3000));
      if (std::ranges::all_of(b.children, &AnyVerdict::Child::resolved)) {
        resolved += legal.size() > 1 ? 1 : 0;
        EXPECT_EQ(a.value[seat], b.value[seat]) << a.best << " instead of " << b.best;
        EXPECT_EQ(a.proof, b.proof);
      }
      match->play(a.best);
    }
  }
  EXPECT_GT(resolved, 50);
}

// Plays to the end, both searches at every move.
void compare_players(const Trees& game, std::uint64_t budget, const BestFirstParams& params) {
  estimate::Eval<Trees> eval({&game, Points::score, 0});
  const Task<Trees> task{&game, Points::score, eval, 0};
  std::vector<std::unique_ptr<Maxn>> maxn;
  std::vector<std::unique_ptr<Minimax>> minimax;
  for (int p = 0; p < 2; ++p) {
    maxn.push_back(std::make_unique<Maxn>(task, params));
    minimax.push_back(std::make_unique<Minimax>(task, params));
  }
  for (Trees::State state; !game.over(state);) {
    const auto seat = static_cast<std::size_t>(game.to_move(state));
    const auto a = maxn[seat]->think(state, evaluations(budget)),
               b = minimax[seat]->think(state, evaluations(budget));
    ASSERT_TRUE(same(a, b));
    game.play(state, a.best);
  }
}

TEST(unbounded_minimax, PlaysLikeMaxnWithTwoZeroSumSeats) {
  for (int seed = 0; seed < 2000; ++seed) {
    const Trees game({.seats = 2,
                      .depth = 3 + seed % 6,
                      .branching = 4,
                      .seed = seed,
                      .payoffs = Payoffs::zero_sum,
                      .shared = seed % 2 == 0,
                      .early = seed % 3 == 0 ? 6 : 0});
    const BestFirstParams params{.decision = seed % 5 < 3 ? Decision::safe : Decision::best,
                                 .refresh = seed % 3 < 2};
    compare_players(game, 5 + static_cast<std::uint64_t>(seed) % 60, params);
  }
}

TEST(unbounded_minimax, SolvesTheGameAgainstACoalition) {
  for (int seed = 0; seed < 5000; ++seed) {
    const Trees game(tree_of(seed, static_cast<Payoffs>(seed % 4)));
    estimate::Eval<Trees> eval({&game, Points::gain, 0});
    Minimax search({&game, Points::gain, eval, 0}, {.literal = seed % 2 == 0});
    const auto verdict = search.think({}, {});
    ASSERT_EQ(verdict.proof, Proof::exact);
    const int view = game.to_move({});
    ASSERT_EQ(verdict.value[view], against_all(game, 0, view));
  }
}

TEST(unbounded_minimax, ThinksForAnySeatInTurn) {
  for (int seed = 0; seed < 500; ++seed) {
    const Trees game(tree_of(seed, Payoffs::joint_wins));
    estimate::Eval<Trees> eval({&game, Points::gain, 0});
    Minimax search({&game, Points::gain, eval, 0}, {});
    for (Trees::State state; !game.over(state);) {
      const auto verdict = search.think(state, {});
      ASSERT_EQ(verdict.value[game.to_move(state)],
                against_all(game, state.node, game.to_move(state)));
      search.advance(verdict.best);
      game.play(state, verdict.best);
    }
  }
}

// Every field of the verdict against the position.
TEST(unbounded_maxn, FillsTheVerdict) {
  const hex::Rules game({.n = 5});
  estimate::Eval<hex::Rules> eval({&game, Points::depth, 0});
  unbounded_maxn::Search<hex::Rules> search({&game, Points::depth, eval, 0}, {});
  const auto root = game.start(0);
  const auto verdict = search.think(root, evaluations(2000));
  MoveList<hex::Rules> moves;
  game.moves(root, moves);
  ASSERT_EQ(verdict.children.size(), moves.size());
  std::uint64_t visits = 0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    EXPECT_EQ(verdict.children[i].move, moves[i]);
    visits += verdict.children[i].visits;
    EXPECT_TRUE(verdict.children[i].move != verdict.best ||
                verdict.children[i].value == verdict.value);
  }
  EXPECT_EQ(visits + 1, search.tree().tree().size());
  EXPECT_GE(verdict.cost.evaluations, 2000u);
  EXPECT_LE(verdict.cost.evaluations, 2024u);
  EXPECT_GE(verdict.cost.nodes, verdict.cost.evaluations);
  EXPECT_GE(verdict.cost.bytes, search.tree().tree().size() * 20 * 22);
  EXPECT_EQ(verdict.pv.front(), verdict.best);
  EXPECT_LE(verdict.pv.size(), static_cast<std::size_t>(verdict.cost.depth));
  EXPECT_GE(verdict.cost.depth, 3);
  auto state = root;
  for (const auto& move : verdict.pv) {
    moves.clear();
    game.moves(state, moves);
    ASSERT_NE(std::ranges::find(moves, move), moves.end());
    game.play(state, move);
  }
}

TEST(unbounded_maxn, IsAFunctionOfPositionSettingsAndBudget) {
  const hex::Rules game({.n = 6});
  estimate::Eval<hex::Rules> eval({&game, Points::depth, 0});
  const Task<hex::Rules> task{&game, Points::depth, eval, 7};
  for (const bool batch : {true, false}) {
    unbounded_maxn::Search<hex::Rules> a(task, {}), b(task, {.batch = batch});
    auto state = game.start(0);
    for (int move = 0; move < 5; ++move) {
      const auto first = a.think(state, evaluations(1500)),
                 second = b.think(state, evaluations(1500));
      ASSERT_TRUE(same(first, second));
      game.play(state, first.best);
    }
  }
}

TEST(unbounded_maxn, StopsAtEveryLimit) {
  const hex::Rules game({.n = 7});
  estimate::Eval<hex::Rules> eval({&game, Points::depth, 0});
  const auto think = [&](const Budget& budget) {
    unbounded_maxn::Search<hex::Rules> search({&game, Points::depth, eval, 0}, {});
    return search.think(game.start(0), budget);
  };
  Budget nodes, depth, seconds;
  nodes.nodes = 500;
  EXPECT_LE(think(nodes).cost.nodes, 548u);
  depth.depth = 3;
  EXPECT_EQ(think(depth).cost.depth, 3);
  depth.depth = 1;
  EXPECT_EQ(think(depth).cost.depth, 1);
  seconds.seconds = 0.05;
  EXPECT_GE(think(seconds).cost.seconds, 0.05);
}

TEST(unbounded_maxn, StopsWhenAsked) {
  const hex::Rules game({.n = 7});
  estimate::Eval<hex::Rules> estimates({&game, Points::depth, 0});
  for (const int at : {1, 2, 100}) {
    Stopping eval(estimates, at);
    unbounded_maxn::Search<hex::Rules> search({&game, Points::depth, eval, 0}, {});
    EXPECT_EQ(search.think(game.start(0), eval.budget()).children.size(), 49u);
    EXPECT_TRUE(eval.asked());
    EXPECT_EQ(eval.calls_after(), 0);
  }
}

TEST(unbounded_maxn, GoesOnWithOneMebibyte) {
  const hex::Rules game({.n = 7});
  estimate::Eval<hex::Rules> eval({&game, Points::depth, 0});
  unbounded_maxn::Search<hex::Rules> search({&game, Points::depth, eval, 0}, {.memory = 1});
  auto state = game.start(0);
  while (!game.over(state)) {
    const auto verdict = search.think(state, evaluations(30000));
    EXPECT_LE(verdict.cost.bytes, 1u << 20);
    EXPECT_TRUE(verdict.proof != Proof::none || verdict.cost.evaluations >= 30000);
    game.play(state, verdict.best);
  }
  EXPECT_EQ(game.gain(state)[0], 1);  // the first player wins, and this search finds it
}

// Max^n equilibria of a whole game through the catalog.
class GameEquilibria {
 public:
  using Vectors = std::set<std::array<float, kMaxPlayers>>;

  const Vectors& of(const AnyMatch& match) {
    const auto known = known_.find(match.hash());
    if (known != known_.end()) return known->second;
    if (match.over()) return known_[match.hash()] = {match.gain().seats};
    std::vector<Vectors> behind;
    for (const auto& move : match.legal()) {
      const auto next = match.clone();
      next->play(move);
      behind.push_back(of(*next));
    }
    const auto p = static_cast<std::size_t>(match.to_move());
    float needed = -2;  // the mover gets at least the best of the worst
    for (const auto& set : behind) {
      float worst = 2;
      for (const auto& vector : set) worst = std::min(worst, vector[p]);
      needed = std::max(needed, worst);
    }
    Vectors& out = known_[match.hash()];
    for (const auto& set : behind)
      for (const auto& vector : set)
        if (vector[p] >= needed) out.insert(vector);
    return out;
  }

 private:
  std::map<std::uint64_t, Vectors> known_;
};

class Solves : public testing::TestWithParam<std::string> {};

TEST_P(Solves, ToAnEquilibrium) {
  const Spec spec = Spec::parse(GetParam());
  const auto game = catalog::open_game(spec);
  const auto match = game->start(1);
  GameEquilibria exact;
  for (const char* player :
       {"unbounded_maxn", "unbounded_maxn(decision=best,refresh=off)", "unbounded_minimax"}) {
    const auto verdict =
        game->player(Spec::parse(player), 1)->think(*match, catalog::parse_budget("solved"));
    EXPECT_EQ(verdict.proof, Proof::exact);
    const bool coalition = game->players() > 2 && player == std::string_view("unbounded_minimax");
    EXPECT_TRUE(coalition || exact.of(*match).contains(verdict.value.seats)) << player;
  }
}

INSTANTIATE_TEST_SUITE_P(small_games, Solves,
                         testing::Values("tictactoe", "hex(n=3,points=gain)",
                                         "hex(n=2,points=gain)", "hex3(side=2,points=gain)",
                                         "threehex(side=2,points=gain)"),
                         [](const auto& tested) {
                           std::string out = tested.param;
                           std::erase_if(out, [](char c) {
                             return !std::isalnum(static_cast<unsigned char>(c));
                           });
                           return out;
                         });

TEST(unbounded_maxn, KnowsTicTacToeAndHex) {
  const auto value = [](const char* spec) {
    const auto game = catalog::open_game(spec);
    const auto player = game->player(Spec::parse("unbounded_maxn"), 1);
    return player->think(*game->start(1), catalog::parse_budget("solved")).value;
  };
  EXPECT_EQ(value("tictactoe"), Scores{});
  EXPECT_EQ(value("hex(n=3,points=gain)"), (Scores{{1, -1}}));
  EXPECT_EQ(value("hex(n=4,points=gain)"), (Scores{{1, -1}}));
}

}  // namespace
}  // namespace polymax::unbounded_test
