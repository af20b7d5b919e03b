#include "cli/board.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace polymax::cli {

bool colour_wanted() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr && terminal != nullptr &&
         std::string(terminal) != "dumb";
}

}  // namespace polymax::cli
