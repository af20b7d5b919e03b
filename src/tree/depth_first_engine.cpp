#include "tree/depth_first_engine.hpp"

#include <algorithm>
#include <cmath>

#include "core/rng.hpp"

namespace polymax {

namespace {

// The evaluator's word depends on nothing but the position.
std::uint64_t leaf_key(std::uint64_t hash) {
  return mix64(~hash);
}

}  // namespace

DepthFirstEngine::DepthFirstEngine(const DepthFirstParams& params, bool scalar)
    : params_(params),
      prunes_(scalar && params.pruning),
      table_(params.table ? static_cast<std::size_t>(params.memory) << 20 : 0) {}

DepthFirstEngine::~DepthFirstEngine() = default;

void DepthFirstEngine::search(int root_seat, Meter& meter) {
  root_seat_ = root_seat;
  meter_ = &meter;
  stopped_ = false;
  table_.next_search();
  history_.fade();
  for (int depth = 1; depth == 1 || !meter.spent(); ++depth) {
    const Certainty certainty = deepen(depth);
    if (stopped_ || certainty != Certainty::guessed || depth >= meter.depth_limit()) break;
    report_when_due();
  }
}

void DepthFirstEngine::report_when_due() {
  if (meter_->look_due()) report();
}

std::size_t DepthFirstEngine::best_of(std::uint64_t hash, int phase, int depth) const {
  const auto* known = table_.find(key_of(hash, phase));
  return known && known->bound == Bound::exact && serves(*known, depth) ? known->best : kNone;
}

// One depth. Concludes only when it is completed.
Certainty DepthFirstEngine::deepen(int depth) {
  while (frames_.size() < static_cast<std::size_t>(depth)) frames_.push_back(make_frame());
  const auto& children = frames_[0]->children;
  const std::uint64_t key = key_of(root_hash(), 0);
  const auto* known = table_.find(key);
  const std::size_t hint = known ? known->best : kNone;
  can_give_up_ = depth > 1;
  open(0, 0, 0, depth, hint);
  if (stopped_) return Certainty::guessed;
  at_root_.resize(children.size());
  for (std::size_t i = 0; i < children.size(); ++i)  // stands for moves that k-best leaves out
    at_root_[i] = {children.values[i], Bound::exact,
                   children.over[i] ? Certainty::whole : Certainty::guessed};
  const Chosen chosen = choose(0, depth, {});
  if (stopped_) return Certainty::guessed;
  if (!children.cut()) table_.store(key, chosen.found, depth, chosen.index);
  if (!children.priors.empty() || children.cut()) note_left_out(chosen.found);
  conclude(chosen, depth);
  return chosen.found.certainty;
}

// The position behind child `of` of the frame before is not over, depth >= 1.
Found DepthFirstEngine::visit(std::size_t ply, std::size_t of, std::uint8_t phase, int depth,
                              Window window) {
  frames_[ply]->line.clear();
  const std::uint64_t key = key_of(hash(ply - 1, of), phase);
  std::size_t hint = kNone;
  if (const auto* known = table_.find(key)) {
    if (serves(*known, depth) && decides(*known, window)) return known->found();
    hint = known->best;
  }
  report_when_due();
  stopped_ = meter_->spent();
  if (stopped_) return {};
  open(ply, of, phase, depth, hint);
  if (stopped_) return {};
  const Chosen chosen = choose(ply, depth, window);
  if (!stopped_) table_.store(key, chosen.found, depth, chosen.index);
  return chosen.found;
}

// Lists the moves, values them where that is needed, chooses those that count and puts them in
// order.
void DepthFirstEngine::open(std::size_t ply, std::size_t of, std::uint8_t phase, int depth,
                            std::size_t hint) {
  auto& children = frames_[ply]->children;
  const auto k = static_cast<std::size_t>(params_.k);
  list(ply, of, phase);
  meter_->visited(children.size());
  const bool chooses = children.ranked || (k > 0 && children.size() > k);
  const bool orders = chooses || (prunes_ && depth > 1);
  if (params_.order == MoveOrder::prior && orders && children.size() > 1)
    meter_->evaluated(ask_prior(ply, of));
  const bool by_prior = !children.priors.empty();
  children.valued = (chooses && !by_prior) || (depth == 1 && params_.batch);
  if (children.valued && !by_prior) value_children(ply);
  if (stopped_) return;
  keep_best(ply, k);
  settle(ply, phase);
  if (children.valued && by_prior) value_children(ply);
  if (stopped_) return;
  children.drop_left();
  if (prunes_ && depth > 1) order(ply, hint);
}

void DepthFirstEngine::value_children(std::size_t ply) {
  auto& children = frames_[ply]->children;
  if (remembers()) {
    list_hashes(ply, hashes_);
    recall(children);
  }
  if (!children.priors.empty())
    for (std::size_t i = 0; i < children.size(); ++i)
      if (std::ranges::find(children.kept, i) == children.kept.end()) children.known[i] = 1;
  meter_->evaluated(value(ply, meter_));
  stopped_ = children.cut() && can_give_up_;  // the first depth takes what was valued
  if (children.cut() || !remembers()) return;
  for (std::size_t i = 0; i < children.size(); ++i)
    if (!children.known[i] && !children.over[i])
      table_.store(leaf_key(hashes_[i]), {children.values[i]}, 0, kNone);
}

// What the table knows of the children whose hashes were listed.
void DepthFirstEngine::recall(ChildChoice& children) const {
  for (const auto hash : hashes_) table_.prefetch(leaf_key(hash));
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (children.over[i]) continue;
    const auto* known = table_.find(leaf_key(hashes_[i]));
    children.known[i] = known != nullptr;
    if (known) children.values[i] = known->value;
  }
}

// Of moves that the prior left out, or that there was no time for, nothing is known but that they
// are not played, or their end.
void DepthFirstEngine::note_left_out(const Found& best) {
  const auto& children = frames_[0]->children;
  const auto among = [](const auto& list, std::size_t i) {
    return std::ranges::find(list, i) != list.end();
  };
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (children.priors.empty() ? !among(children.left, i) : among(children.kept, i)) continue;
    at_root_[i] = children.over[i] ? Found{points(0, i), Bound::exact, Certainty::whole}
                                   : Found{best.value, Bound::at_most, Certainty::guessed};
  }
}

// The k moves that rank best by their values or by the prior, and every finished one that wins for
// who ranks.
void DepthFirstEngine::keep_best(std::size_t ply, std::size_t k) {
  auto& children = frames_[ply]->children;
  auto& kept = children.kept;
  children.keep_all();
  children.drop_left();
  if (k == 0 || kept.size() <= k) return;
  if (children.priors.empty())
    children.sort_kept(children.rank);
  else
    children.sort_kept_by_prior();
  const auto wins = [&](auto i) { return children.over[i] && children.rank.of(gain(ply, i)) > 0; };
  const auto rest = kept.begin() + static_cast<std::ptrdiff_t>(k);
  kept.erase(std::remove_if(rest, kept.end(), [&](auto i) { return !wins(i); }), kept.end());
  children.whole &= kept.size() == children.size();
}

// The move that the table names, then the best values where they are known, else the largest
// priors, else the moves that cut most often.
void DepthFirstEngine::order(std::size_t ply, std::size_t hint) {
  auto& children = frames_[ply]->children;
  if (children.valued) {
    children.sort_kept(children.choice);
  } else if (!children.priors.empty()) {
    children.sort_kept_by_prior();
  } else {
    list_codes(ply, codes_);
    history_.sort_kept(children, codes_);
  }
  const auto first = std::ranges::find(children.kept, hint);
  if (first != children.kept.end()) std::rotate(children.kept.begin(), first, first + 1);
}

// Searches the kept moves; stops early when what is found is more than the window holds.
DepthFirstEngine::Chosen DepthFirstEngine::choose(std::size_t ply, int depth, Window window) {
  auto& children = frames_[ply]->children;
  const Taste taste = children.choice;
  const bool cuts = prunes_ && !(depth == 1 && children.valued);
  Chosen best;
  Certainty certainty = children.whole ? Certainty::whole : Certainty::ended;
  const Certainty most = certainty;
  bool exact = true;
  for (std::size_t at = 0; at < children.kept.size(); ++at) {
    const std::size_t i = children.kept[at];
    if (!can_give_up_ && !children.valued && at > 0 && meter_->interrupted()) {
      children.leave_from(at);
      certainty = Certainty::guessed;
      break;
    }
    const Found child = value_of(ply, i, depth, cuts ? narrowed(window, taste, best, i) : window);
    if (stopped_) return {};
    if (ply == 0) at_root_[i] = child;
    exact = exact && child.bound == Bound::exact;
    certainty = std::min(certainty, child.certainty);
    if (best.index != kNone && !taste.prefers(child.value, i, best.found.value, best.index))
      continue;
    best = {child, i};
    follow(ply, i, depth);
    if (!cuts || !too_good(window, taste, child.value)) continue;
    history_.cut(history_code(ply, i), taste, depth);
    if (i == children.kept.back()) continue;
    return {{child.value, taste.sign > 0 ? Bound::at_least : Bound::at_most,
             std::min(most, child.certainty)},
            i};
  }
  best.found.bound = exact ? Bound::exact : bound_of(window, taste, best.found.value);
  best.found.certainty = certainty;
  return best;
}

Found DepthFirstEngine::value_of(std::size_t ply, std::size_t i, int depth, Window window) {
  const auto& children = frames_[ply]->children;
  if (children.over[i])
    return {children.valued ? children.values[i] : points(ply, i), Bound::exact, Certainty::whole};
  if (depth > 1) return visit(ply + 1, i, children.turns[i].phase, depth - 1, window);
  return {children.valued ? children.values[i] : leaf(ply, i)};
}

Scores DepthFirstEngine::leaf(std::size_t ply, std::size_t i) {
  const std::uint64_t key = remembers() ? leaf_key(hash(ply, i)) : 0;
  if (const auto* known = remembers() ? table_.find(key) : nullptr) return known->value;
  const Scores out = evaluate(ply, i);
  meter_->evaluated(1);
  if (remembers()) table_.store(key, {out}, 0, kNone);
  return out;
}

// The line of play from here begins with move i.
void DepthFirstEngine::follow(std::size_t ply, std::size_t i, int depth) {
  Frame& frame = *frames_[ply];
  const auto& children = frame.children;
  frame.line.clear();
  if (!children.turns[i].natural) return;
  frame.line.push_back({code(ply, i), children.turns[i].phase});
  if (depth == 1 || children.over[i]) return;
  const auto& rest = frames_[ply + 1]->line;
  frame.line.insert(frame.line.end(), rest.begin(), rest.end());
}

std::uint64_t DepthFirstEngine::key_of(std::uint64_t hash, int phase) const {
  return mix64(hash + 0x9e3779b97f4a7c15u * salt(phase));
}

bool DepthFirstEngine::serves(const Table::Entry& entry, int depth) {
  return entry.depth == depth || (entry.depth < depth && entry.certainty != Certainty::guessed);
}

bool DepthFirstEngine::decides(const Table::Entry& entry, Window window) const {
  if (entry.bound == Bound::exact) return true;
  const float value = entry.value[root_seat_];
  return prunes_ && (entry.bound == Bound::at_least ? value >= window.high : value <= window.low);
}

// The window in the mover's eyes: `taste.of` of a value that is needed exactly lies between floor
// and ceiling.
float DepthFirstEngine::floor(Window window, Taste taste) {
  return taste.sign > 0 ? window.low : -window.high;
}

float DepthFirstEngine::ceiling(Window window, Taste taste) {
  return taste.sign > 0 ? window.high : -window.low;
}

bool DepthFirstEngine::too_good(Window window, Taste taste, const Scores& value) {
  return taste.of(value) >= ceiling(window, taste);
}

Bound DepthFirstEngine::bound_of(Window window, Taste taste, const Scores& value) {
  if (too_good(window, taste, value)) return taste.sign > 0 ? Bound::at_least : Bound::at_most;
  if (taste.of(value) > floor(window, taste)) return Bound::exact;
  return taste.sign > 0 ? Bound::at_most : Bound::at_least;
}

// Move i must be better than the best one so far; or as good, if it comes earlier in the order of
// generation.
DepthFirstEngine::Window DepthFirstEngine::narrowed(Window window, Taste taste, const Chosen& best,
                                                    std::size_t i) {
  if (best.index == kNone) return window;
  float reached = taste.of(best.found.value);
  if (i < best.index) reached = std::nextafter(reached, -Window::kInfinity);
  if (reached <= floor(window, taste)) return window;
  return taste.sign > 0 ? Window{reached, window.high} : Window{window.low, -reached};
}

}  // namespace polymax
