// Matches as SGF: our own properties, with moves 1[..] 2[..] 3[..] 4[..] as proposed for games of
// many players. Pentobi's files of Blokus are read too (pentobi.hpp).
//   (;FF[4]CA[UTF-8]AP[polymax]GM[hex3(side=5)]SD[7]P1[maxn]P2[random]P3[random]
//   RE[1 -1 -1]SC[1 0 0]PT[1 -1 -1]
//   ;1[a1]C[0.25 -0.5 0.25]EV[200]TM[0.01]
//   ;2[b3]... )
// GM: the game's spec, SD: seed of the start, P1..P4: players, B1..B4: what they may spend on a
// move, RE: gain of every seat, SC: its score, PT: its points, C: what the mover thought every seat
// would get, EV: evaluations, TM: seconds, OV: longest overrun of every seat, ER: why the match
// failed, FO: the seat that forfeited and why.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arena/match.hpp"

namespace polymax::arena {

// NAME[value], with what SGF wants escaped.
std::string sgf_property(const std::string& name, const std::string& value);

// One game tree with its line end; a file may hold several.
std::string sgf_text(const MatchRecord& record);

// All games of a file. Throws Error with the line and what is wrong there. Unknown properties are
// passed over; a tree with variations is refused, but of one of Pentobi's the main line is read.
std::vector<MatchRecord> read_sgf(std::string_view text);

}  // namespace polymax::arena
