// The tree of the best-first searches (best_first_engine.hpp) on a game: positions and moves of
// nodes, children of the positions that are expanded, verdicts.
#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#include "core/error.hpp"
#include "core/searcher.hpp"
#include "tree/agree.hpp"
#include "tree/best_first_engine.hpp"
#include "tree/boxable.hpp"
#include "tree/expansion.hpp"
#include "tree/positions.hpp"
#include "tree/widening.hpp"

namespace polymax {

// What a node keeps of its position: the move that led to it, so that lines are played again, or
// all.
enum class Keep { moves, states };

template <Game G, Keep kKeep = Keep::moves>
class BestFirst : public BestFirstEngine {
 public:
  using State = typename G::State;
  using Move = typename G::Move;
  using Kept = std::conditional_t<kKeep == Keep::states, State, Move>;

  BestFirst(const Task<G>& task, const BestFirstRules& rules)
      : BestFirstEngine(
            task.game->players(), task.points, task.resolved, rules,
            rules.memory - rules.memory / kShareOfPositions - Widening<G>::memory_for_priors(rules),
            sizeof(Kept)),
        task_(task),
        positions_(rules.memory / kShareOfPositions),
        widening_(task, rules) {
    if (rules.widen > 0) task.evaluator.demand_moves("widen=");
  }

  // Makes a position the root, expands it when it is new. What cannot be reached from it goes when
  // room is needed.
  void start(const State& state, Meter& meter) {
    const G& game = *task_.game;
    auto& first = own(line(0));
    root_state_ = first.state = state;
    first.move = {};
    BestFirstEngine::start({game.hash(state), game.to_move(state), game.played(state)}, meter);
  }

  // The watcher sees what `verdict` gives.
  void run(Meter& meter, const Run& how, const Watcher<G>& watcher = {},
           const std::function<Verdict<G>()>& verdict = {}) {
    Verdict<G> now;
    BestFirstEngine::run(meter, how, {[&] { now = verdict(); }, [&] { watcher.see(now); }});
  }

  // What the search found; `chosen` is the edge of the root that it plays.
  Verdict<G> verdict(std::size_t chosen, const Meter& meter) {
    const Edges edges = tree().edges(root());
    auto& moves = own(line(0)).moves;
    list_moves(root_state_, moves, edges.count);
    Verdict<G> out;
    const Scores worst = worst_seen();
    for (std::size_t i = 0; i < edges.count; ++i) {
      const bool unseen = (edges.bits[i] & bits::kUnseen) != 0;
      out.children.push_back({moves[i], unseen ? worst : edges.value(i), edges.visits[i],
                              (edges.bits[i] & bits::kResolved) != 0, unseen});
    }
    out.best = moves[chosen];
    out.value = edges.value(chosen);
    out.cost = meter.cost(depth(), tree().bytes() + positions_.bytes() + widening_.bytes());
    State state = root_state_;
    for (const Step& step : principal_variation(chosen)) {
      play_edge(state, step, moves);
      out.pv.push_back(moves[step.edge]);
    }
    prove(out);
    return out;
  }

  using BestFirstEngine::node_of;
  using BestFirstEngine::prove;
  using BestFirstEngine::set_care;

  // What a node keeps of its position.
  const Kept& kept(NodeIndex i) const { return kept_[i]; }

 protected:
  struct HeldExpansion {
    Expansion<G> expansion;  // the children
  };
  struct OwnLine : HeldExpansion, Line {
    OwnLine() : Line(HeldExpansion::expansion) {}

    using HeldExpansion::expansion;
    State state{};  // at the line's end
    Move move{};    // that led there
    MoveList<G> moves;
  };

  static OwnLine& own(Line& line) { return static_cast<OwnLine&>(line); }

  std::size_t value(Line& line, const Meter* until) override {
    auto& at = own(line);
    if (rules().widen > 0) return widening_.value_first(line, at.expansion, at.state, until);
    const int first = line.steps.empty() ? task_.game->to_move(at.state) : -1;
    return at.expansion.value(task_, {rules().batch, until, first});
  }
  std::size_t value_more(Line& line, const Meter* until) override {
    return widening_.value_chosen(line, own(line).expansion, until);
  }

 private:
  // Of the memory: one of so many.
  static constexpr std::size_t kShareOfPositions = kKeep == Keep::moves ? 32 : 1 << 20;

  std::unique_ptr<Line> make_line() const override { return std::make_unique<OwnLine>(); }

  void step(Line& line) override {
    auto& at = own(line);
    if (line.steps.empty()) {
      at.state = root_state_;
      return;
    }
    const auto [i, e] = line.steps.back();
    if (line.is_listed && line.listed == tree()[i].hash) {  // its children were the last ones made
      at.state = at.expansion.states[e];
      at.move = at.expansion.moves[e];
      return;
    }
    if constexpr (kKeep == Keep::states) {
      at.state = kept_[i];
      list_moves(at.state, at.moves, tree()[i].count);
      at.move = at.moves[e];
    } else {
      auto& from = walk(at);
      if (from.moves.empty()) {
        list_moves(from.state, at.moves, tree()[i].count);
        from.moves.assign(at.moves.begin(), at.moves.end());
      }
      at.state = from.state;
      at.move = from.moves[e];
    }
    task_.game->play(at.state, at.move);
  }

  void list(Line& line, std::uint64_t salt) override {
    const G& game = *task_.game;
    const auto& states = own(line).expansion.states;
    own(line).expansion.list(game, own(line).state);
    if (states.empty()) throw Error("the game gave no moves for a position that was not over");
    line.hashes.resize(states.size());
    hash_each(game, std::span(states), line.hashes.data());
    line.bits.assign(states.size(), completion::kUnknown);
    for (std::size_t i = 0; i < states.size(); ++i) {
      line.hashes[i] ^= salt;
      if (line.children.over[i])
        line.bits[i] = bits::kOver | bits::kResolved | bits::kExact |
                       completion::of_gain(game.gain(states[i]));
    }
    line.hash = game.hash(own(line).state) ^ salt;
    line.seat = game.to_move(own(line).state);
    line.ply = game.played(own(line).state);
  }

  void keep(NodeIndex node, Line& line) override {
    const auto& at = own(line);
    if constexpr (kKeep == Keep::states) {
      kept_[node] = at.state;
    } else {
      kept_[node] = at.move;
      const auto& moves = at.expansion.moves;
      positions_.put(node, line.hash, at.state).moves.assign(moves.begin(), moves.end());
    }
  }

  // Of a position that has a node with so many edges.
  void list_moves(const State& state, MoveList<G>& moves, std::size_t count) const {
    moves.clear();
    task_.game->moves(state, moves);
    must_agree(moves.size(), count);
  }

  void play_edge(State& state, const Step& step, MoveList<G>& moves) const {
    list_moves(state, moves, tree()[step.node].count);
    task_.game->play(state, moves[step.edge]);
  }

  // The position of the line's last node, by playing the steps from the last one that is still
  // known.
  auto& walk(OwnLine& line) {
    const auto& steps = line.steps;
    const auto known = [&](std::size_t i) {
      return positions_.find(steps[i].node, tree()[steps[i].node].hash);
    };
    std::size_t i = steps.size() - 1;
    auto* at = known(i);
    while (at == nullptr && i > 0) at = known(--i);
    if (at == nullptr) at = &positions_.put(root(), root_node().hash, root_state_);
    for (; i + 1 < steps.size(); ++i) {
      State state = at->state;
      const NodeIndex to = steps[i + 1].node;
      if (tree()[to].parent == steps[i].node)
        task_.game->play(state, kept_[to]);
      else if (!at->moves.empty())
        task_.game->play(state, at->moves[steps[i].edge]);
      else
        play_edge(state, steps[i], line.moves);
      at = &positions_.put(to, tree()[to].hash, state);
    }
    return *at;
  }

  Task<G> task_;
  Positions<G> positions_;
  Widening<G> widening_;
  PerNode<Kept> kept_;
  State root_state_{};
};

}  // namespace polymax
