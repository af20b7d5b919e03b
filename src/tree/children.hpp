// The moves of one position as a depth-first search sees them: who chooses, which moves count, how
// each one goes on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/searcher.hpp"
#include "tree/expansion.hpp"
#include "tree/taste.hpp"

namespace polymax {

// What needs no game.
class ChildChoice : public ChildValues {
 public:
  struct Turn {
    std::uint8_t phase = 0;  // what the search remembers of the way to this position
    bool natural = true;     // the position is the one that the game itself gives after the move
  };

  std::vector<Turn> turns;
  std::vector<float> priors;        // of the moves; none: not asked for
  std::vector<std::uint32_t> kept;  // moves that are searched, in this order
  Taste choice, rank;               // rank: whose valuation decides which moves k-best keeps
  bool ranked = false;              // which moves count, or how they go on, depends on the values
  bool valued = false;
  bool whole = true;  // what is searched is what the game allows, no less and no more

  std::size_t size() const { return turns.size(); }

  void keep_all() {
    kept.resize(size());
    std::iota(kept.begin(), kept.end(), 0u);
  }

  // Without those that have no value because there was no time.
  void drop_left() {
    if (!cut()) return;
    std::erase_if(kept, [this](auto i) { return std::ranges::find(left, i) != left.end(); });
    whole = false;
  }

  // The kept ones from there on get no value.
  void leave_from(std::size_t at) {
    left.assign(kept.begin() + static_cast<std::ptrdiff_t>(at), kept.end());
    drop_left();
  }

  // Best value first.
  void sort_kept(Taste taste) {
    std::ranges::sort(kept,
                      [&](auto a, auto b) { return taste.prefers(values[a], a, values[b], b); });
  }

  // Largest prior first.
  void sort_kept_by_prior() {
    std::ranges::sort(kept, [&](auto a, auto b) {
      return priors[a] != priors[b] ? priors[a] > priors[b] : a < b;
    });
  }
};

template <Game G>
class Children : public Expansion<G, ChildChoice> {
 public:
  void clear() {
    Expansion<G, ChildChoice>::clear();
    this->turns.clear();
    this->priors.clear();
    this->ranked = this->valued = false;
    this->whole = true;
  }

  void append(const G& game, const typename G::State& parent) {
    Expansion<G, ChildChoice>::append(game, parent);
    this->turns.resize(this->moves.size());
  }
};

}  // namespace polymax
