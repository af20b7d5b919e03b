// Progressive widening by the prior (for UCT: Coulom 2007, Chaslot et al. 2008): of a new position
// only the most promising children are valued, more of them as it is visited. Finished children and
// those that are known already cost nothing and are always seen. Each position is valued once: the
// call that values a child also gives the prior of its moves, which is kept until the child is
// expanded (prior_memory.hpp); where it was lost, it costs an evaluation again.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/searcher.hpp"
#include "tree/agree.hpp"
#include "tree/best_first_engine.hpp"
#include "tree/expansion.hpp"
#include "tree/prior_memory.hpp"

namespace polymax {

template <Game G>
class Widening {
 public:
  Widening(const Task<G>& task, const BestFirstRules& rules)
      : task_(task),
        width_(static_cast<std::size_t>(rules.widen)),
        batch_(rules.batch),
        memory_(*task.game, memory_for_priors(rules)) {}

  static std::size_t memory_for_priors(const BestFirstRules& rules) {
    return rules.widen > 0 ? rules.memory / kShareOfPriors : 0;
  }

  std::size_t bytes() const { return memory_.bytes(); }

  // Values the best children of the line's position and marks the others unseen. Returns how many
  // positions the evaluator was asked for, as the next one does.
  std::size_t value_first(Line& line, Expansion<G>& children, const typename G::State& of,
                          const Meter* until) {
    auto& chosen = line.to_value;
    chosen.clear();
    for (std::size_t i = 0; i < children.states.size(); ++i) {
      if (children.over[i])
        children.values[i] = terminal_points(*task_.game, children.states[i], task_.points);
      else if (!children.known[i])
        chosen.push_back(i);
    }
    std::size_t asked = 0;
    if (chosen.size() > width_) {
      asked = memory_.find(task_.evaluator, of, line.priors);
      must_agree(line.priors.size(), children.states.size());
      std::ranges::stable_sort(chosen, std::ranges::greater(),
                               [&](std::size_t i) { return line.priors[i]; });
      for (std::size_t i = width_; i < chosen.size(); ++i) line.bits[chosen[i]] |= bits::kUnseen;
      chosen.resize(width_);
    }
    return asked + value_chosen(line, children, until);
  }

  // Values the children that the line has chosen. Without widening nobody asks for their priors.
  std::size_t value_chosen(const Line& line, Expansion<G>& children, const Meter* until) {
    const auto ask = [&](auto states, auto values) {
      if (width_ > 0)
        memory_.value(task_.evaluator, states, values);
      else
        task_.evaluator.evaluate(states, values);
    };
    return children.value_these(line.to_value, ask, {batch_, until});
  }

 private:
  static constexpr std::size_t kShareOfPriors = 32;  // of the memory: one of so many

  Task<G> task_;
  std::size_t width_;
  bool batch_;
  PriorMemory<G> memory_;
};

}  // namespace polymax
