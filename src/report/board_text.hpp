// A position as text, in colour when asked. Knows no game.
#pragma once

#include <string>

#include "core/drawing.hpp"

namespace polymax {

std::string board_text(const Drawing& drawing, bool colour);

// "seat 2" in its colour.
std::string seat_text(int seat, bool colour);

}  // namespace polymax
