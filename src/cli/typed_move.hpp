// What a person types as a move: as it is named, or its cells in any order, with blanks, commas or
// hyphens between them, in small or capital letters; some cells are enough when only one move has
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/edited_line.hpp"

namespace polymax::cli {

// The one of the legal moves that is meant. Throws Error when there is none, or several.
std::string typed_move(const std::vector<std::string>& legal, std::string_view typed);

// Those that have all the cells typed; all of them when nothing is.
std::vector<std::string> moves_with(const std::vector<std::string>& legal, std::string_view typed);

// How what was typed may go on: the cells that fit behind those before them, in the order of the
// move texts, or in any where none does.
Completion move_completion(const std::vector<std::string>& legal, const std::string& typed);

// In columns as wide as the longest.
std::string in_columns(const std::vector<std::string>& words, std::size_t width);

}  // namespace polymax::cli
