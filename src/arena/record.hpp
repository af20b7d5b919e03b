// A match as one line of JSON: game, seed of the start, players, moves, who moved, what the movers
// thought, results. What a clock decided stands apart under "time", so that records of matches with
// counted budgets are equal to the byte without it. A saved game of `polymax play` is a record with
// moves alone, and with what each player may spend. The same as SGF: sgf.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arena/match.hpp"
#include "core/json.hpp"

namespace polymax::arena {

enum class Timing { with, without };

// One line without its end. Floats have as many digits as needed to read the same float back.
std::string record_line(const MatchRecord& record, Timing timing = Timing::with);

// Throws Error that says what is wrong in the line.
MatchRecord read_record_line(std::string_view line);

// The moves and results of a record, without game, start and players: for those who store these
// once.
void write_moves(const MatchRecord& record, Timing timing, Json& out);
void read_moves(const Json& json, MatchRecord& out);

// use[].moves, evaluations and seconds from the moves; overruns stay.
void sum_use(MatchRecord& record);

// The record of a match that was played elsewhere: its moves and, when it is over, its result.
MatchRecord record_of(const AnyGame& game, std::uint64_t start, std::vector<std::string> players,
                      const AnyMatch& match);

// A file of records: JSON lines, or SGF when it begins with '('. Throws Error with file and line.
std::vector<MatchRecord> read_records(const std::string& path);

// The same from the text of such a file; path: its name, for complaints.
std::vector<MatchRecord> records_of_text(const std::string& text, const std::string& path);

// Throws Error unless the name of a file to be written says in which format: .sgf, .blksgf, .jsonl
// or .json at its end.
void check_record_name(const std::string& path);

// The text of a file that holds these records: SGF when `path` ends in .sgf, Pentobi's when it ends
// in .blksgf (one match, Pentobi reads no more), JSON lines otherwise.
std::string records_text(const std::vector<MatchRecord>& records, const std::string& path);

// Plays the moves again by the rules of `game`, which is the record's, and fills in seats that the
// record does not tell. Throws Error at the first move that is illegal (with its number) or of
// another seat, and for another number of players. The position after the last move.
std::unique_ptr<AnyMatch> replay_moves(const AnyGame& game, MatchRecord& record);

// The whole record: moves and results. Throws Error as replay_moves does, and when the result is
// another. The record, with seats and points where it did not tell them.
MatchRecord replay(MatchRecord record);

}  // namespace polymax::arena
