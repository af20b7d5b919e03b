// What the subcommands of `study` share.
#pragma once

#include <string>

namespace polymax::cli {

// "1 h 05 m", "3 m 20 s", "12 s".
std::string duration_text(double seconds);

}  // namespace polymax::cli
