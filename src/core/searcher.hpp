// The third contract: who chooses a move. Search code is plain and synchronous; batching across
// matches happens behind evaluate().
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <vector>

#include "core/evaluator.hpp"
#include "core/game.hpp"
#include "core/resolved.hpp"
#include "core/scores.hpp"

namespace polymax {

// What a search may spend on one move; it stops at the first limit it meets, or when the position
// is solved.
struct Budget {
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t evaluations = kNoLimit, nodes = kNoLimit;
  double seconds = std::numeric_limits<double>::infinity();
  int depth = std::numeric_limits<int>::max();
  std::stop_token stop;
};

// What a search is made for. The game, the evaluator and the resolved positions outlive it.
template <class G>
struct Task {
  const G* game = nullptr;
  Points points{};
  EvaluatorRef<G> evaluator;
  std::uint64_t seed = 0;
  ResolvedPositions* resolved = nullptr;  // of other matches, for searches that use them
};

template <class G>
struct Verdict {
  struct Child {
    typename G::Move move{};
    Scores value;
    std::uint64_t visits = 0;
    bool resolved = false;
    bool bound =
        false;  // only known: the mover gets at most this, and no more than by the best move
  };

  typename G::Move best{};
  Scores value;  // expected points of every seat when everybody plays on as the search thinks
  std::vector<Child> children;  // in the order of moves()
  std::vector<typename G::Move> pv;
  std::uint64_t evaluations = 0, nodes = 0, bytes = 0;
  int depth = 0;
  double seconds = 0;
  bool solved = false;
};

template <class S, class G>
concept Searcher = Described<typename S::Params> && std::constructible_from < S,
        Task<G>,
typename S::Params >
    &&requires(S s, const typename G::State root, typename G::Move m, const Budget& b) {
  { S::about } -> std::convertible_to<About>;
  { s.think(root, b) } -> std::same_as<Verdict<G>>;  // root is not over
  { s.advance(m) } -> std::same_as<void>;  // a move was played: keep the table or forget it
};

// Optional: a search that makes learning data. harvest(sink) calls sink(state, value) for the pairs
// of its match.
template <class S, class G>
concept Teaching = Searcher<S, G> &&
    requires(S s, void (*sink)(const typename G::State&, const Scores&)) {
  s.harvest(sink);
};

}  // namespace polymax
