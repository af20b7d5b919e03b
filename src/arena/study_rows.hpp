// A study's matches as statistics and reports read them: one row per match, names of games and
// players beside.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/scores.hpp"

namespace polymax::arena {

// What one seat spent in a match.
struct SeatUse {
  int moves = 0;
  std::uint64_t evaluations = 0;
  double seconds = 0;
  double overrun = 0;  // longest time over its budget on one move, in seconds
  friend bool operator==(const SeatUse&, const SeatUse&) = default;
};

struct StudyRow {
  std::uint64_t match = 0;   // k: place in the schedule
  int game = 0, player = 0;  // places in StudyTable::games and players
  int i = 0, j = 0;  // network of the evaluated player, first network of the benchmark players
  int repetition = 0;
  // Of the evaluated player; all seats of one (game, player, i, j, repetition): a block.
  int seat = 0;
  std::string error;    // a match that failed says why; it has no result
  int forfeit = -1;     // the seat that broke the rules of the match and has lost; -1: none
  std::string reason;   // of the forfeit
  Scores gain, points;  // of every seat
  int length = 0;       // moves
  std::array<SeatUse, kMaxPlayers> use{};
  // File of the match's record, relative to the study's folder; empty: none was kept.
  std::string record;

  bool failed() const { return !error.empty(); }
  bool forfeited() const { return forfeit >= 0; }
};

struct StudyTable {
  // One of f_0, f_1, ...: what values positions.
  struct Function {
    std::string name;   // an evaluator's spec, or a network's file
    std::string about;  // of a file: its checksum, and what it says of its training
  };
  struct Game {
    std::string name, spec;
    int players = 2;
    std::vector<Function> evaluators = {};
  };
  struct Player {
    std::string name, spec;
    std::string budget = "";  // of its moves, where it has one of its own
  };
  std::string title;       // the folder's name where the study has none
  std::string file;        // of the study
  std::uint64_t seed = 0;  // of the study
  std::string computed;    // what computes the values of networks; empty: there are none
  std::string budget;      // of every move, as in the study file
  // That budget, where it is one in seconds alone; else infinite.
  double seconds = std::numeric_limits<double>::infinity();
  int functions = 0;  // n: networks per game
  int opening = 0;    // random moves first
  std::vector<Game> games;
  std::vector<Player> players;  // the evaluated ones
  Player benchmark;
  std::vector<StudyRow> rows;  // by match, each once
  std::uint64_t planned = 0;   // matches of the whole study; 0: not said
  bool timed = false;          // some budget is in seconds
};

}  // namespace polymax::arena
