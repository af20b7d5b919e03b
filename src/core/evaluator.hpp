// The second contract: who guesses the points of an unfinished game. Batch first: a batch of one is a batch.
#pragma once

#include <concepts>
#include <span>
#include <string>

#include "core/game.hpp"
#include "core/scores.hpp"

namespace polymax {

template <class E, class G>
concept Evaluator = requires(E e, std::span<const typename G::State> states, std::span<Scores> out) {
  { e.evaluate(states, out) } -> std::same_as<void>;  // expected points of every seat; never given a finished state
  { e.label() } -> std::same_as<std::string>;         // goes in every record
};

// What searches hold: two words, one indirect call per batch. Does not own the evaluator.
template <class G>
class EvaluatorRef {
 public:
  using States = std::span<const typename G::State>;

  template <class E>
  requires(Evaluator<E, G> && !std::same_as<E, EvaluatorRef>)
      EvaluatorRef(E& evaluator)  // NOLINT: a reference stands for what it refers to
      : object_(&evaluator), call_([](void* object, States states, std::span<Scores> out) {
          static_cast<E*>(object)->evaluate(states, out);
        }) {}

  void evaluate(States states, std::span<Scores> out) const { call_(object_, states, out); }

  Scores evaluate(const typename G::State& state) const {
    Scores out;
    call_(object_, {&state, 1}, {&out, 1});
    return out;
  }

 private:
  void* object_;
  void (*call_)(void*, States, std::span<Scores>);
};

// What an evaluator is made of. A file of src/eval/ holds a class Eval<G>, constructible from a Setup<G> and its
// Params, that models Evaluator.
template <class G>
struct EvaluatorSetup {
  const G* game = nullptr;
  Points points{};
  std::uint64_t seed = 0;
  std::string spec{};  // canonical text of the game with its settings
};

template <class E, class G>
concept OfferedEvaluator = Evaluator<E, G> && Described<typename E::Params> && std::constructible_from < E,
        EvaluatorSetup<G>,
typename E::Params > &&requires {
  { E::about } -> std::convertible_to<About>;
};

}  // namespace polymax
