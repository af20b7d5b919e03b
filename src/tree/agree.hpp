// Searches list the moves of a position again instead of keeping them. Rules of the catalog say the
// same twice; those that others write (python/) may not, and then what was kept is not what is
// there.
#pragma once

#include <cstddef>
#include <string>

#include "core/error.hpp"

namespace polymax {

// Throws Error when a position has other moves than before.
inline void must_agree(std::size_t listed, std::size_t before) {
  if (listed != before)
    throw Error("the game gave " + std::to_string(listed) + " moves for a position that had " +
                std::to_string(before) +
                " before: equal positions have the same moves, and other positions other hashes");
}

[[noreturn]] inline void fail_lost_move() {
  throw Error("the game no longer gives a move that it gave before for the same position");
}

}  // namespace polymax
