// Values of the moves that will be tried next, asked for together with the one that is tried now.
// A search that looks at one position at a time asks a device so for a few at once; what it never
// looks at was valued in vain. Values are kept by the position's hash, one place for the hashes
// that fall on it. Any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/evaluator.hpp"
#include "tree/boxable.hpp"

namespace polymax {

template <Game G>
class ValuesAhead {
 public:
  using State = typename G::State;
  using Move = typename G::Move;

  // most: positions of one call; with 1 nothing is kept.
  ValuesAhead(const G& game, int most)
      : game_(&game), most_(static_cast<std::size_t>(most)), places_(most > 1 ? kPlaces : 0) {}

  bool on() const { return most_ > 1; }
  // Moves besides the one that is tried.
  std::size_t room() const { return most_ - 1; }

  // Of a position that is not over. next: moves of its parent, asked for besides where the position
  // is not known yet.
  Scores value(const EvaluatorRef<G>& evaluator, const State& state, const State& parent,
               std::span<const Move> next) {
    const std::uint64_t hash = game_->hash(state);
    if (const auto known = recall(hash)) return *known;
    thread_local std::vector<State> states;
    thread_local std::vector<std::uint8_t> over;
    thread_local std::vector<Scores> values;
    states.clear();
    over.resize(next.size());
    append_children(*game_, parent, next, states, over.data());
    std::size_t open = 0;
    for (std::size_t i = 0; i < states.size(); ++i)
      if (!over[i]) states[open++] = states[i];
    states.resize(open, state);
    states.push_back(state);
    values.resize(states.size());
    evaluator.evaluate(states, values);
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = 0; i < open; ++i) put(game_->hash(states[i]), values[i]);
    return values.back();
  }

 private:
  struct Place {
    std::uint64_t hash = 0;
    Scores value;
    bool taken = false;
  };

  static constexpr std::size_t kPlaces = std::size_t{1} << 13;

  std::optional<Scores> recall(std::uint64_t hash) {
    const std::scoped_lock lock(mutex_);
    const Place& place = places_[hash % kPlaces];
    if (!place.taken || place.hash != hash) return std::nullopt;
    return place.value;
  }

  void put(std::uint64_t hash, const Scores& value) {
    places_[hash % kPlaces] = {hash, value, true};
  }

  const G* game_;
  std::size_t most_;
  std::vector<Place> places_;
  std::mutex mutex_;
};

}  // namespace polymax
