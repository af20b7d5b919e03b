// What is computed from a tournament's result for tables, and the result as JSON for programs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "arena/rating.hpp"
#include "arena/statistics.hpp"
#include "arena/tournament.hpp"
#include "core/json.hpp"

namespace polymax::arena {

struct TournamentFigures {
  std::vector<Interval> intervals;  // by player: of the mean score, from blocks
  std::vector<Rating> ratings;      // by player; empty with `against`, or where nothing was played
};

TournamentFigures figures_of(const TournamentSettings& settings, const TournamentResult& result);

// For a table that is drawn while matches wait: quick intervals, no ratings.
TournamentFigures quick_figures_of(const TournamentResult& result);

// budgets: of every player, as they were asked for.
Json tournament_json(const TournamentSettings& settings, const TournamentResult& result,
                     std::span<const std::string> budgets);

// What a seat spent on a move, of an amount spent on all.
double per_move(const SeatUse& use, double amount);

}  // namespace polymax::arena
