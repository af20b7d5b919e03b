// Monte-Carlo tree search: UCT (Kocsis, Szepesvari 2006) with a reward for every seat (Sturtevant
// 2008). At a position of mover p it follows the move with the largest Q_p/n + c*sqrt(ln N/n),
// untried moves first; each simulation adds one position, values it and adds its reward vector to
// every edge on the way. With an evaluator that plays random games (eval=playouts) this is MCTS:
// the reward is (gain+1)/2 of the final position. With any other it is MCTS_h (Ramanujan, Selman
// 2011): its points, clipped to lo..hi and scaled to 0..1. Chosen: finished positions count as
// evaluations, so that every budget ends; the final move has most visits, then the best mean;
// absent bounds are the extremes over sample matches with random moves, which the budget does not
// pay. Values in the verdict are expected gains for MCTS, points for MCTS_h. With several threads,
// a visit under way counts as one without reward (virtual loss).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/rng.hpp"
#include "core/searcher.hpp"
#include "tree/meter.hpp"
#include "tree/sample_range.hpp"
#include "tree/visit_tree.hpp"

namespace polymax::mcts {

struct Params {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  double c = 0.35355339059327373;  // sqrt(2)/4, the best of the paper
  double lo = -kInfinity, hi = kInfinity;
  bool table = false;
  int memory = 1024, threads = 1;

  static auto fields() {
    return std::tuple{
        field("c", &Params::c, "weight of exploration", 0, 1000),
        field("lo", &Params::lo,
              "points with reward 0, not for playouts; infinite: the network's, or measured",
              -kInfinity, kInfinity),
        field("hi", &Params::hi,
              "points with reward 1, not for playouts; infinite: the network's, or measured",
              -kInfinity, kInfinity),
        field("table", &Params::table, "a position reached by several ways is searched once"),
        field("memory", &Params::memory, "MiB for the tree", 1, 32000),
        field("threads", &Params::threads, "simulations at once", 1, 256)};
  }
};

template <Game G>
class Search {
 public:
  using Params = mcts::Params;
  using State = typename G::State;
  using Move = typename G::Move;

  static constexpr About about{"Monte-Carlo tree search, UCT with reward vectors", 1,
                               "Sturtevant, An Analysis of UCT in Multi-Player Games, 2008"};
  static constexpr std::string_view default_evaluator = "playouts";

  explicit Search(const Task<G>& task, Params params = {})
      : task_(task),
        params_(params),
        tree_(task.game->players(), static_cast<std::size_t>(params.memory) << 20, params.table) {
    if (!(params.lo < params.hi)) throw Error("mcts: lo must be less than hi");
    for (int i = 0; i < params.threads; ++i)
      workers_.emplace_back(i == 0 ? task.seed : mix64(task.seed + static_cast<std::uint64_t>(i)));
  }

  // Throws Error for a budget that would never end: nothing is proved here.
  Verdict<G> think(const State& root, const Budget& budget, const Watcher<G>& watcher = {}) {
    if (budget.evaluations == Budget::kNoLimit && budget.nodes == Budget::kNoLimit &&
        std::isinf(budget.seconds) && !budget.stop.stop_possible())
      throw Error("mcts never solves a position: its budget needs evals=, nodes= or seconds=");
    Meter meter(budget, watcher);
    if (!measured_) measure_bounds(meter);
    settle(root);
    run(meter, watcher);
    return verdict(meter);
  }

  void advance(const Move& move) {
    if (root_ == kNone) return;
    Id next = kNone;
    for (std::uint32_t i = 0; i < tree_.node(root_).tried; ++i)
      if (tree_.move(root_, i) == move) next = tree_.edge(root_, i).child();
    if (next != kNone) ++tree_.node(next).held;
    tree_.let_go(root_);
    root_ = next;
    task_.game->play(root_state_, move);
  }

 private:
  using Tree = VisitTree<Move>;
  using Id = typename Tree::Id;
  static constexpr Id kNone = Tree::kNone;
  static constexpr int kSampleMatches = 16, kTries = 100;

  // What a line of the tree came to: a position that its last edge never led to before, or did
  // before, or the node of which the next move cannot be tried because memory is full.
  enum class Reached { first, again, full };

  struct Step {
    Id node;
    std::uint32_t edge;
  };

  // One thread's simulation.
  struct Worker {
    explicit Worker(std::uint64_t seed) : rng(seed) {}

    Rng rng;
    State state{};  // at the end of the path
    std::vector<Step> path;
    std::vector<Move> line;  // the moves of the path
    Reached reached{};
    Scores reward;
    MoveList<G> moves;
    std::size_t deepest = 0;
    std::exception_ptr error;
  };

  // ---- the tree
  // ----------------------------------------------------------------------------------------------------

  // Makes the position the root; keeps the tree when it is the one that was followed.
  void settle(const State& root) {
    for (auto& worker : workers_) worker.deepest = 0;
    if (root_ != kNone && root_state_ == root) return;
    tree_.clear();
    root_state_ = root;
    auto& moves = workers_[0].moves;
    moves.clear();
    task_.game->moves(root, moves);
    root_ = tree_.add(moves.span(), task_.game->hash(root), task_.game->to_move(root), true);
  }

  void run(Meter& meter, const Watcher<G>& watcher) {
    const auto work = [&](Worker& worker) {
      try {
        while (begin(worker, meter, watcher)) simulate(worker, meter.depth_limit());
      } catch (...) {
        const auto lock = locked();
        failed_ = true;
        worker.error = std::current_exception();
      }
    };
    {
      std::vector<std::jthread> others;
      for (std::size_t i = 1; i < workers_.size(); ++i)
        others.emplace_back(work, std::ref(workers_[i]));
      work(workers_[0]);
    }
    if (failed_) recover();
  }

  // Visits without reward would stay in the tree: forget it, pass the error on.
  void recover() {
    failed_ = false;
    root_ = kNone;
    std::exception_ptr error;
    for (auto& worker : workers_) {
      worker.path.clear();
      if (worker.error) error = std::exchange(worker.error, nullptr);
    }
    std::rethrow_exception(error);
  }

  // Backs the last simulation up, pays for the next and begins it; false when the budget is gone.
  // All under one lock. The first worker also tells the watcher.
  bool begin(Worker& w, Meter& meter, const Watcher<G>& watcher) {
    auto lock = locked();
    for (const auto& step : w.path)
      tree_.edge(step.node, step.edge).add(w.reward, task_.game->players());
    w.deepest = std::max(w.deepest, w.path.size());
    w.path.clear();
    if (&w == workers_.data() && tree_.node(root_).tried > 0 && meter.look_due()) {
      const Verdict<G> now = verdict(meter);
      lock = {};
      watcher.see(now);
      lock = locked();
    }
    if (failed_ || tree_.node(root_).visits == VisitEdge::kMostVisits || meter.spent())
      return false;
    meter.evaluated(1);
    meter.visited(1);
    w.line.clear();
    w.reached = descend(w, root_);
    return true;
  }

  void simulate(Worker& w, int depth_limit) {
    const G& game = *task_.game;
    w.state = root_state_;
    std::size_t played = 0;
    do {
      for (; played < w.line.size(); ++played) game.play(w.state, w.line[played]);
    } while (!game.over(w.state) && static_cast<int>(w.path.size()) < depth_limit && go_on(w));
    w.reward = reward(w);
  }

  // Follows the tree from `node` to a position that the last edge knows no node for. The caller
  // holds the lock.
  Reached descend(Worker& w, Id node) {
    Reached out = Reached::first;
    while (node != kNone) {
      const std::uint32_t i = select(node, tree_.node(node).visits++, w.rng);
      if (i == Tree::kNoEdge) return Reached::full;
      w.path.push_back({node, i});
      w.line.push_back(tree_.move(node, i));
      auto edge = tree_.edge(node, i);
      out = edge.visits() > 0 ? Reached::again : Reached::first;
      edge.visit(task_.game->players());
      node = edge.child();
    }
    return out;
  }

  // `visits` of the node before this one. kNoEdge when there is no memory for the next edge.
  std::uint32_t select(Id id, std::uint32_t visits, Rng& rng) {
    const auto& node = tree_.node(id);
    if (node.tried < node.count) return tree_.try_move(id, rng, id == root_);
    const double weight = params_.c * std::sqrt(std::log(static_cast<double>(visits)));
    std::uint32_t best = 0;
    double highest = -1;
    for (std::uint32_t i = 0; i < node.tried; ++i) {
      const double bound = tree_.edge(id, i).bound(node.seat, weight);
      if (bound > highest) {
        highest = bound;
        best = i;
      }
    }
    return best;
  }

  // Where the worker's position has a node in the table, or gets one because its edge has come here
  // again, the line goes on from there; false when the position is to be valued.
  bool go_on(Worker& w) {
    if (w.reached == Reached::full || (w.reached == Reached::first && !params_.table)) return false;
    w.moves.clear();
    if (w.reached == Reached::again) task_.game->moves(w.state, w.moves);
    const std::uint64_t hash = task_.game->hash(w.state);
    const auto lock = locked();
    auto edge = last(w);
    if (edge.child() == kNone) edge.set_child(node_of(w, hash, edge.visits() - 1));
    if (edge.child() == kNone) return false;
    w.reached = descend(w, edge.child());
    return true;
  }

  // kNone when there is none, or no memory for it.
  Id node_of(const Worker& w, std::uint64_t hash, std::uint32_t visits) {
    Id out = tree_.find(hash);
    if (out != kNone) {
      ++tree_.node(out).held;
    } else if (w.reached == Reached::again) {
      out = tree_.add(w.moves.span(), hash, task_.game->to_move(w.state), false);
      if (out != kNone) tree_.node(out).visits = visits;
    }
    return out;
  }

  VisitEdge last(const Worker& w) const {
    return tree_.edge(w.path.back().node, w.path.back().edge);
  }

  // Held for less than a microsecond: it pays to try for a while before sleeping.
  std::unique_lock<std::mutex> locked() {
    if (workers_.size() == 1) return {};
    for (int i = 0; i < kTries; ++i)
      if (std::unique_lock lock(mutex_, std::try_to_lock); lock) return lock;
    return std::unique_lock(mutex_);
  }

  // ---- rewards
  // -----------------------------------------------------------------------------------------------------

  Scores reward(Worker& w) {
    const bool over = task_.game->over(w.state);
    if (task_.evaluator.samples())
      return scaled(over ? task_.game->gain(w.state) : task_.evaluator.sample(w.state, w.rng));
    return scaled(over ? terminal_points(*task_.game, w.state, task_.points)
                       : task_.evaluator.evaluate(w.state));
  }

  Scores scaled(const Scores& points) const {
    Scores out;
    for (std::size_t p = 0; p < out.seats.size(); ++p)
      out.seats[p] = static_cast<float>(
          std::clamp((static_cast<double>(points.seats[p]) - lo_) / (hi_ - lo_), 0.0, 1.0));
    return out;
  }

  // Given, or what the evaluator knows, or the extremes over sample matches.
  void measure_bounds(const Meter& meter) {
    measured_ = true;
    lo_ = task_.evaluator.samples() ? -1 : params_.lo;
    hi_ = task_.evaluator.samples() ? 1 : params_.hi;
    if (!std::isinf(lo_) && !std::isinf(hi_)) return;
    const auto known = task_.evaluator.bounds();
    const Range range =
        known ? Range{known->lo, known->hi} : sample_range(task_, kSampleMatches, meter);
    if (std::isinf(lo_)) lo_ = range.lo < hi_ ? range.lo : hi_ - 1;
    if (std::isinf(hi_)) hi_ = range.hi > lo_ ? range.hi : lo_ + 1;
  }

  // ---- the verdict
  // -------------------------------------------------------------------------------------------------

  Verdict<G> verdict(const Meter& meter) {
    Verdict<G> out;
    list_children(out);
    for (Id id = root_; id != kNone && tree_.node(id).tried > 0;) {
      const std::uint32_t i = most_visited(id);
      if (id == root_) out.value = value(id, i);
      out.pv.push_back(tree_.move(id, i));
      id = tree_.edge(id, i).child();
    }
    if (out.pv.empty()) out.pv.push_back(tree_.move(root_, 0));
    out.best = out.pv[0];
    out.cost = meter.cost(static_cast<int>(deepest()), tree_.bytes());
    return out;
  }

  std::size_t deepest() const {
    std::size_t out = 0;
    for (const auto& worker : workers_) out = std::max(out, worker.deepest);
    return out;
  }

  void list_children(Verdict<G>& out) {
    auto& moves = workers_[0].moves;
    moves.clear();
    task_.game->moves(root_state_, moves);
    for (const auto& move : moves) {
      State next = root_state_;
      task_.game->play(next, move);
      out.children.push_back({move, {}, 0, task_.game->over(next)});
    }
    for (std::uint32_t i = 0; i < tree_.node(root_).tried; ++i) {
      auto& child =
          *std::ranges::find(out.children, tree_.move(root_, i), &Verdict<G>::Child::move);
      child.visits = tree_.edge(root_, i).visits();
      child.value = value(root_, i);
    }
  }

  std::uint32_t most_visited(Id id) const {
    const auto& node = tree_.node(id);
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < node.tried; ++i) {
      const auto a = tree_.edge(id, i), b = tree_.edge(id, best);
      if (a.visits() > b.visits() ||
          (a.visits() == b.visits() && a.mean(node.seat) > b.mean(node.seat)))
        best = i;
    }
    return best;
  }

  // Of every seat, in points.
  Scores value(Id id, std::uint32_t i) const {
    Scores out;
    for (int p = 0; p < task_.game->players(); ++p)
      out[p] = static_cast<float>(lo_ + (hi_ - lo_) * tree_.edge(id, i).mean(p));
    return out;
  }

  Task<G> task_;
  Params params_;
  double lo_ = 0, hi_ = 1;
  bool measured_ = false;
  Tree tree_;
  Id root_ = kNone;
  State root_state_{};
  std::vector<Worker> workers_;
  std::mutex mutex_;  // of the tree, the meter and failed_; not used with one thread
  bool failed_ = false;
};

}  // namespace polymax::mcts
