// A study's report as Markdown, and as a short table for a terminal.
#include <fmt/format.h>

#include <algorithm>

#include "core/commit.hpp"
#include "core/lists.hpp"
#include "report/report_parts.hpp"

namespace polymax::report {

namespace {

std::string heading(const Figures& f) {
  return fmt::format("budget {}, benchmark {}, {} function{} a game", budget_text(f),
                     f.table.benchmark.name, f.table.functions, f.table.functions == 1 ? "" : "s");
}

enum class Style { plain, markdown };

TextTable game_table(const Figures& f, Style style) {
  const bool markdown = style == Style::markdown;
  TextTable out;
  out.head = {"player"};
  for (int g = 0; g < f.games(); ++g) out.head.push_back(f.label(g));
  for (int p : f.order()) {
    std::vector<std::string> row{f.player(p)};
    for (int g = 0; g < f.games(); ++g) {
      const arena::CellResult& cell = f.cell(p, g);
      std::string text;
      if (cell.all.matches() > 0) text = mean_text(cell.matches);
      if (markdown && cell.networks.known) text += " (" + percent(cell.networks.radius()) + ")";
      row.push_back(markdown && cell.group == 1 ? "**" + text + "**" : text);
    }
    out.rows.push_back(row);
  }
  std::vector<std::string> parity_row{"parity"};
  for (const auto& game : f.table.games) parity_row.push_back(percent(arena::parity(game.players)));
  out.rows.push_back(parity_row);
  return out;
}

TextTable mean_table(const Figures& f, const arena::Pool& pool) {
  TextTable out;
  out.head = {"player",         "rank",   "mean",    "paper's 95 %",
              "networks' 95 %", "parity", "matches", "above the next"};
  if (known_by_games(pool)) out.head.push_back("by games");
  for (std::size_t k = 0; k < pool.rows.size(); ++k) {
    const auto& row = pool.rows[k];
    const bool last = k + 1 == pool.rows.size();
    out.rows.push_back({f.player(row.player), std::to_string(row.paired_rank),
                        percent(row.matches.mean, 2), bounds(row.matches, 2),
                        bounds(row.networks, 2), percent(row.parity),
                        grouped(static_cast<std::uint64_t>(row.all.matches())),
                        last ? "" : difference(pool.differences[k][k + 1])});
    if (known_by_games(pool))
      out.rows.back().push_back(last ? "" : difference_bounds(pool.by_games[k][k + 1]));
  }
  return out;
}

TextTable paper_table(const Figures& f, const arena::PaperTable& from) {
  TextTable out{{"player", "mean", "paper's 95 %", "networks' 95 %"}, {}};
  for (const auto& row : from.rows)
    out.rows.push_back({f.player(row.player) + (row.family.empty() ? "" : " (" + row.family + ")"),
                        percent(row.matches.mean, 2), bounds(row.matches, 2),
                        bounds(row.networks, 2)});
  return out;
}

std::string paper_rows(const Figures& f) {
  if (f.paper_tables.empty()) return "";
  std::string out = "## The paper's tables\n\n";
  for (const auto& table : f.paper_tables) {
    out += "Means of the algorithms " + table.title + ":\n\n" + paper_table(f, table).markdown();
    out += "\n";
  }
  return out;
}

std::string budget_rows(const Figures& f) {
  if (f.budgets.empty()) return "";
  const arena::StudyTable& other = *f.settings.beside;
  TextTable out{{"player", f.table.budget, "95 %", other.budget, "95 %"}, {}};
  for (const auto& row : f.budgets)
    out.rows.push_back({f.player(row.player), percent(row.here.mean), bounds(row.here),
                        percent(row.beside.mean), bounds(row.beside)});
  return "## Two budgets\n\nBeside " + other.title + " (" + other.file + "):\n\n" + out.markdown() +
         "\n";
}

TextTable function_table(const Figures& f) {
  TextTable out{{"game", "function", "what it is", "from"}, {}};
  for (int g = 0; g < f.games(); ++g) {
    const auto& functions = f.table.games[static_cast<std::size_t>(g)].evaluators;
    for (std::size_t i = 0; i < functions.size(); ++i)
      out.rows.push_back(
          {f.label(g), fmt::format("f_{}", i), functions[i].name, functions[i].about});
  }
  return out;
}

TextTable seat_table(const Figures& f) {
  TextTable out;
  out.head = {"player", "game"};
  for (int seat = 1; seat <= kMaxPlayers; ++seat) out.head.push_back(fmt::format("seat {}", seat));
  for (int p : f.order()) {
    for (int g = 0; g < f.games(); ++g) {
      if (f.cell(p, g).all.matches() == 0) continue;
      std::vector<std::string> row{f.player(p), f.label(g)};
      for (const arena::Tally& seat : f.cell(p, g).seats)
        row.push_back(seat.matches() > 0 ? percent(seat.mean()) : "");
      row.resize(2 + kMaxPlayers);
      out.rows.push_back(row);
    }
  }
  return out;
}

TextTable use_table(const Figures& f) {
  TextTable out;
  out.head = {"player", "evaluations a move", "of the benchmark"};
  if (f.table.timed)
    out.head.insert(out.head.end(), {"seconds a move", "of the benchmark", "seats over time",
                                     "longest overrun (s)"});
  for (int p : f.order()) {
    const arena::Use& own = f.analysis.use[static_cast<std::size_t>(p)];
    const arena::Use& other = f.analysis.benchmark_use[static_cast<std::size_t>(p)];
    std::vector<std::string> row{
        f.player(p), decimal(own.per_move(static_cast<double>(own.evaluations)), 1),
        decimal(other.per_move(static_cast<double>(other.evaluations)), 1)};
    if (f.table.timed)
      row.insert(
          row.end(),
          {decimal(own.per_move(own.seconds), 3), decimal(other.per_move(other.seconds), 3),
           fmt::format("{} of {}", own.overruns, own.seats), decimal(own.longest_overrun, 3)});
    out.rows.push_back(row);
  }
  return out;
}

TextTable rating_table(const Figures& f) {
  TextTable out{{"player", "rating"}, {}};
  for (int p : f.order())
    out.rows.push_back({f.player(p), rating_text(f.analysis.ratings[static_cast<std::size_t>(p)])});
  return out;
}

TextTable failed_table(const Figures& f) {
  TextTable out{{"match", "game", "player", "i", "j", "seat", "error"}, {}};
  for (const arena::StudyRow* row : f.analysis.failed)
    out.rows.push_back({std::to_string(row->match), f.game(row->game), f.player(row->player),
                        std::to_string(row->i), std::to_string(row->j),
                        std::to_string(row->seat + 1), row->error});
  return out;
}

TextTable forfeited_table(const Figures& f) {
  TextTable out{{"match", "game", "player", "i", "j", "seat", "seat that forfeited", "reason"}, {}};
  for (const arena::StudyRow* row : f.analysis.forfeited)
    out.rows.push_back({std::to_string(row->match), f.game(row->game), f.player(row->player),
                        std::to_string(row->i), std::to_string(row->j),
                        std::to_string(row->seat + 1), std::to_string(row->forfeit + 1),
                        row->reason});
  return out;
}

TextTable comparison_table(const Figures& f, const arena::Comparison& with) {
  TextTable out;
  out.head = {"player", "games", "here", "paper", "paper as printed"};
  for (int g : with.games) out.head.push_back(f.label(g) + " here / paper");
  for (const auto& row : with.rows) {
    std::vector<std::string> line{f.player(row.player), std::to_string(row.games), percent(row.own),
                                  percent(row.paper),
                                  row.printed.known ? percent(row.printed.mean, 2) : ""};
    for (int g : with.games) {
      std::string text;
      for (const auto& cell : with.cells)
        if (cell.player == row.player && cell.game == g)
          text = percent(cell.own.mean) + " / " + percent(cell.paper.mean, 0) + " ± " +
                 percent(cell.paper.radius, 0);
      line.push_back(text);
    }
    out.rows.push_back(line);
  }
  return out;
}

std::string comparisons_text(const Figures& f) {
  if (f.comparisons.empty()) return "";
  std::string out = "## Beside the paper\n\n" + f.paper.source + ".\n\n";
  if (f.comparisons[0].other_boards)
    out +=
        "Some games are played here with settings of their own, so scores differ by more than "
        "chance.\n\n";
  for (const arena::Comparison& with : f.comparisons) {
    out += fmt::format("### {} s a move\n\n", with.experiment->seconds) +
           comparison_table(f, with).markdown();
    TextTable ranks{{"rank correlation", "players", "Spearman", "Kendall"}, {}};
    const auto add = [&](const std::string& name, const arena::Comparison::Agreement& a) {
      ranks.rows.push_back(
          {name, std::to_string(a.players), correlation(a.spearman), correlation(a.kendall)});
    };
    add("games in common, pooled", with.pooled);
    for (std::size_t k = 0; k < with.games.size(); ++k) add(f.game(with.games[k]), with.by_game[k]);
    out += "\n" + ranks.markdown() + "\n";
  }
  return out;
}

// What to make of the two intervals of a mean.
std::string which_interval(const Figures& f) {
  const auto known = [](const arena::Pool& pool) {
    return std::ranges::any_of(pool.rows, [](const auto& row) { return row.networks.known; });
  };
  if (std::ranges::any_of(f.analysis.pools, known))
    return "\nThe paper's interval takes matches as independent; they share networks, so trust the "
           "networks' interval.\n";
  return fmt::format(
      "\nThe networks' interval would allow for matches that share networks; it needs more than "
      "the {} of this study.\n",
      f.table.functions == 1 ? "one function a game" : "few functions");
}

}  // namespace

std::string banner_text(const Figures& f) {
  const auto lines = f.unlike_paper();
  return lines.empty() ? "" : "Not the paper's study: " + joined(lines, "; ") + ".";
}

std::string openings_text(const Figures& f) {
  const auto count = f.short_openings();
  return count == 0
             ? ""
             : fmt::format(
                   "In {} of these matches the random opening of {} moves was cut short: its "
                   "next move would have ended the match.",
                   count, f.table.opening);
}

std::string budget_text(const Figures& f) {
  std::string own;
  const auto add = [&](const std::string& name, const std::string& budget) {
    if (!budget.empty()) own += (own.empty() ? "" : ", ") + name + " " + budget;
  };
  for (const auto& player : f.table.players) add(player.name, player.budget);
  add("the benchmark", f.table.benchmark.budget);
  return f.table.budget + (own.empty() ? "" : " (" + own + ")");
}

std::string origin_text(const Figures& f) {
  std::string out =
      fmt::format("Study {}, seed {}; report by commit {}.", f.table.file, f.table.seed, commit());
  if (!f.table.computed.empty()) out += " Values by " + f.table.computed + ".";
  return out;
}

std::string to_text(const Figures& f) {
  std::string out = f.table.title + ": " + f.progress() + "\n" + heading(f) + "\n";
  if (const auto unlike = banner_text(f); !unlike.empty()) out += unlike + "\n";
  if (const auto openings = openings_text(f); !openings.empty()) out += openings + "\n";
  for (const arena::Pool& pool : f.analysis.pools) {
    out += "\nmean score (percent) over " + f.pool_title(pool) + "\n";
    out += pool.rows.empty() ? "no player has a result in every game yet\n"
                             : mean_table(f, pool).plain();
  }
  if (f.games() > 1)
    out += "\nmean score by game ± the paper's radius\n" + game_table(f, Style::plain).plain();
  out += which_interval(f) +
         "Ranks by paired differences: players whose difference excludes 0 do not share one.\n";
  if (!f.analysis.failed.empty()) {
    out += fmt::format("\n{} failed matches, the first: match {}: {}\n", f.analysis.failed.size(),
                       f.analysis.failed[0]->match, f.analysis.failed[0]->error);
  }
  if (!f.analysis.forfeited.empty()) {
    const arena::StudyRow& first = *f.analysis.forfeited[0];
    out += fmt::format("\n{} forfeited matches, the first: match {}: seat {}: {}\n",
                       f.analysis.forfeited.size(), first.match, first.forfeit + 1, first.reason);
  }
  return out;
}

std::string to_markdown(const Figures& f) {
  std::string out = "# " + f.table.title + "\n\n" + f.progress() + "; " + heading(f) + ". " +
                    origin_text(f) + "\n\n";
  if (const auto unlike = banner_text(f); !unlike.empty()) out += "**" + unlike + "**\n\n";
  if (const auto openings = openings_text(f); !openings.empty()) out += "**" + openings + "**\n\n";
  for (const arena::Pool& pool : f.analysis.pools) {
    out += "## Means over " + f.pool_title(pool) + "\n\n";
    out += (pool.rows.empty() ? "No player has a result in every game yet.\n"
                              : mean_table(f, pool).markdown());
    out += "\n";
  }
  out += std::string(kParityNote) + "\n\n" + std::string(kIntervalNote) + "\n\n";
  out += paper_rows(f) + budget_rows(f);
  out +=
      "## Games\n\nMean ± the paper's radius (radius that allows for shared networks); the best "
      "group in bold.\n\n";
  out += game_table(f, Style::markdown).markdown() + "\n## Seats\n\n" + seat_table(f).markdown();
  out += "\n## Ratings\n\n" + rating_table(f).markdown() + "\n" + std::string(kRatingNote) + "\n\n";
  out += comparisons_text(f) + "## Use\n\n" + use_table(f).markdown();
  out += "\n## Functions\n\n" + function_table(f).markdown();
  if (!f.analysis.failed.empty()) out += "\n## Failed matches\n\n" + failed_table(f).markdown();
  if (!f.analysis.forfeited.empty())
    out += "\n## Forfeited matches\n\n" + std::string(kForfeitNote) + "\n\n" +
           forfeited_table(f).markdown();
  return out;
}

}  // namespace polymax::report
