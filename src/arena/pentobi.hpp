// Blokus as Pentobi writes it, in its files (.blksgf) and its GTP: a move is the cells of a piece
// joined by commas in the order a1, b1, ... a2, b2, ...; any order is read. Ours: the same names
// joined by '-', from the top row down.
#pragma once

#include <string>
#include <string_view>

#include "arena/match.hpp"

namespace polymax::arena {

inline constexpr std::string_view kPentobisName = "Blokus";  // the value of GM and of set_game

std::string to_pentobi_move(std::string_view move);

// Throws Error when the text is no list of cells. Whether the move is legal says the match.
std::string from_pentobi_move(std::string_view text);

// A file of Pentobi (.blksgf): players and moves. Throws Error for a match of another game.
std::string blksgf_text(const MatchRecord& record);

// What was read from such a file, with Pentobi's moves, as a record of the game `spec` (empty:
// blokus): moves, players and, when it is played to its end, the result. Throws Error at a move
// that the rules do not allow.
MatchRecord from_pentobi(const MatchRecord& read, const std::string& spec);

}  // namespace polymax::arena
