// A reviewed match as a table and as JSON.
#pragma once

#include <string>

#include "arena/review.hpp"

namespace polymax::report {

std::string review_text(const arena::Review& review);  // a table
std::string review_line(const arena::Review& review);  // one line of JSON without its end

}  // namespace polymax::report
