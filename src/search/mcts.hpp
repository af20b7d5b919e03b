// Monte-Carlo tree search: UCT (Kocsis, Szepesvari 2006) with a reward for every seat (Sturtevant
// 2008). Each simulation adds one position, values it and adds its rewards to every edge on the
// way.
//   select=uct   the move with the largest Q_p/n + c*sqrt(ln N/n) of mover p, untried moves first
//   select=puct  one call a simulation gives the points of every seat and the prior of the moves,
//                which PUCT follows (tree/puct.hpp): AlphaZero (Silver et al. 2018), any number of
//                seats
//   rewards      with an evaluator that plays random games (eval=playouts) (gain+1)/2 of the final
//                position; with any other its points, clipped to lo..hi and scaled to 0..1: MCTS_h
//                (Ramanujan, Selman 2011). The verdict's values are gains there, points here
//   completion   tree/visit_proof.hpp
//   batch        the moves of a position are tried in an order drawn when it becomes a node, and so
//                many are valued by one call (tree/values_ahead.hpp): the same search for every
//                batch above 1, one of the same law as with 1
//   threads      a visit under way counts as one without reward (virtual loss)
// Chosen: finished positions count as evaluations, so that every budget ends; the final move has
// most visits, then the best mean.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/rng.hpp"
#include "core/searcher.hpp"
#include "core/thread.hpp"
#include "tree/agree.hpp"
#include "tree/boxable.hpp"
#include "tree/mcts_params.hpp"
#include "tree/meter.hpp"
#include "tree/puct.hpp"
#include "tree/reward_scale.hpp"
#include "tree/values_ahead.hpp"
#include "tree/visit_proof.hpp"
#include "tree/visit_tree.hpp"

namespace polymax::mcts {

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
        puct_{params.c_puct, params.fpu, params.range},
        tree_(task.game->players(), static_cast<std::size_t>(params.memory) << 20,
              {.table = params.table, .priors = by_prior(), .proofs = params.completion},
              move_bytes(*task.game)),
        ahead_(*task.game, params.batch) {
    if (!(params.lo < params.hi)) throw Error("mcts: lo must be less than hi");
    if (by_prior()) task.evaluator.demand_moves("mcts: select=puct");
    if (ahead_.on() && (by_prior() || task.evaluator.samples()))
      throw Error("mcts: batch= is for select=uct and an evaluator that plays no random games");
    for (int i = 0; i < params.threads; ++i)
      workers_.emplace_back(i == 0 ? task.seed : mix64(task.seed + static_cast<std::uint64_t>(i)));
  }

  // Throws Error for a budget that may never end: without completion nothing is proven, and with it
  // the tree may be larger than the memory.
  Verdict<G> think(const State& root, const Budget& budget, const Watcher<G>& watcher = {}) {
    if (budget.evaluations == Budget::kNoLimit && budget.nodes == Budget::kNoLimit &&
        std::isinf(budget.seconds) && !budget.stop.stop_possible())
      throw Error("mcts may never solve a position: its budget needs evals=, nodes= or seconds=");
    Meter meter(budget, watcher);
    if (!scale_.known()) scale_.find(task_, {params_.lo, params_.hi}, meter);
    settle(root, meter);
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
  static constexpr int kTries = 100;

  // What a line of the tree came to: a position that its last edge never led to before, or did
  // before, or one that is proven, or the node of which the next move cannot be tried because
  // memory is full.
  enum class Reached { first, again, proven, full };

  struct Step {
    Id node;
    std::uint32_t edge;
  };

  // One thread's simulation.
  struct Worker {
    explicit Worker(std::uint64_t seed) : rng(seed) {}

    Rng rng;
    State state{};   // at the end of the path
    State parent{};  // the one before; only with batch
    std::vector<Step> path;
    std::vector<Move> line;  // the moves of the path
    std::vector<Move> next;  // in the order in which they are tried; only with batch
    Reached reached{};
    Scores reward;
    VisitProof known;  // of the path's end
    MoveList<G> moves;
    bool fresh = false;  // the path's end is to become a node, with the moves below
    PriorOrder<Move> order;
    MovePriors priors;
    std::size_t deepest = 0;
    std::exception_ptr error;
  };

  bool by_prior() const { return params_.select == Select::puct; }

  // The root's moves are all tried, however little memory there is.
  Limit limit_at(Id node) const { return node == root_ ? Limit::soft : Limit::hard; }

  // Makes the position the root; keeps the tree when it is the one that was followed. With PUCT a
  // new root costs one evaluation.
  void settle(const State& root, Meter& meter) {
    for (auto& worker : workers_) worker.deepest = 0;
    puct_.forget();
    root_proof_ = {};
    if (root_ != kNone && same_state(*task_.game, root_state_, root)) {
      for (std::uint32_t i = 0; by_prior() && i < tree_.node(root_).tried; ++i)
        puct_.see(mean(root_, i), task_.game->players());
      if (params_.completion) root_proof_ = proof_of(tree_, root_, task_.game->players());
      return;
    }
    tree_.clear();
    root_ = kNone;
    root_state_ = root;
    Worker& w = workers_[0];
    if (by_prior()) {
      w.state = root;
      puct_.see(scale_.reward(value_with_priors(w)), task_.game->players());
      meter.evaluated(1);
      meter.visited(1);
      root_ = add_valued(w, Limit::soft);
      return;
    }
    w.moves.clear();
    task_.game->moves(root, w.moves);
    root_ = tree_.add(in_order(w), task_.game->hash(root), task_.game->to_move(root), Limit::soft);
  }

  // The position that the worker has just valued, with its moves by prior; its own valuation is
  // its first visit.
  Id add_valued(Worker& w, Limit limit) {
    w.fresh = false;
    const Id out = tree_.add(w.order.moves, task_.game->hash(w.state), task_.game->to_move(w.state),
                             limit, w.order.priors);
    if (out != kNone) tree_.node(out).visits = 1;
    return out;
  }

  void run(Meter& meter, const Watcher<G>& watcher) {
    run_together(workers_.size(), [&](std::size_t i) {
      Worker& worker = workers_[i];
      try {
        while (begin(worker, meter, watcher)) simulate(worker, meter.depth_limit());
      } catch (...) {
        const auto lock = locked();
        failed_ = true;
        worker.error = std::current_exception();
      }
    });
    if (failed_) recover();
  }

  // Visits without reward would stay in the tree: forget it, pass the error on.
  void recover() {
    failed_ = false;
    root_ = kNone;
    std::exception_ptr error;
    for (auto& worker : workers_) {
      worker.path.clear();
      worker.fresh = false;
      if (worker.error) error = std::exchange(worker.error, nullptr);
    }
    std::rethrow_exception(error);
  }

  // Backs the last simulation up, pays for the next and begins it; false when the budget is gone.
  // All under one lock. The first worker also tells the watcher.
  bool begin(Worker& w, Meter& meter, const Watcher<G>& watcher) {
    auto lock = locked();
    back_up(w);
    if (by_prior() && !w.path.empty()) puct_.see(w.reward, task_.game->players());
    if (w.fresh && last(w).child() == kNone) last(w).set_child(add_valued(w, Limit::hard));
    w.fresh = false;
    w.deepest = std::max(w.deepest, w.path.size());
    w.path.clear();
    if (&w == workers_.data() && tree_.node(root_).tried > 0 && meter.look_due()) {
      const Verdict<G> now = verdict(meter);
      lock = {};
      watcher.see(now);
      lock = locked();
    }
    if (failed_ || root_proof_ || tree_.node(root_).visits == VisitEdge::kMostVisits ||
        meter.spent())
      return false;
    meter.evaluated(1);
    meter.visited(1);
    w.line.clear();
    w.known = {};
    w.reached = descend(w, root_);
    return true;
  }

  void back_up(const Worker& w) {
    const int seats = task_.game->players();
    if (!params_.completion)
      for (const auto& step : w.path) tree_.edge(step.node, step.edge).add(w.reward, seats);
    else if (const VisitProof known = back_up_proofs(tree_, w.path, w.reward, w.known, seats))
      if (!w.path.empty()) root_proof_ = known;
  }

  void simulate(Worker& w, int depth_limit) {
    if (w.reached == Reached::proven) return;
    const G& game = *task_.game;
    w.state = root_state_;
    std::size_t played = 0;
    do {
      for (; played < w.line.size(); ++played) {
        if (ahead_.on() && played + 1 == w.line.size()) w.parent = w.state;
        game.play(w.state, w.line[played]);
      }
    } while (!game.over(w.state) && static_cast<int>(w.path.size()) < depth_limit && go_on(w));
    if (w.reached == Reached::proven) return;
    w.reward = reward(w);
    if (params_.completion && game.over(w.state))
      w.known = VisitProof::of_end(game.gain(w.state), w.reward);
    w.fresh = w.fresh && static_cast<int>(w.path.size()) < depth_limit;
  }

  // Follows the tree from `node` to a position that the last edge knows no node for. The caller
  // holds the lock.
  Reached descend(Worker& w, Id node) {
    Reached out = Reached::first;
    while (node != kNone) {
      if (!w.path.empty() && proven(w, node)) return Reached::proven;
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

  // A node that another way led to, or another thread has searched, may be proven by now.
  bool proven(Worker& w, Id node) const {
    if (!params_.completion || tree_.node(node).proven == 0) return false;
    w.known = proof_of(tree_, node, task_.game->players());
    w.reward = w.known.reward;
    return static_cast<bool>(w.known);
  }

  // `visits` of the node before this one; only moves that are not proven. kNoEdge when there is no
  // memory for the next edge.
  std::uint32_t select(Id id, std::uint32_t visits, Rng& rng) {
    const auto& node = tree_.node(id);
    const auto closed = [this](const VisitEdge& edge) {
      return params_.completion && edge.proof(task_.game->players()) != 0;
    };
    if (by_prior()) {
      const std::uint32_t out = puct_.select(tree_, id, visits, closed);
      return out < node.tried ? out : tree_.try_next(id, limit_at(id));
    }
    if (node.tried < node.count)
      return ahead_.on() ? tree_.try_next(id, limit_at(id)) : tree_.try_move(id, rng, limit_at(id));
    const double weight = params_.c * std::sqrt(std::log(static_cast<double>(visits)));
    std::uint32_t best = 0;
    double highest = -1;
    for (std::uint32_t i = 0; i < node.tried; ++i) {
      const double bound = tree_.edge(id, i).bound(node.seat, weight);
      if (bound > highest && !closed(tree_.edge(id, i))) {
        highest = bound;
        best = i;
      }
    }
    return best;
  }

  // Where the worker's position has a node in the table, or gets one because its edge has come here
  // again, the line goes on from there; false when the position is to be valued.
  bool go_on(Worker& w) {
    if (w.reached == Reached::full) return false;
    if (!params_.table && (w.reached == Reached::first || by_prior())) return false;
    w.moves.clear();
    if (w.reached == Reached::again && !by_prior()) task_.game->moves(w.state, w.moves);
    const std::uint64_t hash = task_.game->hash(w.state);
    const auto lock = locked();
    auto edge = last(w);
    if (edge.child() == kNone) edge.set_child(node_of(w, hash, edge.visits() - 1));
    if (edge.child() == kNone) return false;
    w.reached = descend(w, edge.child());
    return w.reached != Reached::proven;
  }

  // The worker's moves as a new node will try them.
  std::span<const Move> in_order(Worker& w) {
    if (!ahead_.on()) return w.moves.span();
    w.next.assign(w.moves.begin(), w.moves.end());
    w.rng.shuffle(std::span(w.next));
    return w.next;
  }

  // kNone when there is none, or no memory for it.
  Id node_of(Worker& w, std::uint64_t hash, std::uint32_t visits) {
    Id out = tree_.find(hash);
    if (out != kNone) {
      ++tree_.node(out).held;
    } else if (w.reached == Reached::again && !by_prior()) {
      out = tree_.add(in_order(w), hash, task_.game->to_move(w.state), Limit::hard);
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

  Scores reward(Worker& w) {
    const bool over = task_.game->over(w.state);
    if (task_.evaluator.samples())
      return scale_.reward(over ? task_.game->gain(w.state)
                                : task_.evaluator.sample(w.state, w.rng));
    if (over) return scale_.reward(terminal_points(*task_.game, w.state, task_.points));
    if (!by_prior()) return scale_.reward(value(w));
    w.fresh = w.reached != Reached::full;
    return scale_.reward(value_with_priors(w));
  }

  // Of the worker's position.
  Scores value(Worker& w) {
    if (!ahead_.on()) return task_.evaluator.evaluate(w.state);
    w.next.clear();
    if (w.reached == Reached::first) {
      const auto lock = locked();
      const Id id = w.path.back().node;
      const auto& node = tree_.node(id);
      const auto end =
          static_cast<std::uint32_t>(std::min<std::size_t>(node.count, node.tried + ahead_.room()));
      for (std::uint32_t i = node.tried; i < end; ++i) w.next.push_back(tree_.move(id, i));
    }
    return ahead_.value(task_.evaluator, w.state, w.parent, w.next);
  }

  // Of the worker's position; puts its moves in order.
  Scores value_with_priors(Worker& w) {
    Scores out;
    task_.evaluator.evaluate({&w.state, 1}, {&out, 1}, w.priors);
    w.moves.clear();
    task_.game->moves(w.state, w.moves);
    must_agree(w.moves.size(), w.priors.of(0).size());
    w.order.sort(w.moves.span(), w.priors.of(0));
    return out;
  }

  Verdict<G> verdict(const Meter& meter) {
    Verdict<G> out;
    list_children(out);
    for (Id id = root_; id != kNone && tree_.node(id).tried > 0;) {
      const std::uint32_t i = decision(tree_, id, task_.game->players(), params_.completion);
      if (id == root_) out.value = value(id, i);
      out.pv.push_back(tree_.move(id, i));
      id = tree_.edge(id, i).child();
    }
    if (out.pv.empty()) out.pv.push_back(tree_.move(root_, 0));
    out.best = out.pv[0];
    if (root_proof_) {
      out.proof = Proof::gain;
      out.proven_gain = root_proof_.gain(tree_.node(root_).seat);
    }
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
      const auto child =
          std::ranges::find(out.children, tree_.move(root_, i), &Verdict<G>::Child::move);
      if (child == out.children.end()) fail_lost_move();
      child->visits = tree_.edge(root_, i).visits();
      child->value = value(root_, i);
      if (params_.completion)
        child->resolved |= tree_.edge(root_, i).proof(task_.game->players()) != 0;
    }
  }

  // Of every seat, in points.
  Scores value(Id id, std::uint32_t i) const {
    Scores out;
    for (int p = 0; p < task_.game->players(); ++p)
      out[p] = scale_.points(tree_.edge(id, i).mean(p));
    return out;
  }
  Scores mean(Id id, std::uint32_t i) const {
    Scores out;
    for (int p = 0; p < task_.game->players(); ++p)
      out[p] = static_cast<float>(tree_.edge(id, i).mean(p));
    return out;
  }

  Task<G> task_;
  Params params_;
  RewardScale scale_;
  Puct puct_;
  Tree tree_;
  ValuesAhead<G> ahead_;
  Id root_ = kNone;
  State root_state_{};
  std::vector<Worker> workers_;
  VisitProof root_proof_;
  std::mutex mutex_;  // of the tree, the meter and failed_; not used with one thread
  bool failed_ = false;
};

}  // namespace polymax::mcts
