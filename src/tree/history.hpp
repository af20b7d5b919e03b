// History heuristic (Schaeffer 1983): moves that caused cuts elsewhere are tried early. Counts
// belong to the move itself, apart for the side that maximises and the side that minimises.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "core/rng.hpp"
#include "tree/children.hpp"

namespace polymax {

template <Game G>
class History {
 public:
  void cut(const typename G::Move& move, Taste taste, int depth) {
    counts_[slot(move, taste)] += static_cast<std::uint64_t>(depth * depth);
  }

  // Keeps the order of moves with equal counts.
  void sort_kept(Children<G>& children) {
    scores_.resize(children.size());
    for (const auto i : children.kept)
      scores_[i] = counts_[slot(children.moves[i], children.choice)];
    std::ranges::sort(children.kept, [&](auto a, auto b) {
      return scores_[a] != scores_[b] ? scores_[a] > scores_[b] : a < b;
    });
  }

  // What was learned at earlier moves of the match counts less and less.
  void fade() {
    for (auto& count : counts_) count /= 8;
  }

 private:
  static constexpr std::size_t kSlots = 2048;

  // Different moves may share a slot. Moves with padding cannot be told apart by their bytes and
  // share them all.
  static std::size_t slot(const typename G::Move& move, Taste taste) {
    std::uint64_t bytes = 0;
    if constexpr (std::has_unique_object_representations_v<typename G::Move>)
      std::memcpy(&bytes, &move, sizeof move);
    return 2 * (mix64(bytes) % kSlots) + (taste.sign > 0 ? 1 : 0);
  }

  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(2 * kSlots), scores_;
};

}  // namespace polymax
