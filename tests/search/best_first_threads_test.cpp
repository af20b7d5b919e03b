// Several threads on one tree: values stay exact backups, what is resolved is right, and a costly
// evaluator is used by all of them at once.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/error.hpp"
#include "eval/estimate.hpp"
#include "search/unbounded_maxn.hpp"
#include "tests/search/naive_best_first.hpp"
#include "tests/search/verdicts.hpp"

namespace polymax::best_first_threads_test {
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

// Nine lines at least are needed to solve it; one thread needs some two thousand.
Trees large_game() {
  return Trees({.seats = 4,
                .depth = 9,
                .branching = 6,
                .seed = 30,
                .payoffs = Payoffs::joint_wins,
                .early = 0});
}

// c, v, r of every node are what its edges say; nothing is left pending.
void expect_consistent(const BestFirst<Trees>& search) {
  const auto& tree = search.tree();
  for (NodeIndex i = 0; i < tree.end(); ++i) {
    if (!tree.alive(i)) continue;
    const Edges edges = tree.edges(i);
    const AimedEdges aimed(edges, {tree[i].seat});
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

std::uint64_t root_visits(const BestFirst<Trees>& search) {
  std::uint64_t out = 0;
  const Edges edges = search.tree().edges(search.root());
  for (std::size_t e = 0; e < edges.count; ++e) out += edges.visits[e];
  return out;
}

// On a tree every selection has expanded one position, whoever did it.
TEST(threads, CountEverySelection) {
  for (int seed = 0; seed < 20; ++seed) {
    const auto game = game_of(seed, 8, false);
    Slow eval(game, std::chrono::microseconds(20));
    Maxn search({&game, Points::gain, eval, 0}, {.threads = 3});
    search.think({}, evaluations(200));
    EXPECT_EQ(root_visits(search.tree()) + 1, search.tree().tree().size());
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

// The estimate; a call, after the first, waits for another to be under way with it, until there
// have been so many meetings.
class Meeting {
 public:
  static constexpr int kMeetings = 4;  // before the game can be solved

  explicit Meeting(const Trees& game) : eval_({&game, Points::gain, 0}) {}

  void evaluate(std::span<const Trees::State> states, std::span<Scores> out) {
    meet();
    eval_.evaluate(states, out);
  }
  int meetings() const { return meetings_; }

 private:
  void meet() {
    std::unique_lock lock(mutex_);
    if (is_first_) {  // the root is expanded by one thread
      is_first_ = false;
      return;
    }
    if (gave_up_ || meetings_ == kMeetings) return;
    if (waiting_) {
      waiting_ = false;
      ++meetings_;
      met_.notify_all();
      return;
    }
    waiting_ = true;
    const int before = meetings_;
    gave_up_ = !met_.wait_for(lock, std::chrono::minutes(1), [&] { return meetings_ > before; });
  }

  estimate::Eval<Trees> eval_;
  std::mutex mutex_;
  std::condition_variable met_;
  bool is_first_ = true, waiting_ = false, gave_up_ = false;
  int meetings_ = 0;
};

TEST(threads, UseACostlyEvaluatorTogether) {
  const auto game = large_game();
  Meeting eval(game);
  Maxn search({&game, Points::gain, eval, 0}, {.threads = 2});
  search.think({}, evaluations(1000));
  EXPECT_EQ(eval.meetings(), Meeting::kMeetings);
}

// However many threads: no line more than asked for.
TEST(threads, MakeAsManyLinesAsAsked) {
  const auto game = large_game();
  for (const int threads : {1, 2, 3, 8}) {
    Slow eval(game, std::chrono::microseconds(50));
    BestFirst<Trees> tree({&game, Points::gain, eval, 0}, {});
    Meter meter(Budget{});
    tree.start({}, meter);
    std::uint64_t expected = 0;
    for (const std::uint64_t lines : {1, 2, 50}) {
      tree.run(meter, {.threads = threads, .lines = lines});
      expected += lines;
      const std::uint64_t made = root_visits(tree);
      ASSERT_LE(made, expected) << threads << " threads";
      ASSERT_TRUE(made == expected || tree.solved()) << threads << " threads";
      expect_consistent(tree);
    }
  }
}

// What failed is no visit.
TEST(threads, PassOnAFailureOfTheEvaluator) {
  for (const int threads : {1, 3}) {
    const auto game = game_of(7, 8, false);
    Slow eval(game, std::chrono::microseconds(10));
    eval.fail_at = 30;
    Maxn search({&game, Points::gain, eval, 0}, {.threads = threads});
    EXPECT_THROW(search.think({}, {}), Error);
    EXPECT_EQ(root_visits(search.tree()) + 1, search.tree().tree().size());
    expect_consistent(search.tree());
    EXPECT_EQ(search.think({}, {}).proof, Proof::exact);
  }
}

// A root that was valued in part before is completed, whoever comes first.
TEST(threads, CompleteARootThatWasCutShort) {
  const Trees game({.seats = 3, .depth = 2, .branching = 40, .seed = 5, .early = 0});
  ASSERT_GT(game.node({}).children.size(), 20u);
  for (const int threads : {1, 2, 4}) {
    Slow slow(game, std::chrono::microseconds(0));
    Stopping eval(slow, 1);
    Maxn search({&game, Points::gain, eval, 0}, {.threads = threads});
    const auto part = search.think({}, eval.budget());
    EXPECT_TRUE(std::ranges::any_of(part.children, [](const auto& c) { return c.bound; }));
    expect_consistent(search.tree());
    EXPECT_EQ(search.think({}, {}).proof, Proof::exact);
    expect_consistent(search.tree());
  }
}

// Each of the other threads has at most begun one line more.
TEST(threads, StopTogether) {
  const auto game = large_game();
  for (const int threads : {1, 2, 4}) {
    Slow slow(game, std::chrono::microseconds(500));
    Stopping eval(slow, 8);  // before it can be solved
    Maxn search({&game, Points::gain, eval, 0}, {.threads = threads});
    EXPECT_EQ(search.think({}, eval.budget()).proof, Proof::none);
    EXPECT_TRUE(eval.asked());
    EXPECT_LE(eval.calls_after(), threads - 1);
    expect_consistent(search.tree());
  }
}

}  // namespace
}  // namespace polymax::best_first_threads_test
