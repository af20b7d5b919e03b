#include "arena/tournament.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "catalog/computed.hpp"
#include "core/error.hpp"

namespace polymax::arena {

namespace {

bool rotated(const TournamentSettings& settings) {
  return settings.rotate || settings.against;
}

std::uint64_t block_size(const TournamentSettings& settings) {
  return rotated(settings) ? static_cast<std::uint64_t>(settings.game->players()) : 1;
}

void check(const TournamentSettings& settings) {
  const auto seats = static_cast<std::size_t>(settings.game->players()),
             given = settings.players.size();
  const std::string has =
      "the game '" + settings.game->spec() + "' has " + std::to_string(seats) + " seats, ";
  const std::string count =
      std::to_string(given) + (given == 1 ? " player is" : " players are") + " given";
  if (settings.against && given != 2)
    throw Error("'against' needs two players, the one to be tested and its opponent; " + count);
  if (!settings.against && given != seats)
    throw Error(
        has + count + ": give one for each seat" +
        (given == 2 ? ", or ask for the first against copies of the second (--against)" : ""));
  if (settings.budgets.size() != 1 && settings.budgets.size() != given)
    throw Error(std::to_string(settings.budgets.size()) + " budgets for " + std::to_string(given) +
                " players: give one for all or one for each");
  check_players(*settings.game, settings.players);
  check_opening(*settings.game, settings.opening);
  for (std::size_t p = 0; p < given; ++p)
    check_budget(settings.players[p], settings.budgets[settings.budgets.size() == 1 ? 0 : p]);
}

MatchSetup setup_of(const TournamentSettings& settings, std::uint64_t k) {
  MatchSetup out;
  out.game = settings.game;
  out.start = derived_seed(settings.seed, k / block_size(settings));
  out.seed = derived_seed(settings.seed + 1, k);
  out.opening = settings.opening;
  for (const int player : seating(settings, k)) {
    const auto p = static_cast<std::size_t>(player);
    out.players.push_back(settings.players[p]);
    out.budgets.push_back(settings.budgets[settings.budgets.size() == 1 ? 0 : p]);
  }
  return out;
}

void add_use(SeatUse& to, const SeatUse& use) {
  to.moves += use.moves;
  to.evaluations += use.evaluations;
  to.seconds += use.seconds;
  to.overrun = std::max(to.overrun, use.overrun);
}

// Gathers records in the order of the schedule.
class Standings {
 public:
  explicit Standings(const TournamentSettings& settings) : settings_(settings) {
    out.planned = settings.starts * block_size(settings);
    for (const auto& player : settings.players) out.players.emplace_back().spec = player.text();
    clear_block();
  }

  void add(std::uint64_t k, const MatchRecord& record) {
    if (record.error.empty()) {
      add_result(k, seating(settings_, k), record);
    } else {
      ++out.failed;
      if (out.first_error.empty())
        out.first_error = "match " + std::to_string(k) + ": " + record.error;
      whole_ = false;
    }
    if ((k + 1) % block_size(settings_) == 0) end_block();
  }

  TournamentResult out;

 private:
  void add_result(std::uint64_t k, const std::vector<int>& seats, const MatchRecord& record) {
    ++out.played;
    if (record.forfeit >= 0 && ++out.forfeits == 1) out.first_forfeit = forfeit_text(k, record);
    if (record.forfeit < 0 && opening_length(record) < settings_.opening) ++out.short_openings;
    out.seatings.push_back(seats);
    out.gains.push_back(record.gain);
    for (std::size_t seat = 0; seat < seats.size(); ++seat) {
      const auto p = static_cast<std::size_t>(seats[seat]);
      const auto gain = static_cast<double>(record.gain.seats[seat]);
      auto& player = out.players[p];
      player.spec = record.players[seat];
      ++player.results;
      ++(gain > 0 ? player.wins : gain < 0 ? player.losses : player.draws);
      player.score_sum += gain;
      if (record.forfeit < 0)
        player.points_sum += static_cast<double>(record.points.seats[seat]);
      else
        ++player.forfeits;
      player.seat_score[seat] += gain;
      ++player.seat_results[seat];
      add_use(player.use, record.use[seat]);
      block_sum_[p] += gain;
      ++block_count_[p];
    }
  }

  void end_block() {
    if (whole_)
      for (std::size_t p = 0; p < out.players.size(); ++p)
        out.players[p].blocks.push_back(block_sum_[p] / block_count_[p]);
    clear_block();
  }

  void clear_block() {
    block_sum_.assign(out.players.size(), 0);
    block_count_.assign(out.players.size(), 0);
    whole_ = true;
  }

  const TournamentSettings& settings_;
  std::vector<double> block_sum_, block_count_;
  bool whole_ = true;  // no match of the block failed
};

}  // namespace

MatchLoad load_of(const TournamentSettings& settings) {
  const auto timed = [](const Budget& budget) { return std::isfinite(budget.seconds); };
  return {.gpu = std::ranges::any_of(settings.players, &catalog::asks_gpu),
          .timed = std::ranges::any_of(settings.budgets, timed),
          .evaluations = std::ranges::max(settings.budgets, {}, &Budget::evaluations).evaluations};
}

std::vector<int> seating(const TournamentSettings& settings, std::uint64_t k) {
  const auto seats = static_cast<std::size_t>(settings.game->players());
  std::vector<int> out(seats, 1);
  if (settings.against)
    out[0] = 0;
  else
    std::iota(out.begin(), out.end(), 0);
  if (rotated(settings))
    std::ranges::rotate(out, out.end() - static_cast<std::ptrdiff_t>(k % seats));
  return out;
}

TournamentResult tournament(const TournamentSettings& settings, const EachMatch& each,
                            std::stop_token stop) {
  check(settings);
  Standings standings(settings);
  std::vector<std::uint64_t> all(standings.out.planned);
  std::iota(all.begin(), all.end(), 0);
  play_matches(
      all, settings.threads, [&](std::uint64_t k) { return setup_of(settings, k); },
      [&](std::uint64_t k, MatchRecord&& record) {
        standings.add(k, record);
        return !each || each(k, record, standings.out);
      },
      Order::as_listed, std::move(stop));
  return std::move(standings.out);
}

}  // namespace polymax::arena
