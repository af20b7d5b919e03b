// Children that are not valued yet (BestFirstEngine): how they lie in the tree, and how more of
// them are valued.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tree/agree.hpp"
#include "tree/best_first_engine.hpp"

namespace polymax {

// What valuing has left: to be valued before all others, in this order.
void BestFirstEngine::leave_unseen(Line& line) const {
  const auto& left = line.children.left;
  line.priors.resize(line.hashes.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    line.bits[left[i]] |= bits::kUnseen;
    line.priors[left[i]] = static_cast<float>(1 + left.size() - i);  // priors are at most 1
  }
}

// Worse than all others in the mover's eyes, in c and in v, so that nobody asks whether an edge is
// unseen but who chooses a way down. The prior lies where another seat's value will be.
void BestFirstEngine::hide(const Edges& edges, std::size_t e, const Taste& taste,
                           float prior) const {
  Scores value;
  value[taste.seat] = (taste.sign > 0 ? -1.0f : 1.0f) * std::numeric_limits<float>::infinity();
  value[(taste.seat + 1) % seats_] = prior;
  edges.set_value(e, value);
  edges.bits[e] = static_cast<std::uint16_t>(
      bits::kUnseen |
      completion::with_seat(completion::kUnknown, taste.seat, taste.sign > 0 ? -1 : 1));
}

float BestFirstEngine::prior(const Edges& edges, std::size_t e, const Taste& taste) const {
  return edges.of_seat((taste.seat + 1) % seats_)[e];
}

bool BestFirstEngine::has_unseen(const Node& node) const {
  const Edges edges = tree_.edges(node);
  return std::any_of(edges.bits, edges.bits + edges.count,
                     [](std::uint16_t b) { return (b & bits::kUnseen) != 0; });
}

Scores BestFirstEngine::worst_seen() const {
  const Edges edges = tree_.edges(root_);
  const AimedEdges aimed(edges, taste(tree_[root_]));
  std::size_t worst = kNoEdge;
  for (std::size_t e = 0; e < edges.count; ++e)
    if (!(edges.bits[e] & bits::kUnseen) && (worst == kNoEdge || aimed.v(e) < aimed.v(worst)))
      worst = e;
  return edges.value(worst);
}

// How many children of a position are to be valued before a line goes on from it.
std::size_t BestFirstEngine::missing(const Node& node) const {
  if (!node.is_narrow || node.is_widening) return 0;
  const Edges edges = tree_.edges(node);
  if (rules_.widen == 0) return edges.count;
  std::size_t seen = 0;
  double visits = 0;
  bool open = false;
  for (std::size_t e = 0; e < edges.count; ++e) {
    if (edges.bits[e] & bits::kUnseen) continue;
    ++seen;
    visits += edges.visits[e];
    open = open || !(edges.bits[e] & bits::kResolved);
  }
  const auto step = static_cast<std::size_t>(rules_.widen);
  const double steps = std::floor(std::pow(1 + visits, rules_.widen_rate));
  std::size_t width = steps * static_cast<double>(step) < edges.count
                          ? static_cast<std::size_t>(steps) * step
                          : edges.count;
  if (!open) width = std::max(width, seen + step);
  return width > seen ? std::min<std::size_t>(width, edges.count) - seen : 0;
}

// Those with the highest priors, equal ones in their order.
void BestFirstEngine::choose_unseen(Line& line, std::size_t count) const {
  const Node& node = tree_[line.at];
  const Edges edges = tree_.edges(node);
  auto& out = line.to_value;
  out.clear();
  for (std::size_t e = 0; e < edges.count; ++e)
    if (edges.bits[e] & bits::kUnseen) out.push_back(e);
  std::ranges::stable_sort(out, std::ranges::greater(),
                           [&](std::size_t e) { return prior(edges, e, taste(node)); });
  out.resize(std::min(out.size(), count));
}

// Values more children of the node where the line stands. Unlocks meanwhile as expand() does.
void BestFirstEngine::widen(Line& line, std::size_t count, Meter& meter, Lock& lock) {
  unblock(line);
  choose_unseen(line, count);
  line.widens = true;
  tree_[line.at].is_widening = 1;
  step(line);
  const std::size_t edges_before = tree_[line.at].count;
  const bool alone = lines_.size() == 1;
  if (!alone) lock.unlock();
  line.is_listed = false;
  list(line, salt_);
  must_agree(line.hashes.size(), edges_before);
  const std::size_t evaluated = value_more(line, &meter);
  if (!alone) lock.lock();
  for (const std::size_t e : line.children.left) std::erase(line.to_value, e);
  meter.visited(line.to_value.size());
  meter.evaluated(evaluated);
  line.is_listed = true;
  line.listed = line.hash;
  line.widens = false;
  Node& node = tree_[line.at];
  node.is_widening = 0;
  if (node.bits & bits::kResolved) return;
  const Edges edges = tree_.edges(node);
  for (const std::size_t e : line.to_value) {
    if (!(edges.bits[e] & bits::kUnseen)) continue;  // has become a node in the meantime
    edges.set_value(e, line.children.values[e]);
    edges.bits[e] = line.bits[e];
  }
  node.is_narrow = has_unseen(node);
  summarise(node);
}

}  // namespace polymax
