// Positions in the terminal.
#pragma once

#include "report/board_text.hpp"

namespace polymax::cli {

// Whether standard output is a terminal that wants colour (NO_COLOR and TERM=dumb are respected).
bool colour_wanted();

}  // namespace polymax::cli
