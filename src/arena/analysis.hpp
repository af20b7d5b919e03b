// All figures of a study's report, computed once from its table; the writers of report_*.cpp only
// lay them out. Scores are -1..1. A pure function of the table and the seed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "arena/rating.hpp"
#include "arena/statistics.hpp"
#include "arena/study_rows.hpp"

namespace polymax::arena {

// Results that were counted together.
struct Tally {
  int wins = 0, draws = 0, losses = 0, failed = 0;
  int forfeited = 0;  // of the matches: some seat, by whomever, broke the rules of the match
  int scored = 0;     // of the matches: `points` has theirs, of those not forfeited that tell them
  double sum = 0, points = 0;

  int matches() const { return wins + draws + losses; }
  double mean() const { return matches() > 0 ? sum / matches() : 0; }

  Tally& operator+=(const Tally& more) {
    wins += more.wins;
    draws += more.draws;
    losses += more.losses;
    failed += more.failed;
    forfeited += more.forfeited;
    scored += more.scored;
    sum += more.sum;
    points += more.points;
    return *this;
  }
};

// What a player's seats spent, over matches that did not fail.
struct Use {
  std::uint64_t moves = 0, evaluations = 0;
  double seconds = 0, longest_overrun = 0;
  int seats = 0, overruns = 0;  // seats that played; those that went over their time on some move

  double per_move(double total) const { return moves > 0 ? total / static_cast<double>(moves) : 0; }
};

// One evaluated player in one game.
struct CellResult {
  Tally all;
  std::vector<Tally> seats;
  Interval matches;   // mean with the paper's radius (independent matches)
  Interval networks;  // the same mean, allowing for shared networks
  int rank = 0;       // among the players of this game by `matches`; 0: no result
  int group = 0;      // 1, 2, 3: the best, second, third of equal ranks; 0: none of them
  double length = 0;  // mean moves of a match
};

// One evaluated player over several games, pooled over matches.
struct PoolResult {
  int player = 0;
  Tally all;
  Interval matches;     // the paper's stratified bootstrap
  Interval networks;    // the same mean, allowing for shared networks
  double parity = 0;    // pooled likewise
  int rank = 0;         // by `matches`, as in the paper
  int paired_rank = 0;  // by Pool::differences
  int group = 0;
};

// Means over a set of games, of the players that have results in all of them, best first.
struct Pool {
  std::vector<int> games;
  std::vector<PoolResult> rows;
  // [a][b]: mean of row a minus that of row b over the matches that both played (same game,
  // networks, start and seat), with its interval.
  std::vector<std::vector<Interval>> differences;
  std::vector<std::vector<Interval>> by_games;  // the same with every game as one draw
};

// All seats of one pair of networks and one repetition, as one player played them; NaN: not played.
struct Block {
  std::array<int, 3> at{};  // i, j, repetition
  std::array<double, kMaxPlayers> score{};
};

// Scores of one player in one game, in the order of the schedule, as the intervals want them.
struct CellScores {
  std::vector<double> plain;
  NetworkSample networks;
  std::vector<Block> blocks;
};

struct Analysis {
  std::vector<std::vector<CellResult>> cells;  // [player][game]
  std::vector<Pool> pools;  // all games; then, where some player misses a game, those common to all
  std::vector<Use> use;     // of the evaluated players
  std::vector<Use> benchmark_use;  // of the benchmark's seats against each of them
  std::vector<Rating> ratings;     // of the evaluated players, the benchmark being 0
  std::vector<const StudyRow*> failed, forfeited;
  int finished = 0, blocks = 0, whole_blocks = 0;

  // A player's mean over some games, all of which it played; ranks are not set.
  PoolResult pooled(const StudyTable& table, int player, const std::vector<int>& games) const;

  std::vector<std::vector<CellScores>> scores;  // [player][game]
  std::uint64_t seed = 0;                       // of the bootstrap
  int resamples = kResamples;
};

// What player a scored more than player b in the blocks of one game, in the matches that both
// played. Sorted by `at`.
NetworkSample paired_sample(const std::vector<Block>& a, const std::vector<Block>& b, int networks,
                            int shared);

// The interval of such differences over several games: with shared networks allowed for, or, where
// there are too few to tell, over independent blocks.
Interval paired_interval(std::span<const NetworkSample> samples);

// The table must outlive the result. Throws Error for a table without games or players, or a row
// that names others.
Analysis analyse(const StudyTable& table, std::uint64_t seed, int resamples);

}  // namespace polymax::arena
