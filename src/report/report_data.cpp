// A study's report for programs: CSV (one line per player and game, and per player and pool) and
// JSON (everything).
#include <cmath>
#include <ranges>

#include "core/commit.hpp"
#include "core/json.hpp"
#include "core/lists.hpp"
#include "report/report_parts.hpp"

namespace polymax::report {

namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string line(const std::vector<std::string>& cells) {
  return joined(std::views::transform(cells, quoted), ",") + "\n";
}

// Six digits: enough for every use, and the same text whatever the last bit.
Json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  return std::round(value * 1e6) / 1e6 + 0.0;
}

std::string digits(double value) {
  return decimal(value, 6);
}

Json interval(const arena::Interval& from) {
  if (!from.known) return nullptr;
  return {{"mean", rounded(from.mean)}, {"low", rounded(from.low)}, {"high", rounded(from.high)}};
}

Json tally(const arena::Tally& from) {
  Json out{{"matches", from.matches()}, {"wins", from.wins},     {"draws", from.draws},
           {"losses", from.losses},     {"failed", from.failed}, {"forfeited", from.forfeited}};
  out["mean"] = from.matches() > 0 ? rounded(from.mean()) : Json(nullptr);
  return out;
}

Json use(const arena::Use& from, bool timed) {
  Json out{{"seats", from.seats},
           {"moves", from.moves},
           {"evaluations", from.evaluations},
           {"evaluations_a_move", rounded(from.per_move(static_cast<double>(from.evaluations)))}};
  if (timed) {
    out["seconds"] = rounded(from.seconds);
    out["seconds_a_move"] = rounded(from.per_move(from.seconds));
    out["seats_over_time"] = from.overruns;
    out["longest_overrun_seconds"] = rounded(from.longest_overrun);
  }
  return out;
}

Json rating(const arena::Rating& from) {
  return {{"strength", rounded(from.strength)}, {"error", rounded(from.error)},
          {"elo", rounded(from.elo())},         {"elo_error", rounded(from.elo_error())},
          {"measured", from.measured},          {"matches", from.matches}};
}

Json cell(const Figures& f, int p, int g) {
  const arena::CellResult& from = f.cell(p, g);
  Json out{{"game", f.game(g)}};
  out.update(tally(from.all));
  out["points"] = from.all.scored > 0 ? rounded(from.all.points / from.all.scored) : Json(nullptr);
  out["moves_a_match"] = rounded(from.length);
  out["radius"] = from.matches.known ? rounded(from.matches.radius()) : Json(nullptr);
  out["networks"] = interval(from.networks);
  out["rank"] = from.rank;
  out["seats"] = Json::array();
  for (const arena::Tally& seat : from.seats) out["seats"].push_back(tally(seat));
  return out;
}

Json players(const Figures& f) {
  Json out = Json::array();
  for (int p = 0; p < f.players(); ++p) {
    const auto at = static_cast<std::size_t>(p);
    Json one{{"name", f.player(p)},
             {"spec", f.table.players[at].spec},
             {"budget",
              f.table.players[at].budget.empty() ? f.table.budget : f.table.players[at].budget},
             {"rating", rating(f.analysis.ratings[at])},
             {"use", use(f.analysis.use[at], f.table.timed)},
             {"benchmark_use", use(f.analysis.benchmark_use[at], f.table.timed)},
             {"games", Json::array()}};
    for (int g = 0; g < f.games(); ++g) one["games"].push_back(cell(f, p, g));
    out.push_back(one);
  }
  return out;
}

Json square(const std::vector<std::vector<arena::Interval>>& intervals) {
  Json out = Json::array();
  for (const auto& of_row : intervals) {
    Json line = Json::array();
    for (const auto& one : of_row) line.push_back(interval(one));
    out.push_back(line);
  }
  return out;
}

Json pools(const Figures& f) {
  Json out = Json::array();
  for (const arena::Pool& pool : f.analysis.pools) {
    Json one{{"games", Json::array()}, {"players", Json::array()}};
    for (int g : pool.games) one["games"].push_back(f.game(g));
    for (const auto& row : pool.rows) {
      Json entry{{"name", f.player(row.player)}};
      entry.update(tally(row.all));
      entry["parity"] = rounded(row.parity);
      entry["paper_interval"] = interval(row.matches);
      entry["network_interval"] = interval(row.networks);
      entry["rank"] = row.rank;
      entry["paired_rank"] = row.paired_rank;
      one["players"].push_back(entry);
    }
    one["differences"] = square(pool.differences);
    one["differences_by_games"] = square(pool.by_games);
    out.push_back(one);
  }
  return out;
}

Json paper_tables(const Figures& f) {
  Json out = Json::array();
  for (const arena::PaperTable& table : f.paper_tables) {
    Json one{{"title", table.title}, {"games", Json::array()}, {"players", Json::array()}};
    for (int g : table.games) one["games"].push_back(f.game(g));
    for (const auto& row : table.rows)
      one["players"].push_back({{"name", f.player(row.player)},
                                {"family", row.family},
                                {"paper_interval", interval(row.matches)},
                                {"network_interval", interval(row.networks)}});
    out.push_back(one);
  }
  return out;
}

Json budgets(const Figures& f) {
  if (f.budgets.empty()) return nullptr;
  Json out{{"study", f.settings.beside->file},
           {"budget", f.settings.beside->budget},
           {"players", Json::array()}};
  for (const auto& row : f.budgets)
    out["players"].push_back({{"name", f.player(row.player)},
                              {"here", interval(row.here)},
                              {"beside", interval(row.beside)}});
  return out;
}

Json match_json(const Figures& f, const arena::StudyRow& row) {
  return {{"match", row.match},
          {"game", f.game(row.game)},
          {"player", f.player(row.player)},
          {"i", row.i},
          {"j", row.j},
          {"repetition", row.repetition},
          {"seat", row.seat + 1}};
}

Json agreement(const arena::Comparison::Agreement& from) {
  return {{"players", from.players},
          {"spearman", rounded(from.spearman)},
          {"kendall", rounded(from.kendall)}};
}

Json comparisons_json(const Figures& f) {
  Json out = Json::array();
  for (const arena::Comparison& with : f.comparisons) {
    Json one{{"experiment", with.experiment->name},
             {"seconds", with.experiment->seconds},
             {"other_boards", with.other_boards},
             {"pooled", agreement(with.pooled)},
             {"by_game", Json::array()},
             {"players", Json::array()},
             {"scores", Json::array()}};
    for (std::size_t k = 0; k < with.games.size(); ++k) {
      Json entry{{"game", f.game(with.games[k])}};
      entry.update(agreement(with.by_game[k]));
      one["by_game"].push_back(entry);
    }
    for (const auto& row : with.rows)
      one["players"].push_back({{"name", f.player(row.player)},
                                {"games", row.games},
                                {"mean", rounded(row.own)},
                                {"paper_mean", rounded(row.paper)},
                                {"paper_printed", interval(row.printed)}});
    for (const auto& cell : with.cells)
      one["scores"].push_back({{"name", f.player(cell.player)},
                               {"game", f.game(cell.game)},
                               {"mean", rounded(cell.own.mean)},
                               {"radius", cell.own.known ? rounded(cell.own.radius()) : nullptr},
                               {"paper_mean", rounded(cell.paper.mean)},
                               {"paper_radius", rounded(cell.paper.radius)}});
    out.push_back(one);
  }
  return out;
}

}  // namespace

std::string to_csv(const Figures& f) {
  std::string out = line({"player",       "games",        "matches",   "wins",       "draws",
                          "losses",       "failed",       "mean",      "paper_low",  "paper_high",
                          "network_low",  "network_high", "parity",    "rank",       "paired_rank",
                          "forfeited",    "above_next",   "above_low", "above_high", "by_games_low",
                          "by_games_high"});
  const auto add = [&](int p, const std::string& games, const arena::Tally& all,
                       const arena::Interval& matches, const arena::Interval& networks,
                       double level, int rank, int paired_rank, const arena::Interval& above = {},
                       const arena::Interval& by_games = {}) {
    const auto bound = [](const arena::Interval& of, double value) {
      return of.known ? digits(value) : "";
    };
    out += line({f.player(p),
                 games,
                 std::to_string(all.matches()),
                 std::to_string(all.wins),
                 std::to_string(all.draws),
                 std::to_string(all.losses),
                 std::to_string(all.failed),
                 all.matches() > 0 ? digits(all.mean()) : "",
                 bound(matches, matches.low),
                 bound(matches, matches.high),
                 bound(networks, networks.low),
                 bound(networks, networks.high),
                 digits(level),
                 rank > 0 ? std::to_string(rank) : "",
                 paired_rank > 0 ? std::to_string(paired_rank) : "",
                 std::to_string(all.forfeited),
                 bound(above, above.mean),
                 bound(above, above.low),
                 bound(above, above.high),
                 bound(by_games, by_games.low),
                 bound(by_games, by_games.high)});
  };
  for (const arena::Pool& pool : f.analysis.pools)
    for (std::size_t k = 0; k < pool.rows.size(); ++k) {
      const auto& row = pool.rows[k];
      const bool last = k + 1 == pool.rows.size();
      add(row.player, f.pool_title(pool), row.all, row.matches, row.networks, row.parity, row.rank,
          row.paired_rank, last ? arena::Interval{} : pool.differences[k][k + 1],
          last ? arena::Interval{} : pool.by_games[k][k + 1]);
    }
  for (int p = 0; p < f.players(); ++p)
    for (int g = 0; g < f.games(); ++g)
      add(p, f.game(g), f.cell(p, g).all, f.cell(p, g).matches, f.cell(p, g).networks,
          arena::parity(f.table.games[static_cast<std::size_t>(g)].players), f.cell(p, g).rank, 0);
  return out;
}

std::string to_json(const Figures& f) {
  Json out{{"title", f.table.title},
           {"study", f.table.file},
           {"study_seed", exact_number(f.table.seed)},
           {"commit", commit()},
           {"computed_by", f.table.computed},
           {"unlike_paper", f.unlike_paper()},
           {"budget", f.table.budget},
           {"functions", f.table.functions},
           {"planned", f.table.planned},
           {"finished", f.analysis.finished},
           {"failed", f.analysis.failed.size()},
           {"short_openings", f.short_openings()},
           {"forfeited", f.analysis.forfeited.size()},
           {"blocks", f.analysis.blocks},
           {"whole_blocks", f.analysis.whole_blocks},
           {"seed", exact_number(f.settings.seed)},
           {"resamples", f.settings.resamples},
           {"benchmark", {{"name", f.table.benchmark.name}, {"spec", f.table.benchmark.spec}}},
           {"games", Json::array()}};
  for (int g = 0; g < f.games(); ++g) {
    const auto& game = f.table.games[static_cast<std::size_t>(g)];
    Json evaluators = Json::array();
    for (const auto& function : game.evaluators)
      evaluators.push_back({{"name", function.name}, {"about", function.about}});
    out["games"].push_back({{"name", game.name},
                            {"spec", game.spec},
                            {"players", game.players},
                            {"parity", rounded(arena::parity(game.players))},
                            {"level", rounded(f.level(g))},
                            {"evaluators", evaluators}});
  }
  out["pools"] = pools(f);
  out["players"] = players(f);
  out["paper"] = comparisons_json(f);
  out["paper_tables"] = paper_tables(f);
  out["beside"] = budgets(f);
  out["failures"] = Json::array();
  for (const arena::StudyRow* row : f.analysis.failed) {
    Json one = match_json(f, *row);
    one["error"] = row->error;
    out["failures"].push_back(one);
  }
  out["forfeits"] = Json::array();
  for (const arena::StudyRow* row : f.analysis.forfeited) {
    Json one = match_json(f, *row);
    one["forfeited_by"] = row->forfeit + 1;
    one["reason"] = row->reason;
    out["forfeits"].push_back(one);
  }
  return out.dump(1) + "\n";
}

}  // namespace polymax::report
