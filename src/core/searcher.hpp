// The third contract: who chooses a move. A file of src/search/ holds a class template Search<G>, G
// a game (core/game.hpp), that models Searcher; what it needs of a game beyond that its constraint
// says. Search code is plain and synchronous: batching across matches happens behind evaluate(). It
// is written for any game and compiled for games in boxes (catalog/boxed.hpp), once for a size.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/evaluator.hpp"
#include "core/game.hpp"
#include "core/resolved.hpp"
#include "core/scores.hpp"

namespace polymax {

// What a search may spend on one move; it stops at the first limit it meets, or when the position
// is proven. `stop` ends it early; the verdict is then the best so far.
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

// What was spent. tree/meter.hpp fills it.
struct Cost {
  std::uint64_t evaluations = 0, nodes = 0;  // positions valued; positions visited
  std::uint64_t bytes = 0;                   // of memory, held when the search ends
  int depth = 0;                             // moves ahead
  double seconds = 0;
};

// What is known for good of the root. Verdict::coalition says in which game.
//   gain   who wins: no play of the seat to move gets it a better gain than the verdict's, and the
//          verdict's best move gets it that one. Completion proves this; the points may be more.
//   exact  the verdict's value is that of best play, in every component. Best play is what the
//          search defines: in Max^n every seat takes what is best for itself, equal moves as the
//          search breaks ties; with completion the gain comes first, then the points.
enum class Proof { none, gain, exact };
inline constexpr std::array<std::string_view, 3> kProofNames{"none", "gain", "exact"};

// What a search found out of the root, whatever the game.
struct Conclusion {
  Scores value;  // expected points of every seat when everybody plays on as the search thinks
  Cost cost;
  Proof proof = Proof::none;
  int proven_gain = 0;     // with Proof::gain: of the seat to move, -1, 0 or +1
  bool coalition = false;  // what is proven is of the game in which all others join against the
                           // seat to move: it may get more, never less
};

template <class G>
struct Verdict : Conclusion {
  struct Child {
    typename G::Move move{};
    Scores value;
    std::uint64_t visits = 0;
    bool resolved = false;
    // Only known: the mover gets at most this, and no more than by the best move.
    bool bound = false;
  };

  typename G::Move best{};
  std::vector<Child> children;  // in the order of moves()
  std::vector<typename G::Move> pv;
};

// Somebody who looks on while a search thinks. Called in the thread of think() and never after it
// has returned; what it throws, think() throws.
template <class G>
struct Watcher {
  double every = 0.1;                            // seconds between two looks, at least
  std::function<void(const Verdict<G>&)> see{};  // the verdict as it is now; empty: nobody looks
};

// The contract. One search serves one player of one match.
template <class S, class G>
concept Searcher = Described<typename S::Params> &&
    requires(S search, const Task<G>& task, const typename S::Params& params,
             const typename G::State root, const Budget& budget, const typename G::Move played) {
  { S::about } -> std::convertible_to<About>;
  { S(task, params) } -> std::same_as<S>;
  // Chooses a move of `root`, which is not over, before the budget is gone.
  { search.think(root, budget) } -> std::same_as<Verdict<G>>;
  // The match has gone on, by whosever move: keep what still serves, or forget it.
  { search.advance(played) } -> std::same_as<void>;
};

// Optional: a search that takes long enough to be watched.
template <class S, class G>
concept Watchable = Searcher<S, G> && requires(S search, const typename G::State root,
                                               const Budget& budget, const Watcher<G>& watcher) {
  { search.think(root, budget, watcher) } -> std::same_as<Verdict<G>>;
};

// What a search that makes learning data knows of the moves of a position: the points of the mover
// behind those that were valued.
template <class G>
struct ValuedMoves {
  std::span<const typename G::Move> moves;
  std::span<const float> values;
  bool all = false;  // these are all, and not because there are so few
};

// Optional: a search that makes learning data. harvest(sink) calls sink(state, value) for the pairs
// of its match, or sink(state, value, ValuedMoves) when the sink takes that; finished positions
// have no moves.
template <class S, class G>
concept Teaching = Searcher<S, G> &&
    requires(S s, void (*sink)(const typename G::State&, const Scores&)) {
  s.harvest(sink);
};

}  // namespace polymax
