// Random games from the position to the end. For every search: evaluate() is the mean terminal
// points of n games, a pure function of (position, n, seed). For Monte-Carlo tree search: sample()
// draws n new games at every call and gives their mean gain. Both may be called by several threads
// at once and allocate nothing after a thread's first call.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "core/evaluator.hpp"
#include "core/random_game.hpp"
#include "core/rng.hpp"

namespace polymax::playouts {

struct Params {
  int n = 1, seed = -1;
  static Fields fields() {
    return {field("n", &Params::n, "random games for a value", 1, 1000),
            field("seed", &Params::seed,
                  "which random games evaluate() plays; -1: by the player's seed", -1,
                  std::numeric_limits<int>::max())};
  }
};

template <Game G>
class Eval {
 public:
  using Params = playouts::Params;

  static constexpr About about{"mean of random games", 1, ""};

  explicit Eval(const EvaluatorSetup<G>& setup, Params params = {})
      : game_(setup.game),
        points_(setup.points),
        seed_(mix64(params.seed < 0 ? setup.seed : static_cast<std::uint64_t>(params.seed))),
        params_(params) {}

  void evaluate(std::span<const typename G::State> states, std::span<Scores> out) const {
    for (std::size_t i = 0; i < states.size(); ++i) {
      Rng rng(seed_ ^ game_->hash(states[i]));
      out[i] = mean(states[i], points_, rng);
    }
  }

  Scores sample(const typename G::State& state, Rng& rng) const {
    return mean(state, Points::gain, rng);
  }

 private:
  Scores mean(const typename G::State& state, Points points, Rng& rng) const {
    static thread_local MoveList<G> moves;
    std::array<double, kMaxPlayers> sums{};
    for (int i = 0; i < params_.n; ++i) {
      const Scores end = terminal_points(*game_, play_out(state, moves, rng), points);
      for (std::size_t p = 0; p < sums.size(); ++p) sums[p] += static_cast<double>(end.seats[p]);
    }
    Scores out;
    for (std::size_t p = 0; p < sums.size(); ++p)
      out.seats[p] = static_cast<float>(sums[p] / params_.n);
    return out;
  }

  typename G::State play_out(typename G::State state, MoveList<G>& moves, Rng& rng) const {
    finish_randomly(*game_, state, moves, rng, [](const auto&, const auto&) {});
    return state;
  }

  const G* game_;
  Points points_;
  std::uint64_t seed_;
  Params params_;
};

}  // namespace polymax::playouts
