// Programs name moves in full: the beginning of a move, which a person may type, is none.
#pragma once

#include <string>

#include "catalog/any.hpp"
#include "core/error.hpp"
#include "protocol/words.hpp"

namespace polymax::protocol {

inline void play_exactly(AnyMatch& match, const std::string& move) {
  const bool whole = match.match_move(move) == move;
  if (!whole) throw Error("'" + shown(move) + "' is only the beginning of a move");
  match.play(move);
}

}  // namespace polymax::protocol
