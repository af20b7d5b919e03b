// Positions whose value is known for good, kept beyond the search that found them: from match to
// match of a run of learning. A fixed number of places, each for the hashes that fall on it; what
// comes later takes the place. Any number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "core/scores.hpp"

namespace polymax {

class ResolvedPositions {
 public:
  struct Known {
    Scores value;
    std::uint16_t bits = 0;  // as the tree that found it writes them
    friend bool operator==(const Known&, const Known&) = default;
  };

  // bytes: at most, and enough for one place
  explicit ResolvedPositions(std::size_t bytes)
      : places_(std::max<std::size_t>(1, bytes / sizeof(Place))) {}

  std::optional<Known> find(std::uint64_t hash) const {
    const std::size_t at = place_of(hash);
    const std::scoped_lock lock(lock_of(at));
    const Place& place = places_[at];
    return place.taken && place.hash == hash ? std::optional(place.known) : std::nullopt;
  }

  void put(std::uint64_t hash, const Known& known) {
    const std::size_t at = place_of(hash);
    const std::scoped_lock lock(lock_of(at));
    places_[at] = {hash, known, true};
  }

 private:
  struct Place {
    std::uint64_t hash = 0;
    Known known;
    bool taken = false;
  };

  std::size_t place_of(std::uint64_t hash) const { return hash % places_.size(); }
  std::mutex& lock_of(std::size_t place) const { return locks_[place % locks_.size()]; }

  std::vector<Place> places_;
  mutable std::array<std::mutex, 64> locks_;
};

}  // namespace polymax
