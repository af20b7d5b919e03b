// What the tests of mcts with one and with several threads share.
#pragma once

#include <cstdint>

#include "tests/search/verdicts.hpp"

namespace polymax {

template <class G>
std::uint64_t visits_of(const Verdict<G>& verdict) {
  std::uint64_t out = 0;
  for (const auto& child : verdict.children) out += child.visits;
  return out;
}

}  // namespace polymax
