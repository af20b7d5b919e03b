// The game's own hand-written guess, turned into the points of the match.
// Chosen: a guess of final scores becomes a gain x/(1+|x|), where x is the lead over the mean of
// the others divided by one plus the spread of all guesses; as depth points that gain counts with
// half of the moves still left.
#pragma once

#include <cmath>
#include <span>

#include "core/evaluator.hpp"

namespace polymax::estimate {

template <Game G>
requires Estimating<G>
class Eval {
 public:
  using Params = NoSettings;

  static constexpr About about{"the game's hand-written estimate", 1, ""};

  explicit Eval(const EvaluatorSetup<G>& setup, Params = {})
      : game_(setup.game), points_(setup.points) {}

  void evaluate(std::span<const typename G::State> states, std::span<Scores> out) {
    for (std::size_t i = 0; i < states.size(); ++i)
      out[i] = in_points(states[i], game_->estimate(states[i]));
  }

 private:
  Scores in_points(const typename G::State& state, const Scores& guess) const {
    if (points_ == Points::score) return guess;
    Scores out = as_gain(guess);
    if (points_ == Points::gain) return out;
    const int left = game_->max_length() - game_->played(state);
    return additive_depth(out, left / 2, 0);
  }

  Scores as_gain(const Scores& guess) const {
    const int players = game_->players();
    const auto seats = static_cast<float>(players);
    float sum = 0, spread = 0;
    for (int p = 0; p < players; ++p) sum += guess[p];
    for (int p = 0; p < players; ++p) spread += std::abs(guess[p] - sum / seats) / seats;
    Scores out;
    for (int p = 0; p < players; ++p) {
      const float x = (guess[p] - (sum - guess[p]) / (seats - 1)) / (1 + spread);
      out[p] = x / (1 + std::abs(x));
    }
    return out;
  }

  const G* game_;
  Points points_;
};

}  // namespace polymax::estimate
