// Draws a position in the terminal, in colour when asked. Knows no game.
#pragma once

#include <string>

#include "core/drawing.hpp"

namespace polymax::cli {

std::string board_text(const Drawing& drawing, bool colour);

// "seat 2" in its colour.
std::string seat_text(int seat, bool colour);

// Whether standard output is a terminal that wants colour (NO_COLOR and TERM=dumb are respected).
bool colour_wanted();

}  // namespace polymax::cli
