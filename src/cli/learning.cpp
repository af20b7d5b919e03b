#include "cli/learning.hpp"

#include <fmt/core.h>

namespace polymax::cli {

void say(const std::string& text) {
  fmt::print(stderr, "polymax: {}\n", text);
}

}  // namespace polymax::cli
