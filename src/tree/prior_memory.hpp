// What an evaluator thinks of the moves of positions valued lately. One call gives the values of a
// position and the prior of its moves; searches that will expand some of the positions they value
// keep the priors here and do not ask again. One place for the hashes that fall on it; what comes
// later takes it. Any number of threads.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "core/evaluator.hpp"

namespace polymax {

template <Game G>
class PriorMemory {
 public:
  using State = typename G::State;

  // bytes: about, when all places are taken; 0: keeps nothing.
  PriorMemory(const G& game, std::size_t bytes)
      : game_(&game),
        places_(bytes < kPlaceBytes ? 0 : std::bit_floor(std::min(bytes / kPlaceBytes, kMost))) {}

  std::size_t bytes() const { return places_.size() * kPlaceBytes; }

  // Values positions that are not over.
  void value(const EvaluatorRef<G>& evaluator, std::span<const State> states,
             std::span<Scores> out) {
    ask(evaluator, states, out);
  }

  // The prior of a position. Returns how many positions the evaluator was asked for: one, or none
  // when it is known.
  std::size_t find(const EvaluatorRef<G>& evaluator, const State& state, std::vector<float>& out) {
    if (recall(game_->hash(state), out)) return 0;
    Scores value;
    const MovePriors& priors = ask(evaluator, {&state, 1}, {&value, 1});
    out.assign(priors.all.begin(), priors.all.end());
    return 1;
  }

 private:
  struct Place {
    std::uint64_t hash = 0;
    std::vector<float> priors;  // none: free
  };

  static constexpr std::size_t kMost = std::size_t{1} << 14;
  static constexpr std::size_t kPlaceBytes = sizeof(Place) + 128 * sizeof(float);  // about

  // Keeps what the evaluator says of the moves; it is also this thread's until the next call.
  const MovePriors& ask(const EvaluatorRef<G>& evaluator, std::span<const State> states,
                        std::span<Scores> out) {
    thread_local MovePriors priors;
    evaluator.evaluate(states, out, priors);
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = 0; i < states.size(); ++i) put(game_->hash(states[i]), priors.of(i));
    return priors;
  }

  Place& place_of(std::uint64_t hash) { return places_[hash & (places_.size() - 1)]; }

  bool recall(std::uint64_t hash, std::vector<float>& out) {
    if (places_.empty()) return false;
    const std::scoped_lock lock(mutex_);
    const Place& place = place_of(hash);
    if (place.hash != hash || place.priors.empty()) return false;
    out = place.priors;
    return true;
  }

  void put(std::uint64_t hash, std::span<const float> priors) {
    if (places_.empty()) return;
    Place& place = place_of(hash);
    place.hash = hash;
    place.priors.assign(priors.begin(), priors.end());
  }

  const G* game_;
  std::vector<Place> places_;
  std::mutex mutex_;
};

}  // namespace polymax
