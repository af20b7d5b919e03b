// The depth-first searches as their definitions say: plain recursion, no table, no cuts, no
// batches, no order. Every value is a whole vector; among equal children the first in the order of
// generation counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/searcher.hpp"

namespace polymax::oracle {

struct Outcome {
  Scores value;
  std::size_t best = 0;  // index in moves()
};

template <Game G>
struct Definition {
  using Game = G;
  using State = typename G::State;

  Task<G> task;
  int root = 0, k = 0;
  std::function<std::vector<float>(const State&)> prior{};  // k-best by it, not by values

  // A position that follows, and what the search remembers of the way to it.
  struct Child {
    State state;
    int memory = 0;
    std::size_t index = 0;
  };

  Scores leaf(const State& s) const {
    return task.game->over(s) ? terminal_points(*task.game, s, task.points)
                              : task.evaluator.evaluate(s);
  }

  std::vector<float> prior_of(const State& s) const {
    return prior ? prior(s) : std::vector<float>{};
  }

  std::vector<Child> children(const State& s) const {
    MoveList<G> moves;
    task.game->moves(s, moves);
    std::vector<Child> out;
    for (const auto& move : moves) {
      out.push_back({s, 0, out.size()});
      task.game->play(out.back().state, move);
    }
    return out;
  }

  // Those that k-best keeps, in the order of generation; likes(value) ranks, wins(gain) is what is
  // never dropped. by: ranks instead, where it is not empty.
  template <class Likes>
  std::vector<Child> best_k(const std::vector<Child>& all, Likes likes,
                            const std::vector<float>& by = {}) const {
    if (k == 0) return all;
    const auto liking = [&](std::size_t i) {
      return by.empty() ? likes(leaf(all[i].state)) : by[i];
    };
    std::vector<Child> out;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const float own = liking(i);
      int ahead = 0;
      for (std::size_t j = 0; j < all.size(); ++j) {
        const float other = liking(j);
        if (other > own || (other == own && j < i)) ++ahead;
      }
      const bool wins = task.game->over(all[i].state) && likes(task.game->gain(all[i].state)) > 0;
      if (ahead < k || wins) out.push_back(all[i]);
    }
    return out;
  }
};

template <Game G>
struct Maxn : Definition<G> {
  bool paranoid_ties = false;

  Outcome operator()(const typename G::State& s, int depth) const {
    if (depth == 0 || this->task.game->over(s)) return {this->leaf(s)};
    const int mover = this->task.game->to_move(s);
    std::optional<Outcome> best;
    for (const auto& child : this->best_k(
             this->children(s), [&](const Scores& v) { return v[mover]; }, this->prior_of(s))) {
      const Scores value = (*this)(child.state, depth - 1).value;
      const bool worse_for_root =
          paranoid_ties && best && value[this->root] < best->value[this->root];
      if (!best || value[mover] > best->value[mover] ||
          (value[mover] == best->value[mover] && worse_for_root))
        best = {value, child.index};
    }
    return *best;
  }
};

// The first of the children with the largest or smallest value for the root seat.
template <class Children, class Value>
Outcome extreme(const Children& children, bool largest, int root, Value value_of) {
  std::optional<Outcome> best;
  for (const auto& child : children) {
    const Scores value = value_of(child);
    const float lead = best ? value[root] - best->value[root] : 0;
    if (!best || (largest ? lead > 0 : lead < 0)) best = {value, child.index};
  }
  return *best;
}

template <Game G>
struct Paranoid : Definition<G> {
  Outcome operator()(const typename G::State& s, int depth) const {
    if (depth == 0 || this->task.game->over(s)) return {this->leaf(s)};
    const int mover = this->task.game->to_move(s);
    const auto kept = this->best_k(
        this->children(s), [&](const Scores& v) { return v[mover]; }, this->prior_of(s));
    return extreme(kept, mover == this->root, this->root,
                   [&](const auto& child) { return (*this)(child.state, depth - 1).value; });
  }
};

template <TurnSkipping G>
struct Brs : Definition<G> {
  using State = typename G::State;
  using Child = typename Definition<G>::Child;

  Outcome operator()(const State& s, int depth) const { return own(s, depth); }

  // The root seat is to move in s.
  Outcome own(const State& s, int depth) const {
    if (depth == 0 || this->task.game->over(s)) return {this->leaf(s)};
    const auto kept =
        this->best_k(this->children(s), [&](const Scores& v) { return v[this->root]; });
    return extreme(kept, true, this->root,
                   [&](const Child& child) { return reply(child.state, depth - 1).value; });
  }

  // Some opponent is to reply in s.
  Outcome reply(const State& s, int depth) const {
    if (depth == 0 || this->task.game->over(s)) return {this->leaf(s)};
    std::vector<Child> all;
    const int players = this->task.game->players();
    for (int next = 1; next < players; ++next)
      if (const auto given = this->task.game->give_turn(s, (this->root + next) % players))
        for (const auto& child : this->children(*given))
          all.push_back(after_reply(child, all.size()));
    if (all.empty()) return own(*this->task.game->give_turn(s, this->root), depth);
    const auto kept = this->best_k(all, [&](const Scores& v) { return -v[this->root]; });
    return extreme(kept, false, this->root, [&](const Child& child) {
      return (child.memory == 0 ? own(child.state, depth - 1) : reply(child.state, depth - 1))
          .value;
    });
  }

  // memory: 1 when the root seat has no move and is skipped.
  Child after_reply(const Child& child, std::size_t index) const {
    if (this->task.game->over(child.state)) return {child.state, 0, index};
    const auto given = this->task.game->give_turn(child.state, this->root);
    return given ? Child{*given, 0, index} : Child{child.state, 1, index};
  }
};

// By the book: while no opponent has played freely since the root's turn, each may play any move
// freely, or its special one and leave the free move to another; from then on the others play their
// special moves. A lone opponent is free.
template <Game G>
struct BrsPlus : Definition<G> {
  using State = typename G::State;
  using Child = typename Definition<G>::Child;

  static constexpr int kNobody = -1, kSomebody = -2;  // else the seat whose free turn it is

  bool worst_for_root = false;

  Outcome operator()(const State& s, int depth) const { return value(s, depth, kNobody); }

  Outcome value(const State& s, int depth, int free) const {
    if (depth == 0 || this->task.game->over(s)) return {this->leaf(s)};
    const int mover = this->task.game->to_move(s);
    const auto next = [&](const Child& child) {
      return value(child.state, depth - 1, child.memory).value;
    };
    if (mover == this->root) {
      auto all = this->children(s);
      for (auto& child : all) child.memory = kNobody;
      const auto kept = this->best_k(
          all, [&](const Scores& v) { return v[mover]; }, this->prior_of(s));
      return extreme(kept, true, this->root, next);
    }
    return extreme(candidates(s, mover, free), false, this->root, next);
  }

  std::vector<Child> candidates(const State& s, int mover, int free) const {
    auto all = this->children(s);
    for (auto& child : all) child.memory = mover;
    std::vector<Child> out;
    const bool alone = this->task.game->players() == 2;
    if (free == kNobody || free == mover || alone)
      out = this->best_k(
          all, [&](const Scores& v) { return v[mover]; }, this->prior_of(s));
    if (free != mover && !alone) {
      out.push_back(all[special_of(all, mover, this->prior_of(s))]);
      out.back().memory = free == kNobody ? kNobody : kSomebody;
    }
    for (auto& child : out)
      if (!this->task.game->over(child.state) &&
          this->task.game->to_move(child.state) == this->root)
        child.memory = kNobody;
    return out;
  }

  std::size_t special_of(const std::vector<Child>& all, int mover,
                         const std::vector<float>& by) const {
    std::size_t best = 0;
    const auto liking = [&](std::size_t i) {
      if (!by.empty()) return by[i];
      const Scores value = this->leaf(all[i].state);
      return worst_for_root ? -value[this->root] : value[mover];
    };
    for (std::size_t i = 1; i < all.size(); ++i)
      if (liking(i) > liking(best)) best = i;
    return best;
  }
};

}  // namespace polymax::oracle
