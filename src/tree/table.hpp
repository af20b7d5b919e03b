// Transposition table of depth-first searches: what was found out about a position, at which depth,
// and the move that decided. Memory grows with what is stored, one segment at a time (linear
// hashing), up to a limit; from then on the oldest and shallowest entries make room. A table
// without memory stores nothing.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/scores.hpp"

namespace polymax {

enum class Bound : std::uint8_t { none, exact, at_least, at_most };  // of the root seat's component

// guessed: some line was valued by the evaluator; ended: every line of the search's own tree was
// followed to the end of the game, so that more depth changes nothing; whole: and that tree is the
// game's.
enum class Certainty : std::uint8_t { guessed, ended, whole };

// A value and how much is known about it.
struct Found {
  Scores value;
  Bound bound = Bound::exact;
  Certainty certainty = Certainty::guessed;
};

class Table {
 public:
  static constexpr std::uint16_t kNoMove = 0xffff;

  struct Entry {
    std::uint64_t key = 0;
    Scores value;
    std::uint16_t depth = 0, best = kNoMove;  // best: index in the order of generation
    Bound bound = Bound::none;                // none: the place is empty
    Certainty certainty = Certainty::guessed;
    std::uint16_t age = 0;

    Found found() const { return {value, bound, certainty}; }
  };

  explicit Table(std::size_t limit_bytes) : most_segments_(limit_bytes / kSegmentBytes) {}

  // Entries of earlier searches stay, but give way first.
  void next_search() { ++age_; }

  // Null when nothing is known; valid until the next store.
  const Entry* find(std::uint64_t key) const {
    if (segments_.empty()) return nullptr;
    for (const auto& entry : bucket(key).entries)
      if (entry.key == key && entry.bound != Bound::none) return &entry;
    return nullptr;
  }

  // Asks for the memory that find() will look at.
  void prefetch(std::uint64_t key) const {
    if (segments_.empty()) return;
    const auto* line = bucket(key).entries.data();
    __builtin_prefetch(line);
    __builtin_prefetch(line + 2);
  }

  void store(std::uint64_t key, const Found& found, int depth, std::size_t best) {
    if (most_segments_ == 0) return;
    grow();
    Entry& place = place_for(key);
    if (place.key == key && better(place, found)) return;
    if (place.bound == Bound::none) ++used_;
    place = {key,
             found.value,
             static_cast<std::uint16_t>(depth),
             static_cast<std::uint16_t>(std::min<std::size_t>(best, kNoMove)),
             found.bound,
             found.certainty,
             age_};
  }

  std::size_t bytes() const { return segments_.size() * kSegmentBytes; }
  std::size_t used() const { return used_; }

 private:
  struct alignas(64) Bucket {
    std::array<Entry, 4> entries;
  };

  static constexpr std::size_t kSegmentBytes = 1 << 16, kBuckets = kSegmentBytes / sizeof(Bucket);
  using Segment = std::unique_ptr<Bucket[]>;

  std::size_t places() const { return segments_.size() * kBuckets * 4; }

  // With n segments, 2^k <= n < 2^(k+1): the lower k+1 bits, or k bits where that segment does not
  // exist yet.
  std::size_t segment_of(std::uint64_t key) const {
    const std::size_t n = segments_.size(), mask = 2 * std::bit_floor(n) - 1;
    const std::size_t wide = key & mask;
    return wide < n ? wide : wide & (mask >> 1);
  }

  Bucket& bucket(std::uint64_t key) const {
    return segments_[segment_of(key)][(key >> 32) % kBuckets];
  }

  // Doubles when half is taken, a segment every few stores, so that no store takes long.
  void grow() {
    if (segments_.size() == wanted_segments_ && 2 * used_ >= places())
      wanted_segments_ = std::min(most_segments_, std::max<std::size_t>(1, 2 * wanted_segments_));
    if (segments_.size() == wanted_segments_ || (++waited_ < kBuckets / 4 && !segments_.empty()))
      return;
    waited_ = 0;
    add_segment();
  }

  // The new segment takes over its share of the one that held its keys so far.
  void add_segment() {
    segments_.push_back(std::make_unique<Bucket[]>(kBuckets));
    const std::size_t fresh = segments_.size() - 1;
    if (fresh == 0) return;
    const std::size_t split = fresh - std::bit_floor(fresh);
    for (std::size_t b = 0; b < kBuckets; ++b)
      for (std::size_t i = 0; i < 4; ++i) {
        Entry& entry = segments_[split][b].entries[i];
        if (entry.bound == Bound::none || segment_of(entry.key) != fresh) continue;
        segments_[fresh][b].entries[i] = entry;
        entry = {};
      }
  }

  // The entry with this key, an empty place, or the one worth least.
  Entry& place_for(std::uint64_t key) {
    Bucket& bucket = this->bucket(key);
    Entry* least = &bucket.entries[0];
    for (auto& entry : bucket.entries) {
      if (entry.key == key && entry.bound != Bound::none) return entry;
      if (worth(entry) < worth(*least)) least = &entry;
    }
    return *least;
  }

  // What is proven holds at every greater depth, too.
  static bool better(const Entry& old, const Found& fresh) {
    if (old.bound != Bound::exact || old.certainty == Certainty::guessed) return false;
    return fresh.certainty < old.certainty || fresh.bound != Bound::exact;
  }

  int worth(const Entry& entry) const {
    if (entry.bound == Bound::none) return -1;
    return entry.age == age_ ? 1 << 16 | entry.depth : entry.depth;
  }

  std::size_t most_segments_, wanted_segments_ = 0, used_ = 0, waited_ = 0;
  std::vector<Segment> segments_;
  std::uint16_t age_ = 0;
};

}  // namespace polymax
