// How a game speaks GTP: names of the colours, coordinates, what one GTP move is. Blokus as Pentobi
// does, Hex as HexGui and MoHex (black first, from top to bottom, a1 in the top left corner),
// Othello with a1 in the top left corner and explicit passes, Amazons with whole turns (d1-d7/g7)
// and white first. All other games: colours 1, 2, ... and our own move texts.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/any.hpp"

namespace polymax::protocol {

class Dialect {
 public:
  virtual ~Dialect() = default;

  // What we write: "1", "b".
  virtual std::string colour(int seat) const;
  // What anybody writes; -1: no colour of this game.
  virtual int seat_of(std::string_view colour) const;

  // Our moves that make one move of GTP.
  virtual int moves_in_turn() const { return 1; }
  // Moves of the game as one GTP move.
  virtual std::string to_gtp(std::span<const std::string> turn) const;
  // The other way. Throws Error when the text is no move at all; whether it is legal says the
  // match.
  virtual std::vector<std::string> from_gtp(std::string_view text) const;

  virtual bool passes() const { return false; }  // a seat without a move says so
  virtual std::string score_text(const AnyMatch& over, int players) const;  // final_score
  // The value of `set_game`; empty: the game has none.
  virtual std::string game_name() const { return ""; }
  // The setting that `boardsize` changes; empty: the board has one size.
  virtual std::string size_key() const { return ""; }
};

std::unique_ptr<const Dialect> dialect_of(const AnyGame& game);

// The value of a setting that is a whole number.
int setting_of(const AnyGame& game, const std::string& key);

}  // namespace polymax::protocol
