// Unbounded Max^n, Unbounded Minimax and Descent written straight from their definition, on
// explicit trees: recursion, an ordered map as table, every edge looked at every time. The searches
// must agree with it after every iteration.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "core/points.hpp"
#include "tests/search/tree_game.hpp"
#include "tree/best_first.hpp"

namespace polymax::naive {

struct Known {
  Scores c, v;
  bool r = false;
  friend bool operator==(const Known&, const Known&) = default;
};

struct Edge {
  std::uint32_t to = 0;
  Known known;
  int n = 0;
  bool seen = true;  // off: progressive widening has not valued it yet
};

struct Entry {
  std::vector<Edge> edges;
  Known known;
};

struct BestFirst {
  explicit BestFirst(const tree_game::Rules& rules) : game(rules) {}

  const tree_game::Rules& game;
  Points points = Points::score;
  bool literal = false, refresh = true, whole = false;  // whole: Descent
  int view = -1;                                        // >= 0: coalition against this seat
  std::map<std::uint32_t, Entry> table;
  std::map<std::uint32_t, std::vector<Scores>>
      ends;         // of Descent: where the lines through a position ended
  Scores line_end;  // of the last iteration

  int component(std::uint32_t s) const { return view >= 0 ? view : game.node({s}).seat; }
  float sign(std::uint32_t s) const {
    return view >= 0 && game.node({s}).seat != view ? -1.0f : 1.0f;
  }

  // What the mover wants most of.
  int spoiled = -1;  // the seat that the others care to spoil, as much as `care` says
  float care = 0;
  float wanted(std::uint32_t s, const Scores& v) const {
    const float own = sign(s) * v[component(s)];
    return spoiled >= 0 && game.node({s}).seat != spoiled ? own - care * v[spoiled] : own;
  }

  template <class Key>
  static std::size_t argmax(const std::vector<Edge>& edges, bool unresolved_only, Key key) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < edges.size(); ++i)
      if (edges[i].seen && (!unresolved_only || !edges[i].known.r)) order.push_back(i);
    return *std::ranges::max_element(order, {}, [&](std::size_t i) { return key(edges[i]); });
  }
  std::size_t best_action(std::uint32_t s) const {
    const int p = component(s);
    const float o = sign(s);
    return argmax(table.at(s).edges, false, [&](const Edge& a) {
      return std::tuple{o * a.known.c[p], wanted(s, a.known.v), a.n};
    });
  }
  std::size_t best_action_dual(std::uint32_t s) const {
    const int p = component(s);
    const float o = sign(s);
    return argmax(table.at(s).edges, true, [&](const Edge& a) {
      return std::tuple{o * a.known.c[p], wanted(s, a.known.v), -a.n};
    });
  }
  std::size_t safe_action(std::uint32_t s) const {
    const int p = component(s);
    const float o = sign(s);
    return argmax(table.at(s).edges, false, [&](const Edge& a) {
      return std::tuple{o * a.known.c[p], a.n, wanted(s, a.known.v)};
    });
  }
  // Of a resolved position: what is proven comes before what only looks so, then the value.
  std::size_t proven_action(std::uint32_t s) const {
    const int p = component(s);
    const float o = sign(s);
    return argmax(table.at(s).edges, false, [&](const Edge& a) {
      return std::tuple{o * a.known.c[p], a.known.r, wanted(s, a.known.v), a.n};
    });
  }

  bool backup_resolution(std::uint32_t s) const {
    const auto& edges = table.at(s).edges;
    const Known& best = edges[best_action(s)].known;
    const float own = sign(s) * best.c[component(s)];
    if (literal && !narrow(s) ? std::abs(own) == 1 : own == 1 && best.r) return true;
    return std::ranges::all_of(edges, [](const Edge& a) { return a.seen && a.known.r; });
  }

  void back_up(std::uint32_t s) {
    Known up = table[s].edges[best_action(s)].known;
    up.r = backup_resolution(s);
    if (narrow(s) && sign(s) * up.c[component(s)] < 1) up.c = {};
    table[s].known = up;
  }

  // ---- progressive widening
  int widen = 0;
  double rate = 0.5;
  std::function<std::vector<float>(std::uint32_t)> prior;  // of the moves

  bool narrow(std::uint32_t s) const {
    return std::ranges::any_of(table.at(s).edges, [](const Edge& a) { return !a.seen; });
  }

  // The `count` unseen edges with the largest priors become seen.
  void see(std::uint32_t s, std::vector<Edge>& edges, std::size_t count) const {
    const auto by = prior(s);
    for (; count > 0; --count) {
      std::size_t best = edges.size();
      for (std::size_t i = 0; i < edges.size(); ++i)
        if (!edges[i].seen && (best == edges.size() || by[i] > by[best])) best = i;
      if (best == edges.size()) return;
      edges[best].seen = true;
      edges[best].known = {{}, game.estimate({edges[best].to}), false};
    }
  }

  // Whether more children were to be valued here; they are now.
  bool widened(std::uint32_t s) {
    if (!narrow(s)) return false;
    auto& edges = table[s].edges;
    std::size_t seen = 0, visits = 0, open = 0;
    for (const auto& edge : edges) {
      seen += edge.seen ? 1 : 0;
      visits += static_cast<std::size_t>(edge.n);
      open += edge.seen && !edge.known.r ? 1 : 0;
    }
    const auto step = static_cast<std::size_t>(widen);
    std::size_t width = step * static_cast<std::size_t>(
                                   std::floor(std::pow(1 + static_cast<double>(visits), rate)));
    if (open == 0) width = std::max(width, seen + step);
    if (width <= seen) return false;
    see(s, edges, width - seen);
    back_up(s);
    return true;
  }

  void expand(std::uint32_t s) {
    Entry entry;
    for (const std::uint32_t to : game.node({s}).children) {
      Edge edge{to, {}, 0};
      if (game.over({to}))
        edge.known = {game.gain({to}), terminal_points(game, tree_game::Rules::State{to}, points),
                      true};
      else if (refresh && table.contains(to))
        edge.known = table[to].known;
      else
        edge.known = {{}, game.estimate({to}), false}, edge.seen = widen == 0;
      entry.edges.push_back(edge);
    }
    if (widen > 0) see(s, entry.edges, static_cast<std::size_t>(widen));
    table[s] = entry;
    back_up(s);
  }

  void bring_up_to_date(std::uint32_t s) {
    if (!refresh || table[s].known.r) return;
    for (auto& edge : table[s].edges)
      if (!(edge.seen && edge.known.r) && table.contains(edge.to))
        edge.known = table[edge.to].known, edge.seen = true;
    back_up(s);
  }

  Known iterate(std::uint32_t s) {
    if (!table.contains(s)) {
      expand(s);
      if (!whole) return table[s].known;
    } else {
      bring_up_to_date(s);
    }
    if (!table[s].known.r && widen > 0 && widened(s)) return table[s].known;
    if (!table[s].known.r) {
      const std::size_t a = best_action_dual(s);
      ++table[s].edges[a].n;
      const Known below = iterate(table[s].edges[a].to);
      table[s].edges[a].known = below;
      back_up(s);
      ends[s].push_back(line_end);
    } else {
      line_end = table[s].known.v;
    }
    return table[s].known;
  }
};

// All vectors of gains (or scores) that some max^n equilibrium of the tree below s gives.
class Equilibria {
 public:
  explicit Equilibria(const tree_game::Rules& game,
                      Scores tree_game::Rules::Node::*points = &tree_game::Rules::Node::gain)
      : game_(game), points_(points), of_(game.nodes().size()) {}

  const std::set<std::array<float, kMaxPlayers>>& of(std::uint32_t s) {
    auto& out = of_[s];
    if (!out.empty()) return out;
    const auto& node = game_.node({s});
    if (node.children.empty()) out.insert((node.*points_).seats);
    const auto p = static_cast<std::size_t>(node.seat);
    for (const auto chosen : node.children)
      for (const auto& vector : of(chosen))
        if (std::ranges::all_of(node.children, [&](auto other) {
              return other == chosen || worst(other, p) <= vector[p];
            }))
          out.insert(vector);
    return out;
  }

  bool contains(std::uint32_t s, const Scores& points) { return of(s).contains(points.seats); }

 private:
  float worst(std::uint32_t s, std::size_t p) {
    float out = std::numeric_limits<float>::infinity();
    for (const auto& vector : of(s)) out = std::min(out, vector[p]);
    return out;
  }

  const tree_game::Rules& game_;
  Scores tree_game::Rules::Node::*points_;
  std::vector<std::set<std::array<float, kMaxPlayers>>> of_;
};

}  // namespace polymax::naive

namespace polymax {

// A tree that says when it forgets a node.
template <Game G>
class Forgetful : public BestFirst<G> {
 public:
  Forgetful(const Task<G>& task, const BestFirstRules& rules, std::function<void()> on_forget)
      : BestFirst<G>(task, rules), on_forget_(std::move(on_forget)) {}

 private:
  void forget(NodeIndex) override { on_forget_(); }

  std::function<void()> on_forget_;
};

}  // namespace polymax
