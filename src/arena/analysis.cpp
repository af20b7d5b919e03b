// See analysis.hpp.
#include "arena/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/error.hpp"
#include "core/rng.hpp"

namespace polymax::arena {

namespace {

// A place in a vector.
std::size_t nth(int k) {
  return static_cast<std::size_t>(k);
}

using AllScores = std::vector<std::vector<CellScores>>;  // [player][game]

void check(const StudyTable& table) {
  if (table.games.empty()) throw Error("the study has no games", Error::Kind::failed);
  if (table.players.empty()) throw Error("the study has no evaluated players", Error::Kind::failed);
  for (const StudyRow& row : table.rows) {
    const bool known = row.game >= 0 && nth(row.game) < table.games.size() && row.player >= 0 &&
                       nth(row.player) < table.players.size();
    if (!known || row.seat < 0 || row.seat >= table.games[nth(row.game)].players)
      throw Error(fmt::format("match {} names a game, player or seat that the study does not have",
                              row.match),
                  Error::Kind::failed);
  }
}

std::vector<const StudyRow*> in_order(const StudyTable& table) {
  std::vector<const StudyRow*> out;
  for (const StudyRow& row : table.rows) out.push_back(&row);
  std::stable_sort(out.begin(), out.end(),
                   [](const auto* a, const auto* b) { return a->match < b->match; });
  return out;
}

void count(Tally& tally, const StudyRow& row) {
  if (row.failed()) {
    ++tally.failed;
    return;
  }
  const double gain = row.gain[row.seat];
  ++(gain > 0 ? tally.wins : gain < 0 ? tally.losses : tally.draws);
  tally.sum += gain;
  if (row.forfeited()) {
    ++tally.forfeited;
  } else if (const double points = row.points[row.seat]; !std::isnan(points)) {
    ++tally.scored;
    tally.points += points;
  }
}

void add(Use& use, const SeatUse& seat) {
  use.moves += static_cast<std::uint64_t>(seat.moves);
  use.evaluations += seat.evaluations;
  use.seconds += seat.seconds;
  use.longest_overrun = std::max(use.longest_overrun, seat.overrun);
  ++use.seats;
  use.overruns += seat.overrun > 0 ? 1 : 0;
}

void count_blocks(Analysis& out, const StudyTable& table, std::span<const StudyRow* const> rows) {
  std::map<std::array<int, 5>, int> seats;
  for (const StudyRow* row : rows)
    seats[{row->game, row->player, row->i, row->j, row->repetition}] += row->failed() ? 0 : 1;
  out.blocks = static_cast<int>(seats.size());
  for (const auto& [block, played] : seats)
    out.whole_blocks += played == table.games[nth(block[0])].players ? 1 : 0;
}

void make_blocks(AllScores& scores, std::span<const StudyRow* const> rows) {
  std::map<std::array<int, 5>, Block> all;  // by player and game, too
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (const StudyRow* row : rows) {
    if (row->failed()) continue;
    const std::array<int, 3> at{row->i, row->j, row->repetition};
    auto [block, fresh] = all.try_emplace({row->player, row->game, at[0], at[1], at[2]});
    if (fresh) {
      block->second.at = at;
      block->second.score.fill(kNone);
    }
    block->second.score[nth(row->seat)] = row->gain[row->seat];
  }
  for (const auto& [at, block] : all) scores[nth(at[0])][nth(at[1])].blocks.push_back(block);
}

AllScores tally_all(Analysis& out, const StudyTable& table, std::span<const StudyRow* const> rows) {
  AllScores scores(table.players.size(), std::vector<CellScores>(table.games.size()));
  for (const StudyRow* row : rows) {
    CellResult& cell = out.cells[nth(row->player)][nth(row->game)];
    CellScores& own = scores[nth(row->player)][nth(row->game)];
    count(cell.all, *row);
    count(cell.seats[nth(row->seat)], *row);
    if (row->failed()) {
      out.failed.push_back(row);
      continue;
    }
    ++out.finished;
    if (row->forfeited()) out.forfeited.push_back(row);
    cell.length += row->length;
    own.plain.push_back(row->gain[row->seat]);
    own.networks.scores.push_back({row->i, row->j, row->gain[row->seat]});
    for (int seat = 0; seat < table.games[nth(row->game)].players; ++seat)
      add((seat == row->seat ? out.use : out.benchmark_use)[nth(row->player)], row->use[nth(seat)]);
  }
  for (auto& of_player : scores)
    for (std::size_t g = 0; g < of_player.size(); ++g) {
      of_player[g].networks.shared = table.games[g].players - 1;
      of_player[g].networks.networks = table.functions;
    }
  make_blocks(scores, rows);
  return scores;
}

// Groups of equal rank, the best first: 1, 2, 3; 0 for all further ones.
std::vector<int> groups(const std::vector<int>& ranks) {
  std::set<int> distinct(ranks.begin(), ranks.end());
  distinct.erase(0);
  std::vector<int> out;
  for (int rank : ranks) {
    const auto place = std::distance(distinct.begin(), distinct.find(rank)) + 1;
    out.push_back(rank > 0 && place <= 3 ? static_cast<int>(place) : 0);
  }
  return out;
}

std::uint64_t sub_seed(std::uint64_t seed, std::size_t player, std::size_t part) {
  return mix64(seed ^ mix64(player * 4096 + part));
}

void judge_cells(Analysis& out, const AllScores& scores) {
  for (std::size_t p = 0; p < scores.size(); ++p) {
    for (std::size_t g = 0; g < scores[p].size(); ++g) {
      CellResult& cell = out.cells[p][g];
      if (cell.all.matches() == 0) continue;
      cell.matches = normal_interval(scores[p][g].plain);
      cell.networks = network_interval(std::span(&scores[p][g].networks, 1));
      cell.length /= cell.all.matches();
    }
  }
  for (std::size_t g = 0; g < scores[0].size(); ++g) {
    std::vector<Interval> column;
    for (std::size_t p = 0; p < scores.size(); ++p) column.push_back(out.cells[p][g].matches);
    const auto rank = ranks(column), group = groups(rank);
    for (std::size_t p = 0; p < scores.size(); ++p) {
      out.cells[p][g].rank = rank[p];
      out.cells[p][g].group = group[p];
    }
  }
}

// What every player of the pool scored more than every other.
void compare_players(Pool& pool, const StudyTable& table, const AllScores& scores) {
  const std::size_t n = pool.rows.size();
  pool.differences.assign(n, std::vector<Interval>(n));
  pool.by_games = pool.differences;
  const auto reversed = [](const Interval& d) -> Interval {
    return {-d.mean, -d.high, -d.low, d.known};
  };
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b) {
      std::vector<NetworkSample> samples;
      for (const int g : pool.games)
        samples.push_back(paired_sample(scores[nth(pool.rows[a].player)][nth(g)].blocks,
                                        scores[nth(pool.rows[b].player)][nth(g)].blocks,
                                        table.functions, table.games[nth(g)].players - 1));
      pool.differences[b][a] = reversed(pool.differences[a][b] = paired_interval(samples));
      pool.by_games[b][a] = reversed(pool.by_games[a][b] = games_interval(samples, 2));
    }
}

void rank_pool(Pool& pool, const StudyTable& table, const AllScores& scores) {
  std::stable_sort(pool.rows.begin(), pool.rows.end(),
                   [](const auto& a, const auto& b) { return a.matches.mean > b.matches.mean; });
  compare_players(pool, table, scores);
  std::vector<Interval> matches;
  for (const auto& row : pool.rows) matches.push_back(row.matches);
  const auto rank = ranks(matches), paired = paired_ranks(pool.differences), group = groups(rank);
  for (std::size_t k = 0; k < pool.rows.size(); ++k) {
    pool.rows[k].rank = rank[k];
    pool.rows[k].paired_rank = paired[k];
    pool.rows[k].group = group[k];
  }
}

void make_pools(Analysis& out, const StudyTable& table) {
  const auto played = [&](std::size_t p, int g) { return out.cells[p][nth(g)].all.matches() > 0; };
  std::vector<int> all, common;
  for (int g = 0; nth(g) < table.games.size(); ++g) {
    all.push_back(g);
    bool everybody = true;
    for (std::size_t p = 0; p < table.players.size(); ++p) everybody = everybody && played(p, g);
    if (everybody) common.push_back(g);
  }
  std::vector<std::vector<int>> sets{all};
  if (!common.empty() && common != all) sets.push_back(common);
  for (const auto& games : sets) {
    Pool pool;
    pool.games = games;
    for (std::size_t p = 0; p < table.players.size(); ++p)
      if (std::all_of(games.begin(), games.end(), [&](int g) { return played(p, g); }))
        pool.rows.push_back(out.pooled(table, static_cast<int>(p), games));
    rank_pool(pool, table, out.scores);
    out.pools.push_back(std::move(pool));
  }
}

void rate_players(Analysis& out, const StudyTable& table, std::span<const StudyRow* const> rows) {
  // How often a player and the others had these gains: its own first, the others' sorted.
  std::map<std::pair<int, std::vector<float>>, int> results;
  for (const StudyRow* row : rows) {
    if (row->failed()) continue;
    std::vector<float> gains;
    for (int seat = 0; seat < table.games[nth(row->game)].players; ++seat)
      if (seat != row->seat) gains.push_back(row->gain[seat]);
    std::sort(gains.begin(), gains.end());
    gains.insert(gains.begin(), row->gain[row->seat]);
    ++results[{row->player, gains}];
  }
  std::vector<Placing> placings;
  for (const auto& [result, times] : results) {
    std::vector<int> players(result.second.size(), 0);
    players[0] = result.first + 1;
    placings.push_back(placing_of(players, result.second));
    placings.back().times = times;
  }
  out.ratings = rate(static_cast<int>(table.players.size()) + 1, placings, {.reference = 0});
  out.ratings.erase(out.ratings.begin());
}

}  // namespace

PoolResult Analysis::pooled(const StudyTable& table, int player,
                            const std::vector<int>& games) const {
  PoolResult out;
  out.player = player;
  const std::size_t p = nth(player);
  std::vector<std::vector<double>> strata;
  std::vector<NetworkSample> samples;
  for (int g : games) {
    const Tally& tally = cells[p][nth(g)].all;
    out.all += tally;
    out.parity += parity(table.games[nth(g)].players) * tally.matches();
    strata.push_back(scores[p][nth(g)].plain);
    samples.push_back(scores[p][nth(g)].networks);
  }
  out.parity /= out.all.matches();
  out.matches = stratified_interval(strata, sub_seed(seed, p, 1000 + games.size()), resamples);
  out.networks = network_interval(samples);
  return out;
}

NetworkSample paired_sample(const std::vector<Block>& a, const std::vector<Block>& b, int networks,
                            int shared) {
  NetworkSample out{networks, shared, {}};
  auto other = b.begin();
  for (const Block& own : a) {
    while (other != b.end() && other->at < own.at) ++other;
    if (other == b.end()) break;
    if (other->at != own.at) continue;
    double sum = 0, count = 0;
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
      const double difference = own.score[seat] - other->score[seat];
      if (std::isnan(difference)) continue;
      sum += difference;
      count += 1;
    }
    if (count > 0) out.scores.push_back({own.at[0], own.at[1], sum / count, count});
  }
  return out;
}

Interval paired_interval(std::span<const NetworkSample> samples) {
  const Interval out = network_interval(samples, 2);
  if (out.known) return out;
  double blocks = 0, matches = 0, squares = 0;
  for (const auto& sample : samples)
    for (const auto& score : sample.scores) {
      ++blocks;
      matches += score.count;
      squares += std::pow((score.score - out.mean) * score.count, 2);
    }
  if (blocks < 2) return out;
  const double error = std::sqrt(squares * blocks / (blocks - 1)) / matches;
  const double radius = student_quantile(0.975, blocks - 1) * error;
  return {out.mean, out.mean - radius, out.mean + radius, true};
}

Analysis analyse(const StudyTable& table, std::uint64_t seed, int resamples) {
  check(table);
  if (resamples < 1) throw Error("a bootstrap needs at least one resample");
  Analysis out;
  out.cells.resize(table.players.size());
  for (auto& of_player : out.cells)
    for (const auto& game : table.games) {
      of_player.emplace_back();
      of_player.back().seats.resize(nth(game.players));
    }
  out.use.resize(table.players.size());
  out.benchmark_use.resize(table.players.size());
  const auto rows = in_order(table);
  out.seed = seed;
  out.resamples = resamples;
  out.scores = tally_all(out, table, rows);
  count_blocks(out, table, rows);
  judge_cells(out, out.scores);
  make_pools(out, table);
  rate_players(out, table, rows);
  return out;
}

}  // namespace polymax::arena
