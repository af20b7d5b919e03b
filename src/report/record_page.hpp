// One recorded match as an HTML page: who played, the boards on the way, every move with what the
// mover thought, the result.
#pragma once

#include <string>

#include "arena/match.hpp"

namespace polymax::report {

// title: of the page; sgf: where the same record lies as SGF, seen from the page. Throws Error when
// a move is illegal.
std::string record_page(const AnyGame& game, const arena::MatchRecord& record,
                        const std::string& title, const std::string& sgf);

}  // namespace polymax::report
