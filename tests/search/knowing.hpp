// Evaluators of explicit trees that know the moves: the tree's guesses as values, and a prior that
// is random, or hostile: the better a move really is for its mover, the less it likes it.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/evaluator.hpp"
#include "core/rng.hpp"
#include "tests/search/tree_game.hpp"

namespace polymax {

class Knowing {
 public:
  using Trees = tree_game::Rules;

  enum class Prior { random, hostile };

  explicit Knowing(const Trees& game, Prior kind = Prior::random) : game_(game), kind_(kind) {
    if (kind == Prior::hostile) back_up(0);
  }

  void evaluate(std::span<const Trees::State> states, std::span<Scores> out) {
    count(states);
    for (std::size_t i = 0; i < states.size(); ++i) out[i] = game_.estimate(states[i]);
  }
  void evaluate(std::span<const Trees::State> states, std::span<Scores> out, MovePriors& priors) {
    evaluate(states, out);
    priors = {};
    for (const auto& state : states) {
      for (const float x : prior(state.node)) priors.all.push_back(x);
      priors.ends.push_back(static_cast<std::uint32_t>(priors.all.size()));
    }
  }
  bool knows_moves() const { return true; }

  std::vector<float> prior(std::uint32_t s) const {
    const auto& node = game_.node({s});
    std::vector<float> out;
    float sum = 0;
    for (const auto child : node.children) {
      const float x = kind_ == Prior::random
                          ? static_cast<float>(1 + mix64(s * 1000003u + child) % 97)
                          : std::exp(-2 * truth_.at(child)[node.seat]);
      sum += x;
      out.push_back(x);
    }
    for (float& x : out) x /= sum;
    return out;
  }

  // How often each position was valued.
  std::map<std::uint32_t, int> valued;
  int fail_at = -1, calls = 0;

 private:
  void count(std::span<const Trees::State> states) {
    const std::scoped_lock lock(mutex_);
    if (++calls == fail_at) throw Error("no more");
    for (const auto& state : states) ++valued[state.node];
  }

  // Gains when every seat plays its best.
  const Scores& back_up(std::uint32_t s) {
    if (const auto known = truth_.find(s); known != truth_.end()) return known->second;
    const auto& node = game_.node({s});
    if (node.children.empty()) return truth_[s] = node.gain;
    Scores best = back_up(node.children[0]);
    for (const auto child : node.children)
      if (const Scores value = back_up(child); value[node.seat] > best[node.seat]) best = value;
    return truth_[s] = best;
  }

  const Trees& game_;
  Prior kind_;
  std::map<std::uint32_t, Scores> truth_;
  std::mutex mutex_;
};

}  // namespace polymax
