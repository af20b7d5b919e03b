// Ratings of players from matches of any number of seats: Plackett-Luce with ties after Davidson
// (Firth, Kosmidis, Turner 2019). At each place a group S of the remaining seats is chosen with
// odds
//   delta_|S| * exp(mean of strengths of S),   delta_1 = 1, one tie parameter per size of group,
// so a joint win, a team's win and a common draw are results like any other. Newton's method on the
// concave likelihood. Chosen: a weak prior, half a win and half a loss of every player against a
// player of strength 0 (and of every tie parameter likewise), keeps ratings finite when a player
// wins or loses everything; `measured` says when that happened.
#pragma once

#include <span>
#include <vector>

namespace polymax::arena {

// One match: groups of players, best first; a group of several is a tie. A player may hold several
// seats.
struct Placing {
  std::vector<std::vector<int>> groups;
  // The last group lost, its inner order unknown; false: it is a tie too (a common draw).
  bool rest_open = true;
  int times = 1;  // how many matches ended so
};

// From the gain of every seat and the player that sat there: winners, drawn seats, losers.
Placing placing_of(std::span<const int> players, std::span<const float> gains);

struct Rating {
  double strength = 0;  // natural logarithm of the odds, relative to the reference
  double error = 0;     // standard error of it
  // False: the matches alone put it at plus or minus infinity, or say nothing; the prior decides.
  bool measured = true;
  int matches = 0;

  double elo() const { return strength * kElo; }
  double elo_error() const { return error * kElo; }
  static constexpr double kElo = 173.71779276130073;  // 400 / ln 10
};

struct RatingSettings {
  int reference = -1;  // this player has strength 0; -1: the mean of all has
  double prior = 0.5;
};

// Throws Error when a placing names a player outside 0..players-1.
std::vector<Rating> rate(int players, std::span<const Placing> matches,
                         const RatingSettings& settings = {});

}  // namespace polymax::arena
