// A few players against each other in one game, seats rotated: what `polymax match` and the
// strength figures of learning run. Results do not depend on the number of threads when budgets
// count evaluations.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/match.hpp"
#include "arena/parallel.hpp"

namespace polymax::arena {

struct TournamentSettings {
  const AnyGame* game = nullptr;
  std::vector<Spec> players;    // one for each seat; or two, with `against`
  std::vector<Budget> budgets;  // one for each player, or one for all
  // The first player in one seat, the second in all others; rotated, as in the paper.
  bool against = false;
  bool rotate = false;       // every start is played with all cyclic rotations of the players
  std::uint64_t starts = 1;  // start positions; with rotation each is played once for every seat
  int opening = 0;  // random moves that begin every match, the same for all rotations of a start
  std::uint64_t seed = 0;
  int threads = 1;
};

// What its matches ask of the machine.
MatchLoad load_of(const TournamentSettings& settings);

// What one player did, over all seats it sat in.
struct PlayerResult {
  std::string spec;
  std::uint64_t results = 0, wins = 0, draws = 0, losses = 0;  // one for every seat of every match
  double score_sum = 0, points_sum = 0;
  std::uint64_t forfeits = 0;  // of the results: of matches that some seat forfeited; no points
  SeatUse use;
  // Mean score of every block: all rotations of one start, or one match.
  std::vector<double> blocks;
  std::array<double, kMaxPlayers> seat_score{};
  std::array<std::uint64_t, kMaxPlayers> seat_results{};

  double mean_score() const { return results == 0 ? 0 : score_sum / static_cast<double>(results); }
  // Over the matches that were played to their end.
  double mean_points() const {
    return results == forfeits ? 0 : points_sum / static_cast<double>(results - forfeits);
  }
};

struct TournamentResult {
  std::vector<PlayerResult> players;
  std::uint64_t planned = 0, played = 0, failed = 0;
  std::string first_error;     // of a failed match
  std::uint64_t forfeits = 0;  // of those played: lost by a seat that broke the rules of the match
  std::string first_forfeit;
  // Of those played to their end: the next random move of the opening would have ended the match.
  std::uint64_t short_openings = 0;
  // Who sat where, and the gains, of every match that ended: for ratings.
  std::vector<std::vector<int>> seatings;
  std::vector<Scores> gains;
};

// Called after each match in the order of the schedule, with the results so far; false ends the
// tournament.
using EachMatch = std::function<bool(std::uint64_t match, const MatchRecord& record,
                                     const TournamentResult& so_far)>;

// Throws Error for a bad line-up or a player that cannot be made; a player that fails in a match
// fails that match alone and its block has no score.
TournamentResult tournament(const TournamentSettings& settings, const EachMatch& each = {},
                            std::stop_token stop = {});

// Which player sits in every seat of match k.
std::vector<int> seating(const TournamentSettings& settings, std::uint64_t k);

}  // namespace polymax::arena
