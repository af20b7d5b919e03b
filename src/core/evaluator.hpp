// The second contract: who guesses the points of an unfinished game. Batch first: a batch of one is
// a batch. A file of src/eval/ holds a class template Eval<G>, G a game (core/game.hpp), that
// models OfferedEvaluator; what it may do besides is said by the optional concepts. Searches hold
// any of them by an EvaluatorRef.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/game.hpp"
#include "core/rng.hpp"
#include "core/scores.hpp"

namespace polymax {

// The smallest and the largest points of something; of nothing at first.
struct Bounds {
  double lo = std::numeric_limits<double>::infinity(),
         hi = -std::numeric_limits<double>::infinity();

  void take(double points) {
    lo = std::min(lo, points);
    hi = std::max(hi, points);
  }
};

template <class E, class G>
concept Evaluator = requires(E evaluator, std::span<const typename G::State> states,
                             std::span<Scores> out) {
  // Expected points of every seat, for each of the states; never given a finished one.
  { evaluator.evaluate(states, out) } -> std::same_as<void>;
};

// Optional: an evaluator that plays games to the end also tells who won them. Monte-Carlo tree
// search asks for that. Where only the running program knows whether it can, it also has
// `bool samples() const`.
template <class E, class G>
concept Sampling = Evaluator<E, G> &&
    requires(E evaluator, const typename G::State& state, Rng& rng) {
  // Mean gain of every seat, another sample at every call.
  { evaluator.sample(state, rng) } -> std::same_as<Scores>;
};

// Optional: an evaluator that knows between which points its games end. MCTS_h scales its rewards
// by them.
template <class E, class G>
concept Bounded = Evaluator<E, G> && requires(const E evaluator) {
  { evaluator.bounds() } -> std::convertible_to<std::optional<Bounds>>;
};

// What an evaluator thinks of the legal moves of some positions: for each position probabilities
// that its moves are the best, in the order of moves().
struct MovePriors {
  std::vector<float> all;
  std::vector<std::uint32_t> ends;  // of each position in `all`

  std::span<const float> of(std::size_t position) const {
    const std::size_t begin = position == 0 ? 0 : ends[position - 1];
    return std::span(all).subspan(begin, ends[position] - begin);
  }
};

// Optional: an evaluator that also knows which moves deserve a look.
template <class E, class G>
concept MoveKnowing = Evaluator<E, G> &&
    requires(E evaluator, const E asked, std::span<const typename G::State> states,
             std::span<Scores> out, MovePriors& priors) {
  // Whether it does depends on the network's file.
  { asked.knows_moves() } -> std::same_as<bool>;
  // Values as without priors, for the cost of one call.
  { evaluator.evaluate(states, out, priors) } -> std::same_as<void>;
};

// What searches hold: two words, one indirect call per batch. Does not own the evaluator. A search
// with several threads calls it from all of them at once.
template <class G>
class EvaluatorRef {
 public:
  using States = std::span<const typename G::State>;

  template <class E>
  requires(Evaluator<E, G> && !std::same_as<E, EvaluatorRef>)
      EvaluatorRef(E& evaluator)  // NOLINT: a reference stands for what it refers to
      : object_(&evaluator), calls_(&kCalls<E>) {}

  void evaluate(States states, std::span<Scores> out) const {
    calls_->evaluate(object_, states, out);
  }

  Scores evaluate(const typename G::State& state) const {
    Scores out;
    calls_->evaluate(object_, {&state, 1}, {&out, 1});
    return out;
  }

  bool knows_moves() const { return calls_->knows_moves && calls_->knows_moves(object_); }
  // Throws Error when it does not; `setting` is what needs it.
  void demand_moves(const std::string& setting) const {
    if (!knows_moves())
      throw Error(setting +
                  " needs eval=network with a network that knows the moves (trained with "
                  "moves=on)");
  }
  void evaluate(States states, std::span<Scores> out, MovePriors& priors) const {
    calls_->evaluate_moves(object_, states, out, priors);
  }

  bool samples() const {
    return calls_->sample != nullptr && (!calls_->samples || calls_->samples(object_));
  }
  Scores sample(const typename G::State& state, Rng& rng) const {
    return calls_->sample(object_, state, rng);
  }
  std::optional<Bounds> bounds() const {
    return calls_->bounds ? calls_->bounds(object_) : std::nullopt;
  }

 private:
  struct Calls {
    void (*evaluate)(void*, States, std::span<Scores>);
    Scores (*sample)(void*, const typename G::State&, Rng&);  // null: not Sampling
    bool (*samples)(const void*);                             // null: it always does
    std::optional<Bounds> (*bounds)(const void*);             // null: not Bounded
    bool (*knows_moves)(const void*);                         // null: not MoveKnowing
    void (*evaluate_moves)(void*, States, std::span<Scores>, MovePriors&);
  };

  template <class E>
  static constexpr Calls make_calls() {
    Calls out{[](void* object, States states, std::span<Scores> to) {
                static_cast<E*>(object)->evaluate(states, to);
              },
              nullptr,
              nullptr,
              nullptr,
              nullptr,
              nullptr};
    if constexpr (Bounded<E, G>)
      out.bounds = [](const void* object) -> std::optional<Bounds> {
        return static_cast<const E*>(object)->bounds();
      };
    if constexpr (MoveKnowing<E, G>) {
      out.knows_moves = [](const void* object) {
        return static_cast<const E*>(object)->knows_moves();
      };
      out.evaluate_moves = [](void* object, States states, std::span<Scores> to,
                              MovePriors& priors) {
        static_cast<E*>(object)->evaluate(states, to, priors);
      };
    }
    if constexpr (Sampling<E, G>)
      out.sample = [](void* object, const typename G::State& state, Rng& rng) {
        return static_cast<E*>(object)->sample(state, rng);
      };
    if constexpr (requires(const E e) { e.samples(); })
      out.samples = [](const void* object) { return static_cast<const E*>(object)->samples(); };
    return out;
  }

  template <class E>
  static constexpr Calls kCalls = make_calls<E>();

  void* object_;
  const Calls* calls_;
};

// What an evaluator is made of.
template <class G>
struct EvaluatorSetup {
  const G* game = nullptr;
  Points points{};
  std::uint64_t seed = 0;
  std::string spec{};  // canonical text of the game with its settings
};

// What a file of src/eval/ holds: an evaluator with settings that says what it is. A game to which
// its own constraint does not apply does not offer it.
template <class E, class G>
concept OfferedEvaluator = Evaluator<E, G> && Described<typename E::Params> &&
    requires(const EvaluatorSetup<G>& setup, const typename E::Params& params) {
  { E::about } -> std::convertible_to<About>;
  { E(setup, params) } -> std::same_as<E>;
};

}  // namespace polymax
