// Depth-first search (depth_first_engine.hpp) on a game: positions and moves on the way down, lines
// of play, verdicts. depth_first_rule.hpp says what a search adds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/searcher.hpp"
#include "tree/agree.hpp"
#include "tree/boxable.hpp"
#include "tree/depth_first_engine.hpp"
#include "tree/depth_first_rule.hpp"
#include "tree/prior_memory.hpp"

namespace polymax {

template <Game G>
class DepthFirstOn : public DepthFirstEngine {
 public:
  using State = typename G::State;
  using Move = typename G::Move;

  DepthFirstOn(const Task<G>& task, const DepthFirstParams& params, bool scalar,
               std::unique_ptr<DepthFirstRule<G>> rule)
      : DepthFirstEngine(params, scalar),
        task_(task),
        scalar_(scalar),
        rule_(std::move(rule)),
        priors_(*task.game, by_prior() ? (static_cast<std::size_t>(params.memory) << 20) / 32 : 0) {
    if (by_prior()) task.evaluator.demand_moves("order=prior");
  }

  Verdict<G> think(const State& root, const Budget& budget, const Watcher<G>& watcher = {}) {
    Meter meter(budget, watcher);
    meter_ = &meter;
    watcher_ = &watcher;
    verdict_ = {};
    root_ = root;
    rule_->begin(task_.game->to_move(root));
    search(rule_->root(), meter);
    verdict_.cost = meter.cost(verdict_.cost.depth, bytes() + priors_.bytes());
    return std::move(verdict_);
  }

  void advance(const Move&) {}  // entries that no longer matter grow old and give way

 private:
  struct HeldChildren {
    Children<G> own;
  };
  struct OwnFrame : HeldChildren, Frame {
    OwnFrame() : Frame(HeldChildren::own) {}
  };

  Children<G>& children(std::size_t ply) const { return static_cast<OwnFrame&>(frame(ply)).own; }

  // The bytes of a move.
  static std::uint64_t code_of(const Move& move) {
    std::uint64_t out = 0;
    std::memcpy(&out, &move, sizeof move);
    return out;
  }
  static Move move_of(std::uint64_t code) {
    Move out;
    std::memcpy(static_cast<void*>(&out), &code, sizeof out);
    return out;
  }
  // Moves with padding cannot be told apart by their bytes: the history does not.
  static std::uint64_t history_code_of(const Move& move) {
    return std::has_unique_object_representations_v<Move> ? code_of(move) : 0;
  }

  std::unique_ptr<Frame> make_frame() const override { return std::make_unique<OwnFrame>(); }
  std::uint64_t root_hash() const override { return task_.game->hash(root_); }
  std::uint64_t salt(int phase) const override { return rule_->salt(phase); }
  void list(std::size_t ply, std::size_t of, int phase) override {
    children(ply).clear();
    rule_->list(ply == 0 ? root_ : children(ply - 1).states[of], phase, children(ply));
  }
  void settle(std::size_t ply, int phase) override { rule_->settle(phase, children(ply)); }
  bool by_prior() const { return params().order == MoveOrder::prior; }

  // Positions valued now may be expanded when the search is a move deeper: their priors are kept.
  std::size_t value(std::size_t ply, const Meter* until) override {
    const Pace pace{params().batch, until, ply == 0 ? task_.game->to_move(root_) : -1};
    if (!by_prior()) return children(ply).value(task_, pace);
    const auto ask = [&](auto states, auto values) {
      priors_.value(task_.evaluator, states, values);
    };
    return children(ply).value_by(task_, ask, pace);
  }
  std::size_t ask_prior(std::size_t ply, std::size_t of) override {
    const std::size_t asked = priors_.find(
        task_.evaluator, ply == 0 ? root_ : children(ply - 1).states[of], children(ply).priors);
    must_agree(children(ply).priors.size(), children(ply).moves.size());
    return asked;
  }
  std::uint64_t hash(std::size_t ply, std::size_t i) const override {
    return task_.game->hash(children(ply).states[i]);
  }
  Scores points(std::size_t ply, std::size_t i) const override {
    return terminal_points(*task_.game, children(ply).states[i], task_.points);
  }
  Scores gain(std::size_t ply, std::size_t i) const override {
    return task_.game->gain(children(ply).states[i]);
  }
  Scores evaluate(std::size_t ply, std::size_t i) const override {
    return task_.evaluator.evaluate(children(ply).states[i]);
  }
  std::uint64_t code(std::size_t ply, std::size_t i) const override {
    return code_of(children(ply).moves[i]);
  }
  std::uint64_t history_code(std::size_t ply, std::size_t i) const override {
    return history_code_of(children(ply).moves[i]);
  }
  void list_codes(std::size_t ply, std::vector<std::uint64_t>& out) const override {
    out.clear();
    for (const auto& move : children(ply).moves) out.push_back(history_code_of(move));
  }
  void list_hashes(std::size_t ply, std::vector<std::uint64_t>& out) const override {
    const auto& states = children(ply).states;
    out.resize(states.size());
    hash_each(*task_.game, std::span(states), out.data());
  }

  void conclude(const Chosen& chosen, int depth) override {
    Verdict<G>& out = verdict_;
    const auto& moves = children(0).moves;
    out.children.clear();
    for (std::size_t i = 0; i < at_root().size(); ++i) {
      const Found& found = at_root()[i];
      const bool exact = found.bound == Bound::exact;
      const bool resolved = exact && found.certainty == Certainty::whole;
      out.children.push_back({moves[i], found.value, 0, resolved, !exact});
    }
    out.best = moves[chosen.index];
    out.value = chosen.found.value;
    out.cost.depth = depth;
    tell_line(depth);
    if (chosen.found.certainty != Certainty::whole) return;
    out.proof = Proof::exact;
    out.coalition = scalar_ && task_.game->players() > 2;
  }

  // The verdict of the last completed depth, with what was spent until now.
  void report() override {
    verdict_.cost = meter_->cost(verdict_.cost.depth, bytes() + priors_.bytes());
    watcher_->see(verdict_);
  }

  // The principal variation; goes on through the table where the search took a value from it.
  void tell_line(int depth) {
    State state = root_;
    std::uint8_t phase = 0;
    verdict_.pv.clear();
    for (const auto& step : frame(0).line) {
      verdict_.pv.push_back(move_of(step.move));
      task_.game->play(state, verdict_.pv.back());
      phase = step.phase;
    }
    for (int left = depth - static_cast<int>(verdict_.pv.size());
         left > 0 && !task_.game->over(state); --left) {
      const std::size_t i = best_of(task_.game->hash(state), phase, left);
      if (i == kNone) return;
      spare_.clear();
      rule_->list(state, phase, spare_);
      if (spare_.ranked || i >= spare_.size() || !spare_.turns[i].natural) return;
      phase = spare_.turns[i].phase;
      verdict_.pv.push_back(spare_.moves[i]);
      state = spare_.states[i];
    }
  }

  Task<G> task_;
  bool scalar_;
  std::unique_ptr<DepthFirstRule<G>> rule_;
  PriorMemory<G> priors_;
  State root_{};
  Meter* meter_ = nullptr;  // of the search that runs, as are the next two
  const Watcher<G>* watcher_ = nullptr;
  Verdict<G> verdict_;
  Children<G> spare_;
};

// The search that a rule makes.
template <Game G, class Rule>
class DepthFirst : public DepthFirstOn<G> {
 public:
  using Params = typename Rule::Params;

  static constexpr About about = Rule::about;

  explicit DepthFirst(const Task<G>& task, const Params& params = {})
      : DepthFirstOn<G>(task, params, Rule::kScalar, std::make_unique<Rule>(task, params)) {}
};

}  // namespace polymax
