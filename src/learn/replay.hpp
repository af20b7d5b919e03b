// Replay, stratified by match (Cohen-Solal 2023, "Learning to Play Two-Player Perfect-Information
// Games without Knowledge", section 8.4.3): the samples of the last M matches stay, and every match
// is followed by a learning phase that takes from each stored match the next delta/m of its
// shuffled samples, m = matches stored. So a sample is used delta times on average during its stay,
// and never twice before all others of its match were used. A learner that keeps its own pace draws
// from the whole memory instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "core/rng.hpp"
#include "learn/lesson.hpp"

namespace polymax::learn {

struct ReplaySettings {
  int matches = 75;        // M
  double duplication = 3;  // delta
};

// One sample of the memory.
struct SampleRef {
  std::uint32_t match = 0;  // counted from the oldest stored
  std::uint32_t sample = 0;
  friend bool operator==(const SampleRef&, const SampleRef&) = default;
};

class Replay {
 public:
  Replay(const ReplaySettings& settings, std::uint64_t seed) : settings_(settings), rng_(seed) {}

  // Stores a match, forgets the oldest beyond M, and gives the samples of its learning phase in
  // random order.
  std::vector<SampleRef> push(Samples samples, int players);

  // The first two of these alone.
  void store(Samples samples, int players);

  // So many samples of the memory, which is not empty: every match in proportion to its samples,
  // each in its order.
  std::vector<SampleRef> draw(std::size_t count);

  std::size_t matches() const { return stored_.size(); }
  std::size_t samples() const;
  const Samples& match(std::size_t i) const { return stored_[i].samples; }

  // What a checkpoint keeps, besides the samples.
  struct Match {
    Samples samples;
    std::vector<std::uint32_t> order;  // shuffled
    std::size_t next = 0;              // first unused in the order
    double owed = 0;                   // part of a sample not yet taken
    friend bool operator==(const Match&, const Match&) = default;
  };
  const std::deque<Match>& stored() const { return stored_; }
  const Rng& rng() const { return rng_; }
  void restore(std::deque<Match> stored, const Rng& rng) {
    stored_ = std::move(stored);
    rng_ = rng;
  }

 private:
  std::uint32_t take(Match& from);

  ReplaySettings settings_;
  Rng rng_;
  std::deque<Match> stored_;
};

}  // namespace polymax::learn
