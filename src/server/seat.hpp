// Who sits in a seat, as a text that fits in a link: "human", a level ("casual"), or a search with
// its budget ("mcts(c=0.5)@evals=2000"). Texts come from anywhere: searches are those of the
// catalog, and a file they name must lie below the served folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/any.hpp"
#include "server/limits.hpp"

namespace polymax::server {

struct Seat {
  std::string text;    // as above
  std::string player;  // spec; empty: a person
  Budget budget;

  bool person() const { return player.empty(); }
};

// Below which folder files of requests lie, and what searches may spend.
struct House {
  Limits limits;
  std::string root;  // canonical path; empty: no files
};

// Throws Error. Does not make the player.
Seat read_seat(const std::string& text, const AnyGame& game, const House& house);

// What a record says of a seat: "human", or a player as it was asked for and what it may spend.
struct RecordedSeat {
  std::string player, budget;
};
RecordedSeat recorded(const Seat& seat, const AnyGame& game);

// The text of such a seat: of a level where one is just that, of a player of this program. Without
// a budget it may think as long as one that is typed without. Throws Error for anybody who cannot
// sit here.
std::string seat_text(const RecordedSeat& seat, const AnyGame& game, const House& house);

// The strongest player at hand, for hints and analysis.
Seat strongest(const AnyGame& game, const House& house);

// Makes the player once. Throws Error of the catalog.
void check_seat(const Seat& seat, const AnyGame& game);

// evals=..., seconds=..., never more than the limits. Throws Error.
Budget read_budget(const std::string& text, const Limits& limits);

// The canonical path of `name` (a relative path) below the folder. Throws Refused 404 when it is
// not there or leads out of it.
std::string path_below(const std::string& root, const std::string& name);

}  // namespace polymax::server
