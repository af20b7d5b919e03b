// Depth-first search to a depth that grows by one until the budget is gone; the last completed
// depth decides. Children of the last level are valued in one evaluator call (child batching).
// depth_first_rule.hpp says what a search adds. The value of a position at depth d is a definition
// that knows nothing of order, table, windows or batches: the points of a finished position, the
// evaluator's value at depth 0, else the value of the kept child that Taste prefers at depth d-1.
// So table entries serve the same depth only, or any greater one when every line below came to its
// end; and a window leaves room for equal values of moves that come earlier in the order of
// generation. Alpha-beta knows the moves that are not best by a bound only: their values in the
// verdict are at most what is shown.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "core/rng.hpp"
#include "core/searcher.hpp"
#include "tree/children.hpp"
#include "tree/depth_first_rule.hpp"
#include "tree/history.hpp"
#include "tree/meter.hpp"
#include "tree/table.hpp"

namespace polymax {

template <Game G, class Rule>
class DepthFirst {
 public:
  using State = typename G::State;
  using Params = typename Rule::Params;

  static constexpr About about = Rule::about;

  explicit DepthFirst(const Task<G>& task, const Params& params = {})
      : task_(task),
        params_(params),
        rule_(task, params),
        prunes_(Rule::kScalar && params.pruning),
        table_(params.table ? static_cast<std::size_t>(params.memory) << 20 : 0) {}

  Verdict<G> think(const State& root, const Budget& budget, const Watcher<G>& watcher = {}) {
    Meter meter(budget, watcher);
    meter_ = &meter;
    watcher_ = &watcher;
    verdict_ = {};
    stopped_ = false;
    rule_.begin(task_.game->to_move(root));
    table_.next_search();
    history_.fade();
    for (int depth = 1; depth == 1 || !meter.spent(); ++depth) {
      const Certainty certainty = deepen(root, depth);
      if (stopped_ || certainty != Certainty::guessed || depth >= meter.depth_limit()) break;
      report_when_due();
    }
    verdict_.cost = meter.cost(verdict_.cost.depth, table_.bytes());
    return std::move(verdict_);
  }

  void advance(const typename G::Move&) {}  // entries that no longer matter grow old and give way

 private:
  static constexpr float kInfinity = std::numeric_limits<float>::infinity();
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  // Values of the root seat's component that must be known exactly; outside a bound will do.
  struct Window {
    float low = -kInfinity, high = kInfinity;
  };

  struct Step {
    typename G::Move move;
    std::uint8_t phase;  // after the move
  };

  struct Frame {
    Children<G> children;
    std::vector<Step> line;  // the best moves from here as far as they are known
  };

  struct Chosen {
    Found found;
    std::size_t index = kNone;
  };

  // One depth. Changes the verdict only when it is completed.
  Certainty deepen(const State& root, int depth) {
    while (frames_.size() < static_cast<std::size_t>(depth))
      frames_.push_back(std::make_unique<Frame>());
    Frame& frame = *frames_[0];
    const auto& children = frame.children;
    const auto* known = table_.find(key_of(root, 0));
    const std::size_t hint = known ? known->best : kNone;
    open(frame, root, 0, depth, hint);
    at_root_.resize(children.size());
    for (std::size_t i = 0; i < children.size(); ++i)  // stands for moves that k-best leaves out
      at_root_[i] = {children.values[i], Bound::exact,
                     children.over[i] ? Certainty::whole : Certainty::guessed};
    const Chosen chosen = choose(frame, depth, 0, {});
    if (stopped_) return Certainty::guessed;
    table_.store(key_of(root, 0), chosen.found, depth, chosen.index);
    lengthen(root, depth, frame.line);
    conclude(frame, chosen, depth);
    return chosen.found.certainty;
  }

  void conclude(const Frame& frame, const Chosen& chosen, int depth) {
    Verdict<G>& out = verdict_;
    out.children.clear();
    for (std::size_t i = 0; i < at_root_.size(); ++i) {
      const bool exact = at_root_[i].bound == Bound::exact;
      const bool resolved = exact && at_root_[i].certainty == Certainty::whole;
      out.children.push_back({frame.children.moves[i], at_root_[i].value, 0, resolved, !exact});
    }
    out.best = frame.children.moves[chosen.index];
    out.value = chosen.found.value;
    out.pv.clear();
    for (const auto& step : frame.line) out.pv.push_back(step.move);
    out.cost.depth = depth;
    if (chosen.found.certainty != Certainty::whole) return;
    out.proof = Proof::exact;
    out.coalition = Rule::kScalar && task_.game->players() > 2;
  }

  // The verdict of the last completed depth, with what was spent until now.
  void report_when_due() {
    if (!meter_->look_due()) return;
    verdict_.cost = meter_->cost(verdict_.cost.depth, table_.bytes());
    watcher_->see(verdict_);
  }

  // The position is not over, depth >= 1.
  Found visit(const State& state, std::uint8_t phase, int depth, std::size_t ply, Window window) {
    Frame& frame = *frames_[ply];
    frame.line.clear();
    const std::uint64_t key = key_of(state, phase);
    std::size_t hint = kNone;
    if (const auto* known = table_.find(key)) {
      if (serves(*known, depth) && decides(*known, window)) return known->found();
      hint = known->best;
    }
    report_when_due();
    stopped_ = meter_->spent();
    if (stopped_) return {};
    open(frame, state, phase, depth, hint);
    const Chosen chosen = choose(frame, depth, ply, window);
    if (!stopped_) table_.store(key, chosen.found, depth, chosen.index);
    return chosen.found;
  }

  // Lists the moves, values them where that is needed, chooses those that count and puts them in
  // order.
  void open(Frame& frame, const State& state, std::uint8_t phase, int depth, std::size_t hint) {
    auto& children = frame.children;
    const auto k = static_cast<std::size_t>(params_.k);
    children.clear();
    rule_.list(state, phase, children);
    meter_->visited(children.size());
    children.valued =
        children.ranked || (k > 0 && children.size() > k) || (depth == 1 && params_.batch);
    if (children.valued) value(children);
    children.keep_best(*task_.game, k);
    rule_.settle(phase, children);
    if (prunes_ && depth > 1) order(children, hint);
  }

  void value(Children<G>& children) {
    const bool remembers = params_.leaves && params_.table;
    if (remembers) recall(children);
    meter_->evaluated(children.value(task_, params_.batch));
    if (!remembers) return;
    for (std::size_t i = 0; i < children.size(); ++i)
      if (!children.known[i] && !children.over[i])
        keep_leaf(children.states[i], children.values[i]);
  }

  void recall(Children<G>& children) const {
    for (std::size_t i = 0; i < children.size(); ++i) table_.prefetch(leaf_key(children.states[i]));
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (children.over[i]) continue;
      const auto* known = table_.find(leaf_key(children.states[i]));
      children.known[i] = known != nullptr;
      if (known) children.values[i] = known->value;
    }
  }

  // The move that the table names, then the best values where they are known, else the moves that
  // cut most often.
  void order(Children<G>& children, std::size_t hint) {
    if (children.valued)
      children.sort_kept(children.choice);
    else
      history_.sort_kept(children);
    const auto first = std::ranges::find(children.kept, hint);
    if (first != children.kept.end()) std::rotate(children.kept.begin(), first, first + 1);
  }

  // Searches the kept moves; stops early when what is found is more than the window holds.
  Chosen choose(Frame& frame, int depth, std::size_t ply, Window window) {
    const auto& children = frame.children;
    const Taste taste = children.choice;
    const bool cuts = prunes_ && !(depth == 1 && children.valued);
    Chosen best;
    Certainty certainty = children.whole ? Certainty::whole : Certainty::ended;
    const Certainty most = certainty;
    bool exact = true;
    for (const std::size_t i : children.kept) {
      const Found child =
          value_of(frame, i, depth, ply, cuts ? narrowed(window, taste, best, i) : window);
      if (stopped_) return {};
      if (ply == 0) at_root_[i] = child;
      exact = exact && child.bound == Bound::exact;
      certainty = std::min(certainty, child.certainty);
      if (best.index != kNone && !taste.prefers(child.value, i, best.found.value, best.index))
        continue;
      best = {child, i};
      follow(frame, i, depth, ply);
      if (!cuts || !too_good(window, taste, child.value)) continue;
      history_.cut(children.moves[i], taste, depth);
      if (i == children.kept.back()) continue;
      return {{child.value, taste.sign > 0 ? Bound::at_least : Bound::at_most,
               std::min(most, child.certainty)},
              i};
    }
    best.found.bound = exact ? Bound::exact : bound_of(window, taste, best.found.value);
    best.found.certainty = certainty;
    return best;
  }

  Found value_of(const Frame& frame, std::size_t i, int depth, std::size_t ply, Window window) {
    const auto& children = frame.children;
    const State& state = children.states[i];
    if (children.over[i]) {
      const auto& value = children.values[i];
      return {children.valued ? value : terminal_points(*task_.game, state, task_.points),
              Bound::exact, Certainty::whole};
    }
    if (depth > 1) return visit(state, children.turns[i].phase, depth - 1, ply + 1, window);
    return {children.valued ? children.values[i] : leaf(state)};
  }

  Scores leaf(const State& state) {
    const bool remembers = params_.leaves && params_.table;
    if (const auto* known = remembers ? table_.find(leaf_key(state)) : nullptr) return known->value;
    const Scores out = task_.evaluator.evaluate(state);
    meter_->evaluated(1);
    if (remembers) keep_leaf(state, out);
    return out;
  }

  void keep_leaf(const State& state, const Scores& value) {
    table_.store(leaf_key(state), {value}, 0, kNone);
  }

  // The line of play from here begins with move i.
  void follow(Frame& frame, std::size_t i, int depth, std::size_t ply) {
    const auto& children = frame.children;
    frame.line.clear();
    if (!children.turns[i].natural) return;
    frame.line.push_back({children.moves[i], children.turns[i].phase});
    if (depth == 1 || children.over[i]) return;
    const auto& rest = frames_[ply + 1]->line;
    frame.line.insert(frame.line.end(), rest.begin(), rest.end());
  }

  // Goes on through the table where the search took a value from it.
  void lengthen(State state, int depth, std::vector<Step>& line) {
    std::uint8_t phase = 0;
    for (const auto& step : line) {
      task_.game->play(state, step.move);
      phase = step.phase;
    }
    for (int left = depth - static_cast<int>(line.size()); left > 0 && !task_.game->over(state);
         --left) {
      const auto* known = table_.find(key_of(state, phase));
      if (!known || known->bound != Bound::exact || !serves(*known, left)) return;
      spare_.clear();
      rule_.list(state, phase, spare_);
      const std::size_t i = known->best;
      if (spare_.ranked || i >= spare_.size() || !spare_.turns[i].natural) return;
      phase = spare_.turns[i].phase;
      line.push_back({spare_.moves[i], phase});
      state = spare_.states[i];
    }
  }

  std::uint64_t key_of(const State& state, int phase) const {
    return mix64(task_.game->hash(state) + 0x9e3779b97f4a7c15u * rule_.salt(phase));
  }

  // The evaluator's word depends on nothing but the position.
  std::uint64_t leaf_key(const State& state) const { return mix64(~task_.game->hash(state)); }

  static bool serves(const Table::Entry& entry, int depth) {
    return entry.depth == depth || (entry.depth < depth && entry.certainty != Certainty::guessed);
  }

  bool decides(const Table::Entry& entry, Window window) const {
    if (entry.bound == Bound::exact) return true;
    const float value = entry.value[rule_.root()];
    return prunes_ && (entry.bound == Bound::at_least ? value >= window.high : value <= window.low);
  }

  // The window in the mover's eyes: `taste.of` of a value that is needed exactly lies between floor
  // and ceiling.
  static float floor(Window window, Taste taste) {
    return taste.sign > 0 ? window.low : -window.high;
  }
  static float ceiling(Window window, Taste taste) {
    return taste.sign > 0 ? window.high : -window.low;
  }

  static bool too_good(Window window, Taste taste, const Scores& value) {
    return taste.of(value) >= ceiling(window, taste);
  }

  static Bound bound_of(Window window, Taste taste, const Scores& value) {
    if (too_good(window, taste, value)) return taste.sign > 0 ? Bound::at_least : Bound::at_most;
    if (taste.of(value) > floor(window, taste)) return Bound::exact;
    return taste.sign > 0 ? Bound::at_most : Bound::at_least;
  }

  // Move i must be better than the best one so far; or as good, if it comes earlier in the order of
  // generation.
  static Window narrowed(Window window, Taste taste, const Chosen& best, std::size_t i) {
    if (best.index == kNone) return window;
    float reached = taste.of(best.found.value);
    if (i < best.index) reached = std::nextafter(reached, -kInfinity);
    if (reached <= floor(window, taste)) return window;
    return taste.sign > 0 ? Window{reached, window.high} : Window{window.low, -reached};
  }

  Task<G> task_;
  Params params_;
  Rule rule_;
  bool prunes_;
  Table table_;
  History<G> history_;
  Meter* meter_ = nullptr;  // of the search that runs, as are the next three
  const Watcher<G>* watcher_ = nullptr;
  Verdict<G> verdict_;
  bool stopped_ = false;
  std::vector<std::unique_ptr<Frame>> frames_;  // by distance from the root
  std::vector<Found> at_root_;
  Children<G> spare_;
};

}  // namespace polymax
