// The order of a study's matches. Match k is a pure function of the study and k: for every
// repetition and all i, j in 0..n-1, every evaluated player sits once in every seat of its games
// with f_i; the other seats hold the benchmark with f_j .. f_{j+P-2}, indices modulo n. Chosen: (i,
// j) change slowest, along diagonals, so that a study that is not finished has all games, players
// and functions in equal parts, and neighbours share networks, which fills batches.
#pragma once

#include <cstdint>
#include <vector>

namespace polymax::arena {

struct ScheduledMatch {
  int game = 0, player = 0, i = 0, j = 0, repetition = 0, seat = 0;
  friend bool operator==(const ScheduledMatch&, const ScheduledMatch&) = default;
};

class Schedule {
 public:
  // seats: of every game; pairs: (game, player) that meet, in order.
  Schedule(int functions, int repetitions, std::vector<int> seats,
           std::vector<ScheduledMatch> pairs);

  std::uint64_t size() const { return size_; }
  double size_as_real() const;  // also where size() would be too large
  int functions() const { return functions_; }
  std::uint64_t step_size() const { return row_.size(); }  // matches of one (repetition, i, j)
  ScheduledMatch at(std::uint64_t k) const;

  // Index of the function in each seat of the match.
  std::vector<int> functions(const ScheduledMatch& match) const;

  // Same for all matches with one game, i, j and repetition, whoever is evaluated and wherever it
  // sits.
  std::uint64_t start_number(const ScheduledMatch& match) const;

 private:
  int functions_, repetitions_;
  std::vector<int> seats_;
  std::vector<ScheduledMatch> row_;  // the matches of one (repetition, i, j)
  std::uint64_t size_;
};

// The matches `which`, rising, in the order in which they are best played, `at_once` at a time: by
// game within blocks, squares of neighbouring i and j that have enough matches of each game, so
// that few networks are at work at a time and their batches are full. Games of longer matches go
// first in a block, so that the last block does not end with a few long ones. cost: of a match, for
// each game, in any unit. A study that is not finished has all games in equal parts up to one
// block.
std::vector<std::uint64_t> playing_order(const Schedule& schedule, std::vector<std::uint64_t> which,
                                         int at_once, const std::vector<double>& cost);

}  // namespace polymax::arena
