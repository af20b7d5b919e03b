// What is known of the children of a position, by columns in the order of moves, whatever the game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/scores.hpp"

namespace polymax {

struct ChildValues {
  std::vector<Scores> values;
  std::vector<std::uint8_t> over;
  std::vector<std::uint8_t> known;  // set between listing and valuing: the value is there already
  std::vector<std::size_t> left;    // valuing was interrupted: these have no value

  bool cut() const { return !left.empty(); }
};

}  // namespace polymax
