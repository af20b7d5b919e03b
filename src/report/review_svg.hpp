// The curve of a reviewed match as a picture of its own: the chances of every seat (or its points),
// mistakes marked on the curve of who made them.
#pragma once

#include <string>

#include "arena/review.hpp"

namespace polymax::report {

// A whole SVG file.
std::string review_svg(const arena::Review& review);

}  // namespace polymax::report
