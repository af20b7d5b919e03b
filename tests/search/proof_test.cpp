// What searches call proven is so: the gain, or the very points.
#include <gtest/gtest.h>

#include <utility>

#include "catalog/catalog.hpp"
#include "eval/estimate.hpp"
#include "search/descent.hpp"
#include "search/maxn.hpp"
#include "search/paranoid.hpp"
#include "search/unbounded_maxn.hpp"
#include "search/unbounded_minimax.hpp"
#include "tests/search/naive_best_first.hpp"

namespace polymax::proof_test {
namespace {

using tree_game::Payoffs;
using Trees = tree_game::Rules;
using Node = Trees::Node;

struct Counts {
  int gain = 0, exact = 0;
};

Trees tree_of(int seed, Payoffs payoffs) {
  return Trees({.seats = payoffs == Payoffs::zero_sum ? 2 : 3 + seed % 2,
                .depth = 3 + seed % 3,
                .branching = 3,
                .seed = seed,
                .payoffs = payoffs,
                .shared = seed % 7 == 0,
                .scores = 3,
                .early = seed % 3 == 0 ? 0 : 6});
}

template <template <class> class Search>
Verdict<Trees> solve(const Trees& game) {
  estimate::Eval<Trees> eval({&game, Points::score, 0});
  Search<Trees> search({&game, Points::score, eval, 1}, typename Search<Trees>::Params{});
  return search.think({}, {});
}

// Every seat for itself: the gain of an equilibrium of gains, the points of one of points. A better
// gain has more points in these trees.
template <template <class> class Search>
Counts check_every_seat_for_itself() {
  Counts out;
  for (int seed = 0; seed < 3000; ++seed) {
    const Trees game = tree_of(seed, static_cast<Payoffs>(seed % 5));
    const auto verdict = solve<Search>(game);
    EXPECT_FALSE(verdict.coalition);
    const int mover = game.to_move({});
    if (verdict.proof == Proof::gain) {
      ++out.gain;
      const auto gains = naive::Equilibria(game).of(0);
      EXPECT_TRUE(std::ranges::any_of(gains, [&](const auto& gain) {
        return gain[static_cast<std::size_t>(mover)] == static_cast<float>(verdict.proven_gain);
      })) << seed;
    } else {
      ++out.exact;
      EXPECT_EQ(verdict.proof, Proof::exact);
      EXPECT_TRUE(naive::Equilibria(game, &Node::score).contains(0, verdict.value)) << seed;
    }
  }
  return out;
}

TEST(proof, OfMaxnIsAnEquilibrium) {
  const Counts unbounded = check_every_seat_for_itself<unbounded_maxn::Search>();
  EXPECT_GT(unbounded.gain, 100);
  EXPECT_GT(unbounded.exact, 100);
  const Counts descent = check_every_seat_for_itself<descent::Search>();
  EXPECT_GT(descent.gain, 100);
  EXPECT_GT(descent.exact, 100);
  EXPECT_EQ(check_every_seat_for_itself<maxn::Search>().gain, 0);
}

// (gain, score) of one seat against all others together.
std::pair<float, float> gain_and_score(const Trees& game, std::uint32_t s, int view) {
  const auto& node = game.node({s});
  if (node.children.empty()) return {node.gain[view], node.score[view]};
  std::vector<std::pair<float, float>> behind;
  for (const auto child : node.children) behind.push_back(gain_and_score(game, child, view));
  return node.seat == view ? std::ranges::max(behind) : std::ranges::min(behind);
}

template <template <class> class Search>
Counts check_against_all() {
  Counts out;
  for (int seed = 0; seed < 3000; ++seed) {
    const Trees game = tree_of(seed, static_cast<Payoffs>(seed % 5));
    const auto verdict = solve<Search>(game);
    const int mover = game.to_move({});
    const auto truth = gain_and_score(game, 0, mover);
    EXPECT_EQ(verdict.coalition, game.players() > 2);
    if (verdict.proof == Proof::gain) {
      ++out.gain;
      EXPECT_EQ(static_cast<float>(verdict.proven_gain), truth.first) << seed;
    } else {
      ++out.exact;
      EXPECT_EQ(verdict.proof, Proof::exact);
      EXPECT_EQ(verdict.value[mover], truth.second) << seed;
    }
  }
  return out;
}

TEST(proof, OfACoalitionIsTheGameAgainstAll) {
  const Counts unbounded = check_against_all<unbounded_minimax::Search>();
  EXPECT_GT(unbounded.gain, 100);
  EXPECT_GT(unbounded.exact, 100);
  EXPECT_EQ(check_against_all<paranoid::Search>().gain, 0);
}

TEST(proof, IsSaidInWords) {
  AnyVerdict verdict;
  EXPECT_EQ(proof_text(verdict), "");
  verdict.proof = Proof::exact;
  EXPECT_EQ(proof_text(verdict), "value exact");
  verdict.proof = Proof::gain;
  EXPECT_EQ(proof_text(verdict), "draw proven");
  verdict.proven_gain = 1;
  EXPECT_EQ(proof_text(verdict), "win proven");
  verdict.coalition = true;
  EXPECT_EQ(proof_text(verdict), "win proven even if all others play together");
  verdict.proven_gain = -1;
  EXPECT_EQ(proof_text(verdict), "loss proven if all others play together");
}

}  // namespace
}  // namespace polymax::proof_test
