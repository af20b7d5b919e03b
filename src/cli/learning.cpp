#include "cli/learning.hpp"

#include <fmt/core.h>

#include "cli/terminal.hpp"

namespace polymax::cli {

void say(const std::string& text) {
  StatusLine().clear();
  tell(fmt::format("polymax: {}\n", text));
}

}  // namespace polymax::cli
