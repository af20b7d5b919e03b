#include "tree/best_first_engine.hpp"

#include <algorithm>
#include <utility>

#include "core/rng.hpp"
#include "core/thread.hpp"

namespace polymax {

namespace {

bool copy(const Arena::Node& from, const Edges& edges, std::size_t e) {
  constexpr std::uint16_t kCopied =
      bits::kCompletion | bits::kResolved | bits::kExact | bits::kUnseen;
  if ((edges.bits[e] & kCopied) == from.bits && edges.value(e) == from.value) return false;
  edges.bits[e] = static_cast<std::uint16_t>((edges.bits[e] & ~kCopied) | from.bits);
  edges.set_value(e, from.value);
  return true;
}

Rank second_of(const Arena::Node& node) {
  return {static_cast<int>(node.second_c) - 2, node.second};
}

void set_second(Arena::Node& node, const Rank& second) {
  node.second_c = static_cast<std::uint8_t>(second.c + 2) & 15;
  node.second = second.v;
}

}  // namespace

BestFirstEngine::BestFirstEngine(int seats, Points points, ResolvedPositions* resolved,
                                 const BestFirstRules& rules, std::size_t memory,
                                 std::size_t kept_bytes)
    : seats_(seats),
      points_(points),
      resolved_(resolved),
      rules_(rules),
      tree_(seats, memory, kept_bytes) {}

BestFirstEngine::~BestFirstEngine() = default;

Line& BestFirstEngine::line(std::size_t i) {
  while (lines_.size() <= i) lines_.push_back(make_line());
  return *lines_[i];
}

void BestFirstEngine::start(const Place& root, Meter& meter) {
  Lock lock(mutex_);
  if ((rules_.coalition || cares()) && root.seat != view_ && tree_.size() > 0)
    salt_ = mix64(~++views_);  // no hash is made like this
  view_ = root.seat;
  depth_ = 1;
  root_ply_ = root.ply;
  root_ = tree_.find(root.hash ^ salt_);
  if (root_ != kNoNode) return;
  make_room(meter);
  root_ = expand(line(0), meter, lock, &meter);
}

void BestFirstEngine::set_care(const Scores& care) {
  const Scores before = std::exchange(rules_.care, care);
  if (before != care && tree_.size() > 0) salt_ = mix64(~++views_);
}

void BestFirstEngine::run(Meter& meter, const Run& how, const TreeWatch& watch) {
  failure_ = nullptr;
  lines_left_ = how.lines;
  const auto count = static_cast<std::size_t>(how.threads);
  line(count - 1);
  run_together(count, [&](std::size_t i) { extend_lines(i, meter, how, watch); });
  if (failure_) std::rethrow_exception(failure_);
}

// The work of one thread. The first one also tells the watcher.
void BestFirstEngine::extend_lines(std::size_t thread, Meter& meter, const Run& how,
                                   const TreeWatch& watch) {
  Lock lock(mutex_);
  Line& own = line(thread);
  try {
    while (!failure_ && lines_left_ > 0 && !solved() && !meter.spent() &&
           depth_ < meter.depth_limit()) {
      --lines_left_;  // before the lock is given away: no two threads make the same line
      if (extend(own, how.whole, meter, lock)) {
        if (how.threads > 1) changed_.notify_all();
      } else {
        ++lines_left_;
        if (!meter.spent()) changed_.wait(lock);
      }
      if (thread > 0 || !meter.look_due()) continue;
      watch.prepare();
      lock.unlock();
      watch.tell();
      lock.lock();
    }
  } catch (...) {
    if (!lock) lock.lock();
    failure_ = std::current_exception();
  }
  changed_.notify_all();
}

// One iteration. `lock` is held at entry and exit; the tree changes while the evaluator works.
// Returns false when every line from here is being extended by other threads. When the evaluator
// or the game throws, the line leaves no trace.
bool BestFirstEngine::extend(Line& line, bool whole, Meter& meter, Lock& lock) {
  try {
    if (!go_down(line, whole, meter, lock)) return false;
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    withdraw(line);
    throw;
  }
  ended(line);
  back_up(line);
  return true;
}

// From the root to a new node; whole lines to a resolved one, whatever time that takes, unless
// asked to stop. False when everything is pending or there was no time to value the node or to make
// room.
bool BestFirstEngine::go_down(Line& line, bool whole, Meter& meter, Lock& lock) {
  if (!make_room(meter)) return false;
  line.at = root_;
  bool fresh = false;
  while (open(line.at)) {
    Node& node = tree_[line.at];
    if (const std::size_t more = missing(node); more > 0) {
      widen(line, more, meter, lock);
      break;
    }
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
    line.at = fresh ? expand_behind(line, whole, meter, lock) : next;
    if (line.at == kNoNode) {
      withdraw(line);
      return false;
    }
    if (fresh && (!whole || meter.stopped() || !make_room(meter))) break;
  }
  unblock(line);
  return true;
}

// best_action_dual; when the best edge is better than all others it is that one.
std::size_t BestFirstEngine::select(const Node& node, const Edges& edges) const {
  const AimedEdges aimed(edges, taste(node));
  const bool open = !(edges.bits[node.best] & (bits::kResolved | bits::kPending));
  return open && second_of(node) < aimed.rank(node.best) ? node.best : aimed.best_action_dual();
}

// As if the line had never been begun.
void BestFirstEngine::withdraw(Line& line) {
  for (const auto& [i, e] : line.steps) {
    --tree_.edges(i).visits[e];
    --tree_[i].weight;
  }
  abandon(line);
}

void BestFirstEngine::abandon(Line& line) {
  unblock(line);
  if (std::exchange(line.widens, false)) tree_[line.at].is_widening = 0;
  for (; !line.steps.empty(); line.steps.pop_back()) {
    const auto [i, e] = line.steps.back();
    tree_.edges(i).bits[e] &= static_cast<std::uint16_t>(~bits::kPending);
    if (!resolved(i)) summarise(tree_[i]);  // visits have changed
  }
  line.at = kNoNode;
}

// Brings a node up to date; false when it is resolved.
bool BestFirstEngine::open(NodeIndex i) {
  Node& node = tree_[i];
  if (node.bits & bits::kResolved) return false;
  if (!rules_.refresh) return true;
  const bool look = tree_.must_look(node);
  if ((look || node.has_shared) && refresh(i, look)) {
    if (node.is_narrow) node.is_narrow = has_unseen(node);
    summarise(node);
  }
  return !(node.bits & bits::kResolved);
}

// Copies c, v, r of the nodes behind; returns whether anything changed. Edges that are not shared
// are up to date.
bool BestFirstEngine::refresh(NodeIndex i, bool look) {
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

// c, v, r of a node from its edges.
void BestFirstEngine::summarise(Node& node) {
  const Edges edges = tree_.edges(node);
  const AimedEdges aimed(edges, taste(node));
  Rank second;
  node.best = static_cast<std::uint32_t>(aimed.best_action(second));
  set_second(node, second);
  take_best(node, aimed, edges);
}

void BestFirstEngine::take_best(Node& node, const AimedEdges& aimed, const Edges& edges) const {
  node.value = edges.value(node.best);
  unsigned r = 0;
  if (aimed.resolves(node.best, rules_.literal && !node.is_narrow))
    r = bits::kResolved | (aimed.exact(node.best, scalar()) ? bits::kExact : 0);
  const bool better_may_come = node.is_narrow && aimed.c(node.best) < 1;
  const unsigned c = better_may_come ? completion::kUnknown : edges.bits[node.best];
  node.bits = static_cast<std::uint16_t>((c & bits::kCompletion) | r);
}

// As summarise() when only edge e has got a visit more and c, v, r of the node behind it: the
// other edges are looked at only when the best one has become worse than it was.
void BestFirstEngine::settle(Node& node, const Edges& edges, std::size_t e, const Node& behind) {
  const AimedEdges aimed(edges, taste(node));
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

void BestFirstEngine::back_up(Line& line) {
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
bool BestFirstEngine::step_back(Line& line) {
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

void BestFirstEngine::unblock(Line& line) {
  for (const auto& [node, e] : line.blocked)
    tree_.edges(node).bits[e] &= static_cast<std::uint16_t>(~bits::kPending);
  line.blocked.clear();
}

// Expands the position behind the line's last step.
NodeIndex BestFirstEngine::expand_behind(Line& line, bool whole, Meter& meter, Lock& lock) {
  unblock(line);
  const auto [i, e] = line.steps.back();
  tree_.edges(i).bits[e] |= bits::kPending;
  line.at = i;
  step(line);
  return expand(line, meter, lock, whole ? nullptr : &meter);
}

// Expands the line's position. Where there are other lines, unlocks while children are listed and
// valued: somebody else may expand the position in the meantime. kNoNode when `until` cut it short;
// a root is taken as far as it was valued.
NodeIndex BestFirstEngine::expand(Line& line, Meter& meter, Lock& lock, const Meter* until) {
  const bool alone = lines_.size() == 1;
  if (!alone) lock.unlock();
  line.is_listed = false;
  list(line, salt_);
  if (rules_.refresh) {
    if (!alone) lock.lock();
    take_known(line);
    if (!alone) lock.unlock();
  }
  const std::size_t evaluated = value(line, until);
  if (!alone) lock.lock();
  if (line.children.cut()) {
    if (!line.steps.empty()) return kNoNode;
    leave_unseen(line);
  }
  meter.visited(line.hashes.size() - line.children.left.size());
  meter.evaluated(evaluated);
  depth_ = std::max(depth_, static_cast<int>(line.steps.size()) + 1);
  const NodeIndex found = tree_.find(line.hash);
  if (found != kNoNode) return found;
  line.is_listed = true;
  line.listed = line.hash;
  const NodeIndex out = attach(line);
  Node& node = tree_[out];
  node.seat = static_cast<std::uint8_t>(line.seat) & 15;
  keep(out, line);
  summarise(node);
  return out;
}

// Children that are nodes already, or resolved in another match, need no evaluation.
void BestFirstEngine::take_known(Line& line) {
  const auto take = [&](std::size_t i, const Scores& value, std::uint16_t bits) {
    line.children.known[i] = 1;
    line.children.values[i] = value;
    line.bits[i] = bits;
  };
  line.looked = tree_.added_at(static_cast<std::size_t>(line.ply) + 1);
  for (const auto hash : line.hashes) tree_.prefetch(hash);
  for (std::size_t i = 0; i < line.hashes.size(); ++i) {
    if (line.children.over[i]) continue;
    const NodeIndex node = tree_.find(line.hashes[i]);
    if (node != kNoNode)
      take(i, tree_[node].value, tree_[node].bits);
    else if (resolved_ != nullptr && !rules_.coalition && !cares())
      if (const auto known = resolved_->find(line.hashes[i])) take(i, known->value, known->bits);
  }
}

NodeIndex BestFirstEngine::attach(const Line& line) {
  const std::size_t count = line.hashes.size();
  const Step from = line.steps.empty() ? Step{} : line.steps.back();
  const NodeIndex out = tree_.add(line.hash, line.ply, count, from.node, from.edge);
  const Edges edges = tree_.edges(out);
  std::ranges::copy(line.hashes, edges.link);
  std::ranges::copy(line.bits, edges.bits);
  for (std::size_t e = 0; e < count; ++e) {
    if (line.bits[e] & bits::kUnseen) {
      hide(edges, e, taste(line.seat), line.priors[e]);
      tree_[out].is_narrow = 1;
    } else {
      edges.set_value(e, line.children.values[e]);
    }
  }
  if (!rules_.refresh) return out;
  tree_[out].looked = line.looked;
  for (std::size_t e = 0; e < count; ++e)
    if (line.children.known[e]) tree_.child(out, edges, e);
  return out;
}

// When memory is short: frees nodes, piece by piece, until one more fits in. False when the meter
// calls before.
bool BestFirstEngine::make_room(const Meter& meter) {
  if (!tree_.wants_room() && !tree_.needs_room()) return true;
  pin(Pin::held);
  sweep();
  bool enough = !tree_.needs_room();
  while (!enough && !meter.interrupted()) {
    sweep();
    enough = !tree_.needs_room();
  }
  pin(Pin::free);
  return enough;
}

void BestFirstEngine::sweep() {
  tree_.sweep(root_ply_, [this](NodeIndex i) { forget(i); });
}

// The root and the nodes of all lines stay.
void BestFirstEngine::pin(Pin how) {
  const auto set = [&](NodeIndex i) {
    if (i != kNoNode) tree_[i].is_pinned = how == Pin::held;
  };
  set(root_);
  for (const auto& line : lines_) {
    set(line->at);
    for (const auto& step : line->steps) set(step.node);
    for (const auto& step : line->blocked) set(step.node);
  }
}

std::vector<Step> BestFirstEngine::principal_variation(std::size_t first) const {
  std::vector<Step> out{{root_, first}};
  for (;;) {
    const NodeIndex at = tree_.behind(tree_.edges(out.back().node), out.back().edge);
    if (at == kNoNode) return out;
    out.push_back({at, AimedEdges(tree_.edges(at), taste(tree_[at])).best_action()});
  }
}

void BestFirstEngine::prove(Conclusion& out) const {
  const Node& root = tree_[root_];
  out.proof = Proof::none;
  if (!solved() || (rules_.literal && !scalar()) || cares()) return;  // a model proves nothing
  const int seat = taste(root).seat;
  const bool exact = points_ == Points::gain || root.bits & bits::kExact;
  out.proof = exact && out.value[seat] == root.value[seat] ? Proof::exact : Proof::gain;
  out.proven_gain = completion::of_seat(root.bits, seat);
  out.coalition = rules_.coalition && seats_ > 2;
}

}  // namespace polymax
