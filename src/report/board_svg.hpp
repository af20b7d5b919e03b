// A position as a picture: the Drawing of any game in SVG, for notebooks, pages and reports.
#pragma once

#include <string>

#include "core/drawing.hpp"

namespace polymax {

// One <svg> element, its notes below the board. cell: width of a cell in pixels. Every cell is a
// group with the attribute data-cell, its name.
std::string board_svg(const Drawing& drawing, double cell = 28);

}  // namespace polymax
