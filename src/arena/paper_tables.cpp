#include "arena/paper_tables.hpp"

#include <algorithm>
#include <map>

namespace polymax::arena {

namespace {

// "best k" or "best C" for a player that the paper varies by a parameter, with what its family is
// called.
std::pair<std::string, std::string> family_of(const std::string& name) {
  if (name.starts_with("maxn_k")) return {"maxn_k", "best k"};
  if (name.starts_with("mcts_h_")) return {"mcts_h", "best C"};
  if (name.starts_with("mcts_sqrt")) return {"mcts", "best C"};
  return {name, ""};
}

bool played_all(const Analysis& analysis, int p, const std::vector<int>& games) {
  return !games.empty() && std::ranges::all_of(games, [&](int g) {
    return analysis.cells[static_cast<std::size_t>(p)][static_cast<std::size_t>(g)].all.matches() >
           0;
  });
}

enum class Batching { off, on };  // of children

PaperTable table_of(const StudyTable& table, const Analysis& analysis, const Paper& paper,
                    std::string title, std::vector<int> games, Batching batching) {
  PaperTable out{std::move(title), std::move(games), {}};
  std::map<std::string, PaperTable::Row> best;
  for (int p = 0; p < static_cast<int>(table.players.size()); ++p) {
    const auto* known = paper.find_player(table.players[static_cast<std::size_t>(p)].name);
    if (!known || known->batching != (batching == Batching::on) ||
        !played_all(analysis, p, out.games))
      continue;
    const auto [family, parameter] = family_of(known->name);
    const PoolResult pooled = analysis.pooled(table, p, out.games);
    PaperTable::Row row{p, parameter, pooled.matches, pooled.networks};
    const auto [at, fresh] = best.try_emplace(family, row);
    if (!fresh && at->second.matches.mean < row.matches.mean) at->second = row;
  }
  for (const auto& [family, row] : best) out.rows.push_back(row);
  std::ranges::stable_sort(out.rows, std::ranges::greater{},
                           [](const PaperTable::Row& row) { return row.matches.mean; });
  return out;
}

}  // namespace

std::vector<PaperTable> paper_tables(const StudyTable& table, const Analysis& analysis,
                                     const Paper& paper) {
  std::vector<int> all, of_brs;
  for (int g = 0; g < static_cast<int>(table.games.size()); ++g) {
    const auto* known = paper.find_game(table.games[static_cast<std::size_t>(g)].spec);
    if (!known) continue;
    all.push_back(g);
    if (known->brs) of_brs.push_back(g);
  }
  std::vector<PaperTable> out;
  out.push_back(table_of(table, analysis, paper, "without child batching", all, Batching::off));
  if (of_brs != all)
    out.push_back(table_of(table, analysis, paper, "with child batching, games of BRS", of_brs,
                           Batching::on));
  out.push_back(table_of(table, analysis, paper, "with child batching", all, Batching::on));
  std::erase_if(out, [](const PaperTable& one) { return one.rows.empty(); });
  return out;
}

std::vector<BudgetRow> budgets_beside(const StudyTable& table, const Analysis& analysis,
                                      const StudyTable& other, const Analysis& of_other) {
  std::vector<int> games, there;
  for (std::size_t g = 0; g < table.games.size(); ++g) {
    const auto same = std::ranges::find(other.games, table.games[g].spec, &StudyTable::Game::spec);
    if (same == other.games.end()) continue;
    games.push_back(static_cast<int>(g));
    there.push_back(static_cast<int>(same - other.games.begin()));
  }
  std::vector<BudgetRow> out;
  for (int p = 0; p < static_cast<int>(table.players.size()); ++p) {
    const auto same = std::ranges::find(
        other.players, table.players[static_cast<std::size_t>(p)].name, &StudyTable::Player::name);
    if (same == other.players.end()) continue;
    const int q = static_cast<int>(same - other.players.begin());
    if (!played_all(analysis, p, games) || !played_all(of_other, q, there)) continue;
    const auto one = analysis.pooled(table, p, games), two = of_other.pooled(other, q, there);
    const auto better = [](const PoolResult& from) {
      return from.networks.known ? from.networks : from.matches;
    };
    out.push_back({p, better(one), better(two)});
  }
  std::ranges::stable_sort(out, std::ranges::greater{},
                           [](const BudgetRow& row) { return row.here.mean; });
  return out;
}

}  // namespace polymax::arena
