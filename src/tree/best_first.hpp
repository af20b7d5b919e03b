// The tree of the best-first searches: Unbounded Minimax and Unbounded Max^n with completion, and Descent
// (Cohen-Solal). An iteration follows best_action_dual from the root to a position that is not expanded, expands it
// (all children valued by one call of the evaluator), and backs up c, v, r along the line. Whole lines (Descent) go on
// from there to a resolved position. No recursion: a line is as long as the game. Differs: positions reached by several
// ways make edges stale. With refresh, edges take c, v, r of the node behind them when their position is visited, and
// new edges take them instead of an evaluation; without it they change only when they are selected, as published.
// Several threads may extend lines of one tree: the tree is locked except during evaluate(), the edge whose position is
// being expanded is pending and avoided by the others. One thread is the published algorithm.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/searcher.hpp"
#include "tree/arena.hpp"
#include "tree/completion.hpp"
#include "tree/line.hpp"
#include "tree/meter.hpp"

namespace polymax {

struct BestFirstRules {
  bool coalition = false;  // all others minimise the root seat's component; otherwise each seat maximises its own
  bool literal = false;    // resolution rule of the paper
  bool refresh = true;
  bool batch = true;
  std::size_t memory = std::size_t{1} << 30;  // bytes
};

// What a node keeps of its position: the move that led to it, so that lines are played again from the root, or all.
enum class Keep { moves, states };

template <Game G, Keep kKeep = Keep::moves>
class BestFirst {
 public:
  using State = typename G::State;
  using Move = typename G::Move;
  using Tree = Arena<std::conditional_t<kKeep == Keep::states, State, Move>>;
  using Node = typename Tree::Node;
  using Lock = std::unique_lock<std::mutex>;

  using Line = polymax::Line<G>;

  BestFirst(const Task<G>& task, const BestFirstRules& rules)
      : task_(task), rules_(rules), tree_(task.game->players(), rules.memory) {
    lines_.push_back(std::make_unique<Line>());
  }

  const Tree& tree() const { return tree_; }
  NodeIndex root() const { return root_; }
  const Node& root_node() const { return tree_[root_]; }
  bool solved() const { return resolved(root_); }
  int depth() const { return depth_; }
  std::mutex& mutex() { return mutex_; }

  // The line of thread i; lines are made when asked for first, by one thread alone.
  Line& line(std::size_t i) {
    while (lines_.size() <= i) lines_.push_back(std::make_unique<Line>());
    return *lines_[i];
  }

  // Makes a position the root, expands it when it is new, and frees what cannot be reached from it unless `keep`.
  void start(const State& state, Meter& meter, bool keep) {
    Lock lock(mutex_);
    const int seat = task_.game->to_move(state);
    if (rules_.coalition && seat != view_) tree_.clear();
    view_ = seat;
    depth_ = 1;
    const NodeIndex old = tree_.size() == 0 ? kNoNode : root_;
    root_state_ = state;
    for (auto& line : lines_) line->walked.clear();
    root_ = tree_.find(task_.game->hash(state));
    if (root_ == kNoNode) root_ = expand(line(0), state, {}, meter, lock);
    if (!keep && old != kNoNode && old != root_) root_ = tree_.keep_reachable(root_)[root_];
  }

  // One iteration. `lock` is held at entry and exit; the tree changes while the evaluator works. Returns false when
  // every line from here is being extended by other threads. When the evaluator throws, the line is given up.
  bool extend(Line& line, bool whole, Meter& meter, Lock& lock) {
    try {
      if (!go_down(line, whole, meter, lock)) return false;
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      abandon(line);
      throw;
    }
    back_up(line);
    return true;
  }

  // What the search found; `chosen` is the edge of the root that it plays.
  Verdict<G> verdict(std::size_t chosen, const Meter& meter) {
    const Edges edges = tree_.edges(root_);
    auto& moves = line(0).moves;
    list_moves(root_state_, moves);
    Verdict<G> out;
    for (std::size_t i = 0; i < edges.count; ++i)
      out.children.push_back({moves[i], edges.value(i), edges.visits[i], (edges.bits[i] & bits::kResolved) != 0});
    out.best = moves[chosen];
    out.value = edges.value(chosen);
    out.evaluations = meter.evaluations();
    out.nodes = meter.nodes();
    out.bytes = tree_.bytes();
    out.depth = depth_;
    out.seconds = meter.seconds();
    out.solved = solved();
    out.pv = principal_variation(chosen);
    return out;
  }

  AimedEdges root_edges() const { return {tree_.edges(root_), aim(root_)}; }

  // Called for every node that is freed for want of memory, before it goes.
  std::function<void(const Node&, const Edges&)> on_forget = [](const Node&, const Edges&) {};

 private:
  bool resolved(NodeIndex i) const { return (tree_[i].bits & bits::kResolved) != 0; }

  Aim aim(NodeIndex i) const {
    const int seat = tree_[i].seat;
    return rules_.coalition ? Aim{view_, seat == view_} : Aim{seat, true};
  }

  void list_moves(const State& state, MoveList<G>& moves) const {
    moves.clear();
    task_.game->moves(state, moves);
  }

  void play_edge(State& state, std::size_t edge, MoveList<G>& moves) const {
    list_moves(state, moves);
    task_.game->play(state, moves[edge]);
  }

  // From the root to a new node; whole lines to a resolved one. False when everything is pending.
  bool go_down(Line& line, bool whole, Meter& meter, Lock& lock) {
    line.at = root_;
    bool fresh = false;
    while (whole || !fresh) {
      if (tree_.full()) make_room();
      if (!open(line.at)) break;
      const Edges edges = tree_.edges(line.at);
      const std::size_t edge = AimedEdges(edges, aim(line.at)).best_action_dual();
      if (edge == kNoEdge) {
        if (step_back(line)) continue;
        abandon(line);
        return false;
      }
      ++edges.visits[edge];
      ++tree_[line.at].weight;
      line.steps.push_back({line.at, edge});
      const NodeIndex next = tree_.child(edges, edge);
      fresh = next == kNoNode;
      line.at = fresh ? expand_behind(line, meter, lock) : next;
    }
    unblock(line);
    return true;
  }

  void abandon(Line& line) {
    unblock(line);
    for (const auto& [node, e] : line.steps) tree_.edges(node).bits[e] &= static_cast<std::uint16_t>(~bits::kPending);
    line.steps.clear();
    line.at = kNoNode;
  }

  // Brings a node up to date; false when it is resolved.
  bool open(NodeIndex i) {
    if (resolved(i)) return false;
    if (rules_.refresh && refresh(i)) summarise(i);
    return !resolved(i);
  }

  // Copies c, v, r of the nodes behind; returns whether anything changed. Edges that are not shared are up to date.
  bool refresh(NodeIndex i) {
    const Edges edges = tree_.edges(i);
    const bool look = tree_.must_look(i);
    bool changed = false;
    for (std::size_t e = 0; e < edges.count; ++e) {
      const std::uint16_t b = edges.bits[e];
      if (b & bits::kResolved || !(b & bits::kLinked ? (b & bits::kShared) != 0 : look)) continue;
      const NodeIndex child = tree_.child(edges, e);
      if (child != kNoNode) changed |= copy(tree_[child], edges, e);
    }
    return changed;
  }

  static bool copy(const Node& from, const Edges& edges, std::size_t e) {
    constexpr std::uint16_t kCopied = bits::kCompletion | bits::kResolved;
    if ((edges.bits[e] & kCopied) == from.bits && edges.value(e) == from.value) return false;
    edges.bits[e] = static_cast<std::uint16_t>((edges.bits[e] & ~kCopied) | from.bits);
    edges.set_value(e, from.value);
    return true;
  }

  // c, v, r of a node from its edges.
  void summarise(NodeIndex i) {
    const Edges edges = tree_.edges(i);
    const AimedEdges aimed(edges, aim(i));
    const std::size_t best = aimed.best_action();
    Node& node = tree_[i];
    node.value = edges.value(best);
    const unsigned r = aimed.resolves(best, rules_.literal) ? bits::kResolved : 0;
    node.bits = static_cast<std::uint16_t>((edges.bits[best] & bits::kCompletion) | r);
  }

  void back_up(Line& line) {
    while (!line.steps.empty()) {
      const auto [node, e] = line.steps.back();
      line.steps.pop_back();
      const Edges edges = tree_.edges(node);
      edges.bits[e] &= static_cast<std::uint16_t>(~bits::kPending);
      tree_.link(edges, e, line.at);
      if (!resolved(node)) {  // another thread may have resolved it in the meantime: then it is final
        copy(tree_[line.at], edges, e);
        summarise(node);
      }
      line.at = node;
    }
    line.at = kNoNode;
  }

  // All unresolved edges here are pending: passes over the edge that led here, for this line. False at the root.
  bool step_back(Line& line) {
    if (line.steps.empty()) return false;
    const Step last = line.steps.back();
    line.steps.pop_back();
    const Edges edges = tree_.edges(last.node);
    --edges.visits[last.edge];
    --tree_[last.node].weight;
    if (copy(tree_[line.at], edges, last.edge)) summarise(last.node);
    edges.bits[last.edge] |= bits::kPending;
    line.blocked.push_back(last);
    line.at = last.node;
    return true;
  }

  void unblock(Line& line) {
    for (const auto& [node, e] : line.blocked) tree_.edges(node).bits[e] &= static_cast<std::uint16_t>(~bits::kPending);
    line.blocked.clear();
  }

  // Expands the position behind the line's last step.
  NodeIndex expand_behind(Line& line, Meter& meter, Lock& lock) {
    unblock(line);
    const auto [node, e] = line.steps.back();
    tree_.edges(node).bits[e] |= bits::kPending;
    line.at = node;
    State state = position(line);
    list_moves(state, line.moves);
    const Move move = line.moves[e];
    task_.game->play(state, move);
    return expand(line, state, move, meter, lock);
  }

  // The position of the line's last node.
  const State& position(Line& line) const {
    if constexpr (kKeep == Keep::states)
      return tree_[line.steps.back().node].kept;
    else
      return walk(line);
  }

  // As above by playing the steps. Most lines begin like the one before: only what differs is played.
  const State& walk(Line& line) const {
    const std::span<const Step> steps(line.steps.data(), line.steps.size() - 1);
    const auto same = static_cast<std::size_t>(std::ranges::mismatch(steps, line.walked).in1 - steps.begin());
    line.states.resize(steps.size() + 1);
    if (same == 0) line.states[0] = root_state_;
    for (std::size_t i = same; i < steps.size(); ++i) {
      line.states[i + 1] = line.states[i];
      const Node& next = tree_[line.steps[i + 1].node];
      if (next.parent == steps[i].node)
        task_.game->play(line.states[i + 1], next.kept);
      else
        play_edge(line.states[i + 1], steps[i].edge, line.moves);
    }
    line.walked.assign(steps.begin(), steps.end());
    return line.states.back();
  }

  // Expands a position; `move` led to it. Unlocks while children are listed and valued: somebody else may expand the
  // position in the meantime.
  NodeIndex expand(Line& line, const State& state, const Move& move, Meter& meter, Lock& lock) {
    lock.unlock();
    line.list_children(*task_.game, state);
    if (rules_.refresh) {
      lock.lock();
      take_known(line);
      lock.unlock();
    }
    const std::size_t evaluated = line.children.value(task_, rules_.batch);
    lock.lock();
    meter.visited(line.children.moves.size());
    meter.evaluated(evaluated);
    depth_ = std::max(depth_, static_cast<int>(line.steps.size()) + 1);
    const std::uint64_t hash = task_.game->hash(state);
    const NodeIndex found = tree_.find(hash);
    if (found != kNoNode) return found;
    const NodeIndex out = attach(line, hash, task_.game->played(state));
    tree_[out].seat = static_cast<std::uint8_t>(task_.game->to_move(state));
    if constexpr (kKeep == Keep::states)
      tree_[out].kept = state;
    else
      tree_[out].kept = move;
    summarise(out);
    return out;
  }

  // Children that are nodes already need no evaluation.
  void take_known(Line& line) {
    auto& children = line.children;
    for (std::size_t i = 0; i < line.hashes.size(); ++i) {
      const NodeIndex node = children.over[i] ? kNoNode : tree_.find(line.hashes[i]);
      if (node == kNoNode) continue;
      children.known[i] = 1;
      children.values[i] = tree_[node].value;
      line.bits[i] = tree_[node].bits;
    }
  }

  NodeIndex attach(const Line& line, std::uint64_t hash, int ply) {
    const std::size_t count = line.hashes.size();
    const Step from = line.steps.empty() ? Step{} : line.steps.back();
    const NodeIndex out = tree_.add(hash, ply, count, from.node, from.edge);
    const Edges edges = tree_.edges(out);
    for (std::size_t e = 0; e < count; ++e) {
      edges.link[e] = line.hashes[e];
      edges.bits[e] = line.bits[e];
      edges.set_value(e, line.children.values[e]);
    }
    return out;
  }

  void make_room() {
    std::vector<NodeIndex> pinned{root_};
    const auto each = [&](auto f) {
      for (auto& line : lines_) {
        if (line->at != kNoNode) f(line->at);
        for (auto& step : line->steps) f(step.node);
        for (auto& step : line->blocked) f(step.node);
      }
    };
    each([&](NodeIndex node) { pinned.push_back(node); });
    const auto moved = tree_.make_room(pinned, on_forget);
    each([&](NodeIndex& node) { node = moved[node]; });
    for (auto& line : lines_) line->walked.clear();
    root_ = moved[root_];
  }

  std::vector<Move> principal_variation(std::size_t edge) {
    std::vector<Move> out;
    auto& moves = line(0).moves;
    State state = root_state_;
    for (NodeIndex at = root_;;) {
      play_edge(state, edge, moves);
      out.push_back(moves[edge]);
      at = tree_.child(tree_.edges(at), edge);
      if (at == kNoNode) return out;
      edge = AimedEdges(tree_.edges(at), aim(at)).best_action();
    }
  }

  Task<G> task_;
  BestFirstRules rules_;
  Tree tree_;
  State root_state_{};
  NodeIndex root_ = kNoNode;
  int view_ = 0, depth_ = 0;
  std::vector<std::unique_ptr<Line>> lines_;
  std::mutex mutex_;
};

}  // namespace polymax
