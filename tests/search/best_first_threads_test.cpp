// Several threads on one tree: values stay exact backups, what is resolved is right, and a costly
// evaluator is used by all of them at once.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/error.hpp"
#include "eval/estimate.hpp"
#include "search/unbounded_maxn.hpp"
#include "tests/search/naive_best_first.hpp"

namespace polymax {
namespace {

using tree_game::Payoffs;
using Trees = tree_game::Rules;
using Maxn = unbounded_maxn::Search<Trees>;

// The estimate, after a pause for every call.
class Slow {
 public:
  Slow(const Trees& game, std::chrono::microseconds pause)
      : eval_({&game, Points::gain, 0}), pause_(pause) {}

  void evaluate(std::span<const Trees::State> states, std::span<Scores> out) {
    if (pause_.count() > 0) std::this_thread::sleep_for(pause_);
    if (++calls_ == fail_at) throw Error("no more");
    eval_.evaluate(states, out);
  }
  std::string label() const { return "slow"; }

  int fail_at = -1;

 private:
  estimate::Eval<Trees> eval_;
  std::chrono::microseconds pause_;
  std::atomic<int> calls_ = 0;
};

Trees game_of(int seed, int depth, bool shared) {
  return Trees({.seats = 3,
                .depth = depth,
                .branching = 4,
                .seed = seed,
                .payoffs = Payoffs::joint_wins,
                .shared = shared,
                .early = seed % 2 == 0 ? 6 : 0});
}

// c, v, r of every node are what its edges say; nothing is left pending.
void expect_consistent(const BestFirst<Trees>& search) {
  const auto& tree = search.tree();
  for (NodeIndex i = 0; i < tree.end(); ++i) {
    if (!tree.alive(i)) continue;
    const Edges edges = tree.edges(i);
    const AimedEdges aimed(edges, {tree[i].seat, true});
    const auto best = aimed.best_action();
    ASSERT_EQ(tree[i].value, edges.value(best));
    ASSERT_EQ(tree[i].bits & bits::kCompletion, edges.bits[best] & bits::kCompletion);
    ASSERT_EQ((tree[i].bits & bits::kResolved) != 0, aimed.resolves(best, false));
    for (std::size_t e = 0; e < edges.count; ++e) ASSERT_FALSE(edges.bits[e] & bits::kPending);
  }
}

void expect_right(const Trees& game, const BestFirst<Trees>& search) {
  naive::Equilibria exact(game);
  for (std::uint32_t s = 0; s < game.nodes().size(); ++s) {
    const NodeIndex i = search.tree().find(mix64(s));
    if (i == kNoNode || !(search.tree()[i].bits & bits::kResolved)) continue;
    ASSERT_TRUE(exact.contains(s, search.tree()[i].value));
  }
}

TEST(threads, SolveRightly) {
  for (int seed = 0; seed < 60; ++seed) {
    const auto game = game_of(seed, 6, seed % 3 == 0);
    Slow eval(game, std::chrono::microseconds(0));
    for (const int threads : {2, 4}) {
      Maxn search({&game, Points::gain, eval, 0}, {.threads = threads});
      EXPECT_EQ(search.think({}, {}).proof, Proof::exact);
      expect_consistent(search.tree());
      expect_right(game, search.tree());
    }
  }
}

// On a tree every selection has expanded one position, whoever did it.
TEST(threads, CountEverySelection) {
  for (int seed = 0; seed < 20; ++seed) {
    const auto game = game_of(seed, 8, false);
    Slow eval(game, std::chrono::microseconds(20));
    Maxn search({&game, Points::gain, eval, 0}, {.threads = 3});
    Budget budget;
    budget.evaluations = 200;
    const auto verdict = search.think({}, budget);
    std::uint64_t visits = 1;
    for (const auto& child : verdict.children) visits += child.visits;
    EXPECT_EQ(visits, search.tree().tree().size());
    expect_consistent(search.tree());
  }
}

TEST(threads, ShareOneMemoryLimit) {
  int cramped = 0;
  for (int seed = 0; seed < 40; ++seed) {
    const auto game = game_of(2 * seed + 1, 9, seed % 2 == 0);
    Slow eval(game, std::chrono::microseconds(0));
    int forgotten = 0;
    Forgetful<Trees> tree({&game, Points::gain, eval, 0}, {.memory = 16 << 10},
                          [&] { ++forgotten; });
    Meter meter(Budget{});
    tree.start({}, meter);
    tree.run(meter, {.threads = 3, .lines = 1500});
    cramped += forgotten > 0 ? 1 : 0;
    expect_consistent(tree);
    expect_right(game, tree);
  }
  EXPECT_GT(cramped, 3);
}

// The pauses need no processor, so that this holds on a busy machine too; still the best of some
// attempts counts.
TEST(threads, UseACostlyEvaluatorTogether) {
  const Trees game({.seats = 3, .depth = 6, .branching = 12, .seed = 7, .early = 0});
  const auto rate = [&](int threads) {
    Slow eval(game, std::chrono::microseconds(2000));
    Maxn search({&game, Points::gain, eval, 0}, {.threads = threads});
    Budget budget;
    budget.evaluations = 400;
    const auto verdict = search.think({}, budget);
    return static_cast<double>(verdict.cost.evaluations) / verdict.cost.seconds;
  };
  double best = 0;
  for (int attempt = 0; attempt < 5 && best <= 1.7; ++attempt)
    best = std::max(best, rate(2) / rate(1));
  EXPECT_GT(best, 1.7);
}

TEST(threads, PassOnAFailureOfTheEvaluator) {
  for (const int threads : {1, 3}) {
    const auto game = game_of(7, 8, false);
    Slow eval(game, std::chrono::microseconds(10));
    eval.fail_at = 30;
    Maxn search({&game, Points::gain, eval, 0}, {.threads = threads});
    EXPECT_THROW(search.think({}, {}), Error);
    expect_consistent(search.tree());
    EXPECT_EQ(search.think({}, {}).proof, Proof::exact);
  }
}

TEST(threads, StopTogether) {
  const auto game = game_of(7, 9, false);
  Slow eval(game, std::chrono::microseconds(500));
  Maxn search({&game, Points::gain, eval, 0}, {.threads = 4});
  Budget budget;
  std::stop_source source;
  budget.stop = source.get_token();
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    source.request_stop();
  });
  EXPECT_LT(search.think({}, budget).cost.seconds, 1);
}

}  // namespace
}  // namespace polymax
