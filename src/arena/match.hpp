// One match: a player in every seat, played to its end by the rules, with everything that happened.
// The bottom of `match` and `study`, and of the strength figures of learning.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/study_rows.hpp"
#include "catalog/any.hpp"

namespace polymax::arena {

// Who plays. Two matches of one setup are the same move for move when budgets count evaluations or
// nodes.
struct MatchSetup {
  const AnyGame* game = nullptr;
  std::vector<Spec> players;    // of every seat
  std::vector<Budget> budgets;  // of every seat, for one move
  std::uint64_t start = 0;      // seed of the start position and of the opening
  std::uint64_t seed = 0;       // of the players
  int opening = 0;              // random moves before the players take over

  // Who makes the player of a seat; the game's catalog when empty.
  std::function<std::unique_ptr<AnyPlayer>(int seat)> make_player;
};

struct MoveRecord {
  std::string move;
  int seat = 0;         // who moved
  bool valued = false;  // false: a move of the opening, nothing below is set
  Scores value{};       // what the mover thought everybody would get
  std::uint64_t evaluations = 0;
  double seconds = 0;  // in whole microseconds
  friend bool operator==(const MoveRecord&, const MoveRecord&) = default;
};

struct MatchRecord {
  std::string game;         // spec
  std::uint64_t start = 0;  // seed of the start position
  std::vector<std::string> players;
  // What each may spend on a move; "" for people. Empty where that is not told, as in records of
  // tournaments.
  std::vector<std::string> budgets;
  std::vector<MoveRecord> moves;
  bool over = false;  // played to the end: the next three are set
  Scores score, gain, points;
  std::array<SeatUse, kMaxPlayers> use{};
  std::string error;  // a player failed: why
  // A seat that broke the rules of the match (Forfeit) has lost, and all others have won: `over` is
  // set, score and points are the gain.
  int forfeit = -1;
  std::string reason;  // of the forfeit
  friend bool operator==(const MatchRecord&, const MatchRecord&) = default;
};

// Players are made afresh. A player that throws Forfeit loses; one that throws anything else that
// tells of it, or plays an illegal move, ends the match with `error`. What the machine cannot do is
// thrown on: a player that cannot be made (its network is gone), memory, a device, a thread. When
// `stop` is asked for the record comes back neither over nor with an error.
MatchRecord play_match(const MatchSetup& setup, std::stop_token stop = {});

// What every seat gets when one has forfeited; and the record of a match that ended so.
Scores gain_of_forfeit(int seat, int players);
void end_by_forfeit(MatchRecord& record, int seat, const std::string& reason);
std::string forfeit_text(std::uint64_t match, const MatchRecord& record);  // for people

// Whether what a player threw in a match tells of the player: an Error about what it did (usage), a
// std::runtime_error or std::logic_error. All else is the machine's: an Error (failed), a
// std::system_error, std::bad_alloc, what torch throws.
bool is_fault_of_player(const std::exception& error);

// The seed of the n-th thing that has a seed of its own.
std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t n);

// Makes every player once and throws the Error of the first that cannot be made: before the
// matches, not in them.
void check_players(const AnyGame& game, std::span<const Spec> players);

// Throws Error when no match of the game has a move left after so many random ones.
void check_opening(const AnyGame& game, int opening);

// How many moves of the record belong to its opening.
int opening_length(const MatchRecord& record);

// Throws Error for a budget without an end for a search that may never solve a position.
void check_budget(const Spec& player, const Budget& budget);

}  // namespace polymax::arena
