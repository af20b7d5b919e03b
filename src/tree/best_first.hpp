// The tree of the best-first searches: Unbounded Minimax and Unbounded Max^n with completion, and
// Descent (Cohen-Solal). An iteration follows best_action_dual from the root to a position that is
// not expanded, expands it (all children valued by one call of the evaluator), and backs up c, v, r
// along the line. Whole lines (Descent) go on from there to a resolved position. No recursion: a
// line is as long as the game. Differs: positions reached by several ways make edges stale. With
// refresh, edges take c, v, r of the node behind them when their position is visited, and new edges
// take them instead of an evaluation; without it they change only when they are selected, as
// published. Several threads may extend lines of one tree: the tree is locked except during
// evaluate(), the edge whose position is being expanded is pending and avoided by the others. One
// thread is the published algorithm.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "core/rng.hpp"
#include "core/searcher.hpp"
#include "tree/arena.hpp"
#include "tree/completion.hpp"
#include "tree/line.hpp"
#include "tree/meter.hpp"
#include "tree/positions.hpp"

namespace polymax {

struct BestFirstRules {
  bool coalition = false;  // all others minimise the root seat's component; otherwise each seat
                           // maximises its own
  bool literal = false;    // resolution rule of the paper
  bool refresh = true;
  bool batch = true;
  std::size_t memory = std::size_t{1} << 30;  // bytes
};

// What a node keeps of its position: the move that led to it, so that lines are played again, or
// all.
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
      : task_(task),
        rules_(rules),
        tree_(task.game->players(), rules.memory - rules.memory / kShareOfPositions),
        positions_(rules.memory / kShareOfPositions) {
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

  // Makes a position the root, expands it when it is new. What cannot be reached from it goes when
  // room is needed.
  void start(const State& state, Meter& meter) {
    Lock lock(mutex_);
    const int seat = task_.game->to_move(state);
    if (rules_.coalition && seat != view_ && tree_.size() > 0)
      salt_ = mix64(~++views_);  // no hash is made like this
    view_ = seat;
    depth_ = 1;
    root_state_ = state;
    root_ply_ = task_.game->played(state);
    root_ = tree_.find(hash_of(state));
    if (root_ != kNoNode) return;
    make_room(meter);
    root_ = expand(line(0), state, {}, meter, lock);
  }

  // One iteration. `lock` is held at entry and exit; the tree changes while the evaluator works.
  // Returns false when every line from here is being extended by other threads. When the evaluator
  // throws, the line is given up.
  bool extend(Line& line, bool whole, Meter& meter, Lock& lock) {
    try {
      if (!go_down(line, whole, meter, lock)) return false;
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      abandon(line);
      throw;
    }
    if (on_line) on_line(line);
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
      out.children.push_back(
          {moves[i], edges.value(i), edges.visits[i], (edges.bits[i] & bits::kResolved) != 0});
    out.best = moves[chosen];
    out.value = edges.value(chosen);
    out.cost = meter.cost(depth_, tree_.bytes() + positions_.bytes());
    out.pv = principal_variation(chosen);
    prove(out);
    return out;
  }

  // What is proven of the root whose value the verdict gives. The published rule of resolution
  // proves nothing when seats may tie.
  void prove(Verdict<G>& out) const {
    const Node& root = tree_[root_];
    out.proof = Proof::none;
    if (!solved() || (rules_.literal && !scalar())) return;
    const int seat = aim(root).seat;
    const bool exact = task_.points == Points::gain || root.bits & bits::kExact;
    out.proof = exact && out.value[seat] == root.value[seat] ? Proof::exact : Proof::gain;
    out.proven_gain = completion::of_seat(root.bits, seat);
    out.coalition = rules_.coalition && task_.game->players() > 2;
  }

  AimedEdges root_edges() const { return {tree_.edges(root_), aim(tree_[root_])}; }

  // Called with every line, when set: line.at is where it ended, its values are not backed up yet.
  std::function<void(const Line&)> on_line;

  // Values the children of a position, when set, and tells how many the evaluator was asked for.
  // Not locked.
  std::function<std::size_t(Expansion<G>&, const State&)> value_children;

  // Called for every node that is freed for want of memory, before it goes.
  std::function<void(const Node&, const Edges&)> on_forget = [](const Node&, const Edges&) {};

 private:
  static constexpr std::size_t kShareOfPositions =
      kKeep == Keep::moves ? 32 : 1 << 20;  // of the memory: one of so many

  // What one seat gets is what the others lose.
  bool scalar() const { return rules_.coalition || task_.game->players() == 2; }

  std::uint64_t hash_of(const State& state) const { return task_.game->hash(state) ^ salt_; }

  bool resolved(NodeIndex i) const { return (tree_[i].bits & bits::kResolved) != 0; }

  Aim aim(const Node& node) const {
    const int seat = node.seat;
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

  // From the root to a new node; whole lines to a resolved one, whatever time that takes, unless
  // asked to stop. False when everything is pending or there was no time to make room.
  bool go_down(Line& line, bool whole, Meter& meter, Lock& lock) {
    if (!make_room(meter)) return false;
    line.at = root_;
    bool fresh = false;
    while (open(line.at)) {
      Node& node = tree_[line.at];
      const Edges edges = tree_.edges(node);
      const std::size_t edge = select(node, edges);
      if (edge == kNoEdge) {
        if (step_back(line)) continue;
        abandon(line);
        return false;
      }
      ++edges.visits[edge];
      ++node.weight;
      line.steps.push_back({line.at, edge});
      const NodeIndex next = tree_.child(line.at, edges, edge);
      fresh = next == kNoNode;
      line.at = fresh ? expand_behind(line, meter, lock) : next;
      if (fresh && (!whole || meter.stopped() || !make_room(meter))) break;
    }
    unblock(line);
    return true;
  }

  // best_action_dual; when the best edge is better than all others it is that one.
  std::size_t select(const Node& node, const Edges& edges) const {
    const AimedEdges aimed(edges, aim(node));
    const bool open = !(edges.bits[node.best] & (bits::kResolved | bits::kPending));
    return open && second_of(node) < aimed.rank(node.best) ? node.best : aimed.best_action_dual();
  }

  void abandon(Line& line) {
    unblock(line);
    for (; !line.steps.empty(); line.steps.pop_back()) {
      const auto [i, e] = line.steps.back();
      tree_.edges(i).bits[e] &= static_cast<std::uint16_t>(~bits::kPending);
      if (!resolved(i)) summarise(tree_[i]);  // visits have changed
    }
    line.at = kNoNode;
  }

  // Brings a node up to date; false when it is resolved.
  bool open(NodeIndex i) {
    Node& node = tree_[i];
    if (node.bits & bits::kResolved) return false;
    if (!rules_.refresh) return true;
    const bool look = tree_.must_look(node);
    if ((look || node.has_shared) && refresh(i, look)) summarise(node);
    return !(node.bits & bits::kResolved);
  }

  // Copies c, v, r of the nodes behind; returns whether anything changed. Edges that are not shared
  // are up to date.
  bool refresh(NodeIndex i, bool look) {
    const Edges edges = tree_.edges(i);
    const auto may_be_stale = [&](std::size_t e) {
      const std::uint16_t b = edges.bits[e];
      return !(b & bits::kResolved) && (b & bits::kLinked ? (b & bits::kShared) != 0 : look);
    };
    for (std::size_t e = 0; e < edges.count; ++e)
      if (may_be_stale(e)) tree_.prefetch(edges, e);
    bool changed = false;
    for (std::size_t e = 0; e < edges.count; ++e) {
      const NodeIndex child = may_be_stale(e) ? tree_.child(i, edges, e) : kNoNode;
      if (child != kNoNode) changed |= copy(tree_[child], edges, e);
    }
    return changed;
  }

  static bool copy(const Node& from, const Edges& edges, std::size_t e) {
    constexpr std::uint16_t kCopied = bits::kCompletion | bits::kResolved | bits::kExact;
    if ((edges.bits[e] & kCopied) == from.bits && edges.value(e) == from.value) return false;
    edges.bits[e] = static_cast<std::uint16_t>((edges.bits[e] & ~kCopied) | from.bits);
    edges.set_value(e, from.value);
    return true;
  }

  static Rank second_of(const Node& node) {
    return {static_cast<int>(node.second_c) - 2, node.second};
  }
  static void set_second(Node& node, const Rank& second) {
    node.second_c = static_cast<std::uint8_t>(second.c + 2) & 15;
    node.second = second.v;
  }

  // c, v, r of a node from its edges.
  void summarise(Node& node) {
    const Edges edges = tree_.edges(node);
    const AimedEdges aimed(edges, aim(node));
    Rank second;
    node.best = static_cast<std::uint32_t>(aimed.best_action(second));
    set_second(node, second);
    take_best(node, aimed, edges);
  }

  void take_best(Node& node, const AimedEdges& aimed, const Edges& edges) const {
    node.value = edges.value(node.best);
    unsigned r = 0;
    if (aimed.resolves(node.best, rules_.literal))
      r = bits::kResolved | (aimed.exact(node.best, scalar()) ? bits::kExact : 0);
    node.bits = static_cast<std::uint16_t>((edges.bits[node.best] & bits::kCompletion) | r);
  }

  // As summarise() when only edge e has got a visit more and c, v, r of the node behind it: the
  // other edges are looked at only when the best one has become worse than it was.
  void settle(Node& node, const Edges& edges, std::size_t e, const Node& behind) {
    const AimedEdges aimed(edges, aim(node));
    const Rank before = aimed.rank(e);
    const bool changed = copy(behind, edges, e);
    const Rank now = aimed.rank(e);
    if (e == node.best) {
      if (!changed) return;
      if (now < before && !(second_of(node) < now)) return summarise(node);
    } else {
      const Rank best = aimed.rank(node.best);
      const bool equal = !(now < best) && !(best < now);
      const auto n = edges.visits[e], most = edges.visits[node.best];
      const bool wins = best < now || (equal && (n > most || (n == most && e < node.best)));
      if (wins) {
        node.best = static_cast<std::uint32_t>(e);
        set_second(node, best);
      } else {
        if (second_of(node) < now) set_second(node, now);
        if (!changed || !aimed.resolved(node.best)) return;
      }
    }
    take_best(node, aimed, edges);
  }

  void back_up(Line& line) {
    for (; !line.steps.empty(); line.steps.pop_back()) {
      const auto [i, e] = line.steps.back();
      Node& node = tree_[i];
      const Edges edges = tree_.edges(node);
      edges.bits[e] &= static_cast<std::uint16_t>(~bits::kPending);
      tree_.link(i, edges, e, line.at);
      // Another thread may have resolved it in the meantime: then it is final.
      if (!(node.bits & bits::kResolved)) settle(node, edges, e, tree_[line.at]);
      line.at = i;
    }
    line.at = kNoNode;
  }

  // All unresolved edges here are pending: passes over the edge that led here, for this line. False
  // at the root.
  bool step_back(Line& line) {
    if (line.steps.empty()) return false;
    const Step last = line.steps.back();
    line.steps.pop_back();
    const Edges edges = tree_.edges(last.node);
    --edges.visits[last.edge];
    --tree_[last.node].weight;
    copy(tree_[line.at], edges, last.edge);
    if (!resolved(last.node)) summarise(tree_[last.node]);
    edges.bits[last.edge] |= bits::kPending;
    line.blocked.push_back(last);
    line.at = last.node;
    return true;
  }

  void unblock(Line& line) {
    for (const auto& [node, e] : line.blocked)
      tree_.edges(node).bits[e] &= static_cast<std::uint16_t>(~bits::kPending);
    line.blocked.clear();
  }

  // Expands the position behind the line's last step.
  NodeIndex expand_behind(Line& line, Meter& meter, Lock& lock) {
    unblock(line);
    const auto [i, e] = line.steps.back();
    tree_.edges(i).bits[e] |= bits::kPending;
    line.at = i;
    if (line.is_listed && line.listed == tree_[i].hash) {  // its children were the last ones made
      const State state = line.children.states[e];
      return expand(line, state, line.children.moves[e], meter, lock);
    }
    State state;
    const Move move = step_to_last(line, state);
    return expand(line, state, move, meter, lock);
  }

  // The position behind the line's last step; returns the move.
  Move step_to_last(Line& line, State& state) {
    const auto [i, e] = line.steps.back();
    Move move;
    if constexpr (kKeep == Keep::states) {
      state = tree_[i].kept;
      list_moves(state, line.moves);
      move = line.moves[e];
    } else {
      auto& at = walk(line);
      if (at.moves.empty()) {
        list_moves(at.state, line.moves);
        at.moves.assign(line.moves.begin(), line.moves.end());
      }
      state = at.state;
      move = at.moves[e];
    }
    task_.game->play(state, move);
    return move;
  }

  // The position of the line's last node, by playing the steps from the last one that is still
  // known.
  auto& walk(Line& line) {
    const auto& steps = line.steps;
    const auto known = [&](std::size_t i) {
      return positions_.find(steps[i].node, tree_[steps[i].node].hash);
    };
    std::size_t i = steps.size() - 1;
    auto* at = known(i);
    while (at == nullptr && i > 0) at = known(--i);
    if (at == nullptr) at = &positions_.put(root_, tree_[root_].hash, root_state_);
    for (; i + 1 < steps.size(); ++i) {
      State state = at->state;
      const Node& next = tree_[steps[i + 1].node];
      if (next.parent == steps[i].node)
        task_.game->play(state, next.kept);
      else if (!at->moves.empty())
        task_.game->play(state, at->moves[steps[i].edge]);
      else
        play_edge(state, steps[i].edge, line.moves);
      at = &positions_.put(steps[i + 1].node, next.hash, state);
    }
    return *at;
  }

  // Expands a position; `move` led to it. Where there are other lines, unlocks while children are
  // listed and valued: somebody else may expand the position in the meantime.
  NodeIndex expand(Line& line, const State& state, Move move, Meter& meter, Lock& lock) {
    const bool alone = lines_.size() == 1;
    if (!alone) lock.unlock();
    line.is_listed = false;
    line.list_children(*task_.game, state, salt_);
    const int ply = task_.game->played(state);
    if (rules_.refresh) {
      if (!alone) lock.lock();
      take_known(line, ply);
      if (!alone) lock.unlock();
    }
    const std::size_t evaluated = value_children ? value_children(line.children, state)
                                                 : line.children.value(task_, rules_.batch);
    if (!alone) lock.lock();
    meter.visited(line.children.moves.size());
    meter.evaluated(evaluated);
    depth_ = std::max(depth_, static_cast<int>(line.steps.size()) + 1);
    const std::uint64_t hash = hash_of(state);
    const NodeIndex found = tree_.find(hash);
    if (found != kNoNode) return found;
    line.is_listed = true;
    line.listed = hash;
    const NodeIndex out = attach(line, hash, ply);
    Node& node = tree_[out];
    node.seat = static_cast<std::uint8_t>(task_.game->to_move(state)) & 15;
    if constexpr (kKeep == Keep::states) {
      node.kept = state;
    } else {
      node.kept = move;
      const auto& moves = line.children.moves;
      positions_.put(out, hash, state).moves.assign(moves.begin(), moves.end());
    }
    summarise(node);
    return out;
  }

  static void take(Line& line, std::size_t i, const Scores& value, std::uint16_t bits) {
    line.children.known[i] = 1;
    line.children.values[i] = value;
    line.bits[i] = bits;
  }

  // Children that are nodes already, or resolved in another match, need no evaluation.
  void take_known(Line& line, int ply) {
    auto& children = line.children;
    line.looked = tree_.added_at(static_cast<std::size_t>(ply) + 1);
    for (const auto hash : line.hashes) tree_.prefetch(hash);
    for (std::size_t i = 0; i < line.hashes.size(); ++i) {
      if (children.over[i]) continue;
      const NodeIndex node = tree_.find(line.hashes[i]);
      if (node != kNoNode)
        take(line, i, tree_[node].value, tree_[node].bits);
      else if (task_.resolved != nullptr && !rules_.coalition)
        if (const auto known = task_.resolved->find(line.hashes[i]))
          take(line, i, known->value, known->bits);
    }
  }

  NodeIndex attach(const Line& line, std::uint64_t hash, int ply) {
    const std::size_t count = line.hashes.size();
    const Step from = line.steps.empty() ? Step{} : line.steps.back();
    const NodeIndex out = tree_.add(hash, ply, count, from.node, from.edge);
    const Edges edges = tree_.edges(out);
    std::ranges::copy(line.hashes, edges.link);
    std::ranges::copy(line.bits, edges.bits);
    for (std::size_t e = 0; e < count; ++e) edges.set_value(e, line.children.values[e]);
    if (!rules_.refresh) return out;
    tree_[out].looked = line.looked;
    for (std::size_t e = 0; e < count; ++e)
      if (line.children.known[e]) tree_.child(out, edges, e);
    return out;
  }

  // When memory is short: frees nodes, piece by piece, until one more fits in. False when the meter
  // calls before.
  bool make_room(const Meter& meter) {
    if (!tree_.wants_room() && !tree_.needs_room()) return true;
    pin(1);
    tree_.sweep(root_ply_, on_forget);
    bool enough = !tree_.needs_room();
    while (!enough && !meter.interrupted()) {
      tree_.sweep(root_ply_, on_forget);
      enough = !tree_.needs_room();
    }
    pin(0);
    return enough;
  }

  // The root and the nodes of all lines stay.
  void pin(std::uint8_t on) {
    const auto set = [&](NodeIndex i) {
      if (i != kNoNode) tree_[i].is_pinned = on & 1;
    };
    set(root_);
    for (const auto& line : lines_) {
      set(line->at);
      for (const auto& step : line->steps) set(step.node);
      for (const auto& step : line->blocked) set(step.node);
    }
  }

  std::vector<Move> principal_variation(std::size_t edge) {
    std::vector<Move> out;
    auto& moves = line(0).moves;
    State state = root_state_;
    for (NodeIndex at = root_;;) {
      play_edge(state, edge, moves);
      out.push_back(moves[edge]);
      at = tree_.behind(tree_.edges(at), edge);
      if (at == kNoNode) return out;
      edge = AimedEdges(tree_.edges(at), aim(tree_[at])).best_action();
    }
  }

  Task<G> task_;
  BestFirstRules rules_;
  Tree tree_;
  Positions<G> positions_;
  State root_state_{};
  NodeIndex root_ = kNoNode;
  int root_ply_ = 0, view_ = 0, depth_ = 0;
  std::uint64_t views_ = 0,
                salt_ = 0;  // how often the view has changed; makes all positions new then
  std::vector<std::unique_ptr<Line>> lines_;
  std::mutex mutex_;
};

}  // namespace polymax
