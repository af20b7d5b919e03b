// Completion (Cohen-Solal 2021) for any number of seats: beside its value v every edge and node has
// c, what is known of each seat's gain (+1 wins, -1 loses, 0 unknown or neither), and r, whether it
// is resolved; n counts selections. Here are the orders in which moves are compared and the rule
// that says when a position is resolved.
//   best_action       largest (c, v, n)    of all edges: back-up and classic decision
//   best_action_dual  largest (c, v, -n)   of the unresolved edges: the way down
//   safe_action       largest (c, n, v)    of all edges: safe decision
//   proven_action     largest (c, r, v, n) of all edges: safe decision where the position is
//                     resolved: how often a move was tried says nothing more, its value does
// Each as the mover sees it (taste.hpp), by its own component; the first in the order of moves()
// when all are equal. Differs: the paper's rule carried over to vectors calls a position
// resolved when |c| = 1 for its mover, or when all edges are. With ties of some seats (0,0,-1) an
// unresolved edge may have c = -1, so that this is wrong there. Here c = 1 and the best edge
// resolved, or all edges resolved; literal=on gives the paper's rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>

#include "core/scores.hpp"
#include "tree/arena.hpp"
#include "tree/taste.hpp"

namespace polymax {

// c of all seats in one byte, two bits a seat.
namespace completion {

static_assert(kMaxPlayers <= 4, "two bits a seat in one byte");
inline constexpr std::uint16_t kUnknown = 0x55;  // 0 for every seat

inline std::uint16_t of_gain(const Scores& gain) {
  unsigned out = 0;
  for (int p = 0; p < kMaxPlayers; ++p)
    out |= static_cast<unsigned>(static_cast<int>(gain[p]) + 1) << (2 * p);
  return static_cast<std::uint16_t>(out);
}

// As it is, but of that seat.
inline std::uint16_t with_seat(std::uint16_t bits, int seat, int c) {
  const unsigned others = bits & ~(3u << (2 * seat));
  return static_cast<std::uint16_t>(others | static_cast<unsigned>(c + 1) << (2 * seat));
}

inline int of_seat(std::uint16_t bits, int seat) {
  return (bits >> (2 * seat) & 3) - 1;
}

}  // namespace completion

inline constexpr std::size_t kNoEdge = static_cast<std::size_t>(-1);

// c and v of an edge as a mover's taste sees them.
struct Rank {
  int c = 0;
  float v = 0;
  friend bool operator<(const Rank& a, const Rank& b) { return a.c != b.c ? a.c < b.c : a.v < b.v; }
};

// c and v of edges as a taste sees them: more is better. The taste's seat is the mover, which
// maximises its component and may care to spoil another's; in a coalition against one seat that
// seat, whose component the others want small. c is that seat's, whatever it cares for.
class AimedEdges {
 public:
  AimedEdges(const Edges& edges, const Taste& taste)
      : edges_(edges),
        values_(edges.of_seat(taste.seat)),
        spoiled_(taste.care > 0 ? edges.of_seat(taste.spoiled) : nullptr),
        care_(taste.care),
        shift_(2 * taste.seat),
        sign_(taste.sign > 0 ? 1 : -1),
        value_sign_(taste.sign) {}

  int c(std::size_t i) const { return sign_ * ((edges_.bits[i] >> shift_ & 3) - 1); }
  float v(std::size_t i) const {
    const float own = value_sign_ * values_[i];
    return spoiled_ == nullptr ? own : own - care_ * spoiled_[i];
  }
  std::int64_t n(std::size_t i) const { return edges_.visits[i]; }
  Rank rank(std::size_t i) const { return {c(i), v(i)}; }

  std::size_t count() const { return edges_.count; }
  bool resolved(std::size_t i) const { return (edges_.bits[i] & bits::kResolved) != 0; }
  bool proven(std::size_t i, int outcome) const { return resolved(i) && c(i) == outcome; }

  // The first edge with the largest key(i) among those that have none of the bits `skip`; kNoEdge
  // when there is none.
  template <class Key>
  std::size_t largest(std::uint16_t skip, Key key) const {
    std::size_t i = 0;
    while (i < edges_.count && edges_.bits[i] & skip) ++i;
    if (i == edges_.count) return kNoEdge;
    std::size_t best = i;
    auto best_key = key(i);
    for (++i; i < edges_.count; ++i) {
      if (edges_.bits[i] & skip) continue;
      const auto candidate = key(i);
      if (candidate > best_key) {
        best = i;
        best_key = candidate;
      }
    }
    return best;
  }

  std::size_t best_action() const {
    Rank second;
    return best_action(second);
  }
  // `second` becomes the largest (c, v) of the other edges, less than all when there is none.
  std::size_t best_action(Rank& second) const {
    std::size_t best = 0;
    Rank first = rank(0);
    second = {-2, 0};
    for (std::size_t i = 1; i < edges_.count; ++i) {
      const Rank other = rank(i);
      if (other < first) {
        if (second < other) second = other;
        continue;
      }
      const bool more = first < other;
      second = first;
      if (!more && edges_.visits[i] <= edges_.visits[best]) continue;
      first = other;
      best = i;
    }
    return best;
  }
  std::size_t best_action_dual() const {
    std::size_t best = kNoEdge;
    Rank first;
    for (std::size_t i = 0; i < edges_.count; ++i) {
      if (edges_.bits[i] & (bits::kResolved | bits::kPending | bits::kUnseen)) continue;
      const Rank other = rank(i);
      if (best != kNoEdge && !(first < other) &&
          (other < first || edges_.visits[i] >= edges_.visits[best]))
        continue;
      first = other;
      best = i;
    }
    return best;
  }
  std::size_t safe_action() const {
    return largest(0, [this](std::size_t i) { return std::tuple{c(i), n(i), v(i)}; });
  }

  // A resolved edge with the same c comes first: c = 1 of an unresolved edge is no proof.
  std::size_t proven_action() const {
    return largest(0, [this](std::size_t i) { return std::tuple{c(i), resolved(i), v(i), n(i)}; });
  }

  // backup_resolution: r of the position whose best edge is `best`.
  bool resolves(std::size_t best, bool literal) const {
    const int won = c(best);
    if (literal ? won != 0 : won == 1 && resolved(best)) return true;
    if (!resolved(best)) return false;
    for (std::size_t i = 0; i < edges_.count; ++i)
      if (!resolved(i)) return false;
    return true;
  }

  // Of a resolved position whose best edge is `best`: whether its v is that of best play, by c
  // first, then v. Everything that could be better must be known exactly. With `scalar` c is known
  // for good where an edge is resolved; otherwise the mover behind it may win in several ways, some
  // of which leave others more.
  bool exact(std::size_t best, bool scalar) const {
    for (std::size_t i = 0; i < edges_.count; ++i) {
      if (edges_.bits[i] & bits::kExact) continue;
      if (!scalar || !resolved(i) || c(i) == c(best)) return false;
    }
    return true;
  }

 private:
  Edges edges_;
  const float* values_;
  const float* spoiled_;  // null: nobody is
  float care_;
  int shift_, sign_;
  float value_sign_;
};

}  // namespace polymax
