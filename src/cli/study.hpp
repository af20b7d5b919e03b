// What the subcommands of `study` share.
#pragma once

#include <string>

#include "arena/study.hpp"

namespace polymax::cli {

// "1 h 05 m", "3 m 20 s", "12 s".
std::string duration_text(double seconds);

// paper: a file given by the user; empty: paper.json beside the study's folder, or the one
// that ships.
std::string paper_file(const arena::Study& study, const std::string& given);

}  // namespace polymax::cli
