#include "arena/tournament_figures.hpp"

#include <algorithm>
#include <array>

namespace polymax::arena {

namespace {

Json player_json(const PlayerResult& player, const Interval& interval, int seats) {
  Json by_seat = Json::array();
  for (std::size_t s = 0; s < static_cast<std::size_t>(seats); ++s)
    by_seat.push_back({{"results", player.seat_results[s]},
                       {"score", player.seat_score[s] / static_cast<double>(std::max<std::uint64_t>(
                                                            1, player.seat_results[s]))}});
  return {
      {"player", player.spec},
      {"results", player.results},
      {"score", player.mean_score()},
      {"interval", interval.known ? Json(std::array{interval.low, interval.high}) : nullptr},
      {"blocks", player.blocks.size()},
      {"wins", player.wins},
      {"draws", player.draws},
      {"losses", player.losses},
      {"points", player.mean_points()},
      {"moves", player.use.moves},
      {"evaluations_per_move", per_move(player.use, static_cast<double>(player.use.evaluations))},
      {"seconds_per_move", per_move(player.use, player.use.seconds)},
      {"longest_overrun", player.use.overrun},
      {"seats", by_seat}};
}

}  // namespace

double per_move(const SeatUse& use, double amount) {
  return use.moves == 0 ? 0 : amount / use.moves;
}

TournamentFigures figures_of(const TournamentSettings& settings, const TournamentResult& result) {
  TournamentFigures out;
  for (const auto& player : result.players)
    out.intervals.push_back(mean_interval(player.blocks, settings.seed));
  if (settings.against || result.played == 0) return out;
  std::vector<Placing> placings;
  const auto seats = static_cast<std::size_t>(settings.game->players());
  for (std::size_t k = 0; k < result.gains.size(); ++k)
    placings.push_back(
        placing_of(result.seatings[k], std::span(result.gains[k].seats).first(seats)));
  out.ratings = rate(static_cast<int>(result.players.size()), placings);
  return out;
}

TournamentFigures quick_figures_of(const TournamentResult& result) {
  TournamentFigures out;
  for (const auto& player : result.players) out.intervals.push_back(quick_interval(player.blocks));
  return out;
}

Json tournament_json(const TournamentSettings& settings, const TournamentResult& result,
                     std::span<const std::string> budgets) {
  const auto figures = figures_of(settings, result);
  Json players = Json::array();
  for (std::size_t p = 0; p < result.players.size(); ++p) {
    Json player = player_json(result.players[p], figures.intervals[p], settings.game->players());
    if (!figures.ratings.empty()) {
      const auto& rating = figures.ratings[p];
      player["elo"] = {
          {"rating", rating.elo()}, {"error", rating.elo_error()}, {"measured", rating.measured}};
    }
    players.push_back(player);
  }
  return {{"game", settings.game->spec()},
          {"seed", exact_number(settings.seed)},
          {"opening", settings.opening},
          {"short_openings", result.short_openings},
          {"budgets", budgets},
          {"planned", result.planned},
          {"played", result.played},
          {"failed", result.failed},
          {"first_error", result.failed > 0 ? Json(result.first_error) : nullptr},
          {"forfeits", result.forfeits},
          {"first_forfeit", result.forfeits > 0 ? Json(result.first_forfeit) : nullptr},
          {"against", settings.against},
          {"rotate", settings.rotate || settings.against},
          {"players", players}};
}

}  // namespace polymax::arena
