// What is known of the children of a position, by columns in the order of moves, whatever the game.
#pragma once

#include <cstdint>
#include <vector>

#include "core/scores.hpp"

namespace polymax {

struct ChildValues {
  std::vector<Scores> values;
  std::vector<std::uint8_t> over;
  std::vector<std::uint8_t> known;  // set between listing and valuing: the value is there already
  bool cut = false;                 // valuing was interrupted: some have no value
};

}  // namespace polymax
