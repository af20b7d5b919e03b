// A position as text, in colour when asked. Knows no game.
#pragma once

#include <string>
#include <vector>

#include "core/drawing.hpp"

namespace polymax {

// marked: names of cells to be seen at once, those of the last move.
std::string board_text(const Drawing& drawing, bool colour,
                       const std::vector<std::string>& marked = {});

// "seat 2 (O)" in its colour; seats count from 1 where people read them.
std::string seat_text(int seat, bool colour);

}  // namespace polymax
