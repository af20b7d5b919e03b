// History heuristic (Schaeffer 1983): moves that caused cuts elsewhere are tried early. Counts
// belong to the move itself, apart for the side that maximises and the side that minimises.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/rng.hpp"
#include "tree/children.hpp"

namespace polymax {

class History {
 public:
  // Moves are given by a code; different moves may share a count.
  void cut(std::uint64_t code, Taste taste, int depth) {
    counts_[slot(code, taste)] += static_cast<std::uint64_t>(depth * depth);
  }

  // Keeps the order of moves with equal counts.
  void sort_kept(ChildChoice& children, std::span<const std::uint64_t> codes) {
    scores_.resize(children.size());
    for (const auto i : children.kept) scores_[i] = counts_[slot(codes[i], children.choice)];
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

  static std::size_t slot(std::uint64_t code, Taste taste) {
    return 2 * (mix64(code) % kSlots) + (taste.sign > 0 ? 1 : 0);
  }

  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(2 * kSlots), scores_;
};

}  // namespace polymax
