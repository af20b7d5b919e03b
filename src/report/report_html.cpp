// A study's report as one HTML page without scripts and without anything from elsewhere: head,
// tiles, list of sections; the sections with plots and heat maps. The others are in
// report_html_tables.cpp.
#include "report/report_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/report_svg.hpp"

namespace polymax::report {
namespace html {

std::string minus(const std::string& from) {
  std::string out;
  for (std::size_t k = 0; k < from.size(); ++k) {
    const bool number = k + 1 < from.size() && from[k + 1] >= '0' && from[k + 1] <= '9';
    const bool start = k == 0 || from[k - 1] == ' ' || from[k - 1] == '[' || from[k - 1] == '(' ||
                       from[k - 1] == 'P';
    if (from[k] == '-' && number && start)
      out += "−";
    else
      out += from[k];
  }
  return out;
}

std::string text(const std::string& plain) {
  return escape_html(minus(plain));
}

std::string page(const std::string& title, const std::string& body) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
         "name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>" +
         escape_html(title) + "</title>\n<style>" + std::string(kStyle) +
         "</style>\n</head>\n<body>\n" + body + "</body>\n</html>\n";
}

std::string tile(const std::string& value, const std::string& what, Tone tone) {
  return fmt::format("<div class=\"tile{}\"><b>{}</b><span>{}</span></div>",
                     tone == Tone::bad ? " bad" : "", escape_html(value), escape_html(what));
}

std::string shade(double score, double parity, double most) {
  const double off = score - parity;
  const double strength = most > 0 ? std::min(1.0, std::fabs(off) / most) : 0;
  return fmt::format("class=\"{}\" style=\"--a:{}\"", off >= 0 ? "up" : "down",
                     decimal(70 * strength, 0));
}

namespace {

std::string hover(const Figures& f, int p, const std::string& where, const arena::Tally& all,
                  const arena::Interval& matches, const arena::Interval& networks) {
  return fmt::format(
      "{}, {}: mean {}; paper's 95 % {}; networks' 95 % {}; {} wins, {} draws, {} losses",
      f.player(p), where, percent(matches.mean, 2), bounds(matches, 2), bounds(networks, 2),
      all.wins, all.draws, all.losses);
}

IntervalPlot pool_plot(const Figures& f, const arena::Pool& pool) {
  IntervalPlot out;
  out.axis = "mean score over " + f.pool_title(pool) + " (%)";
  double parity_low = 1, parity_high = -1;
  for (const auto& row : pool.rows) {
    out.lines.push_back(
        {f.player(row.player),
         hover(f, row.player, f.pool_title(pool), row.all, row.matches, row.networks), row.matches,
         row.networks, minus(percent(row.matches.mean, 2)), std::nullopt});
    parity_low = std::min(parity_low, row.parity);
    parity_high = std::max(parity_high, row.parity);
  }
  if (!pool.rows.empty() && parity_high - parity_low < 0.005) {
    out.level = parity_low;
    out.level_label = minus("parity " + percent(parity_low));
  }
  return out;
}

std::string pool_table(const Figures& f, const arena::Pool& pool) {
  const bool by_games = known_by_games(pool);
  std::string out =
      "<div class=\"wide\"><table><thead><tr><th>player</th><th title=\"players whose paired "
      "difference excludes 0 do not share a rank\">rank</th><th title=\"intervals that overlap "
      "share a rank\">paper's rank</th><th>mean</th><th>paper's 95 %</th><th>networks' 95 "
      "%</th><th title=\"paired: same starts, seats and networks\">above the next (95 %)</th>";
  if (by_games)
    out +=
        "<th title=\"the same with every game as one draw: whatever its networks do\">by "
        "games</th>";
  out +=
      "<th>parity</th><th>wins</th><th>draws</th><th>losses</th><th>failed</th><th "
      "title=\"matches that some seat forfeited; they count\">forfeited</th></tr></"
      "thead><tbody>\n";
  for (std::size_t k = 0; k < pool.rows.size(); ++k) {
    const auto& row = pool.rows[k];
    const std::string dot =
        row.group > 0 ? fmt::format("<i class=\"best b{}\"></i>", row.group) : "";
    const bool last = k + 1 == pool.rows.size();
    const std::string above = last ? "" : text(difference(pool.differences[k][k + 1]));
    out += fmt::format(
        "<tr><th>{}</th><td>{}</td><td>{}{}</td><td><b>{}</b></td><td>{}</td><td>{}</td><td>{}</"
        "td>",
        escape_html(f.player(row.player)), row.paired_rank, dot, rank_text(row.rank),
        text(percent(row.matches.mean, 2)), text(bounds(row.matches, 2)),
        text(bounds(row.networks, 2)), above);
    if (by_games)
      out += "<td>" + (last ? "" : text(difference_bounds(pool.by_games[k][k + 1]))) + "</td>";
    out += "<td>" + text(percent(row.parity)) + "</td>";
    for (int count :
         {row.all.wins, row.all.draws, row.all.losses, row.all.failed, row.all.forfeited})
      out += "<td>" + grouped(static_cast<std::uint64_t>(count)) + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

enum class PaperMark { none, shown };

std::string interval_key(PaperMark mark) {
  return std::string(
             "<div class=\"key\"><span><i class=\"bar\"></i>paper's 95 % interval (matches as if "
             "independent)</span><span><i class=\"thin\"></i>95 % interval that allows for shared "
             "networks</span><span><i class=\"dash\"></i>parity</span>") +
         (mark == PaperMark::shown ? "<span><i class=\"dia\"></i>&ensp;the paper's result</span>"
                                   : "") +
         "</div>\n";
}

double farthest(const Figures& f) {
  double most = 0;
  for (int p = 0; p < f.players(); ++p)
    for (int g = 0; g < f.games(); ++g)
      if (f.cell(p, g).all.matches() > 0)
        most = std::max(most, std::fabs(f.cell(p, g).matches.mean - f.level(g)));
  return most;
}

std::string parity_row(const Figures& f) {
  std::string out = "<tr class=\"parity\"><th>parity</th>";
  for (const auto& game : f.table.games)
    out += "<td>" + text(percent(arena::parity(game.players))) + "</td>";
  out += "</tr>\n<tr class=\"parity\"><th>colours from</th>";
  for (int g = 0; g < f.games(); ++g)
    out += fmt::format("<td title=\"{}\">{}</td>",
                       f.measured_level(g) ? "the benchmark's own mean" : "parity",
                       text(percent(f.level(g))));
  return out + "</tr>\n";
}

}  // namespace

std::string means(const Figures& f) {
  std::string out = "<section id=\"means\"><h2>Means</h2>\n<p class=\"note\">" +
                    text(std::string(kParityNote)) + "</p>\n";
  out += "<p class=\"note\">" + text(std::string(kIntervalNote)) + "</p>\n" +
         interval_key(PaperMark::none);
  for (const arena::Pool& pool : f.analysis.pools) {
    out += "<h3>Over " + escape_html(f.pool_title(pool)) + "</h3>\n";
    out += pool.rows.empty() ? "<p>No player has a result in every game yet.</p>\n"
                             : svg(pool_plot(f, pool)) + pool_table(f, pool);
  }
  return out + "</section>\n";
}

std::string heat_map(const Figures& f) {
  const double most = farthest(f);
  std::string out =
      "<section id=\"games\"><h2>Algorithms and games</h2>\n<p class=\"note\">Mean score ± the "
      "paper's radius, in percent. The colour is the distance from what equal players score: the "
      "benchmark's own row where it is evaluated, else parity.</p>\n";
  out += fmt::format(
      "<div class=\"key\"><span>{} <i class=\"ramp\"></i>{} points from equal</span><span><i "
      "class=\"best b1\"></i>best group</span>"
      "<span><i class=\"best b2\"></i>second</span><span><i class=\"best b3\"></i>third (by the "
      "paper's intervals)</span></div>\n",
      text(percent(-most, 0)), "+" + percent(most, 0));
  out += "<div class=\"wide\"><table class=\"heat\"><thead><tr><th>player</th>";
  for (int g = 0; g < f.games(); ++g) out += "<th>" + escape_html(f.label(g)) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (int p : f.order()) {
    out += fmt::format("<tr><th title=\"{}\">{}</th>",
                       escape_html(f.table.players[static_cast<std::size_t>(p)].spec),
                       escape_html(f.player(p)));
    for (int g = 0; g < f.games(); ++g) {
      const arena::CellResult& cell = f.cell(p, g);
      if (cell.all.matches() == 0) {
        out += "<td class=\"none\">–</td>";
        continue;
      }
      const double level = f.level(g);
      const std::string dot =
          cell.group > 0 ? fmt::format("<i class=\"best b{}\"></i>", cell.group) : "";
      const std::string radius =
          cell.matches.known ? " <small>± " + percent(cell.matches.radius()) + "</small>" : "";
      out += fmt::format("<td {} title=\"{}\">{}{}{}</td>", shade(cell.matches.mean, level, most),
                         text(hover(f, p, f.label(g), cell.all, cell.matches, cell.networks)), dot,
                         text(percent(cell.matches.mean)), radius);
    }
    out += "</tr>\n";
  }
  return out + parity_row(f) + "</tbody></table></div>\n</section>\n";
}

std::string games(const Figures& f) {
  const arena::Comparison* beside =
      f.comparisons.empty() ? nullptr : &closest(f.comparisons, f.table);
  std::string out = "<section id=\"intervals\"><h2>Game by game</h2>\n" +
                    interval_key(beside ? PaperMark::shown : PaperMark::none) +
                    "<div class=\"grid2\">\n";
  for (int g = 0; g < f.games(); ++g) {
    const auto& game = f.table.games[static_cast<std::size_t>(g)];
    IntervalPlot plot;
    plot.axis = f.label(g) + ": mean score (%)";
    plot.width = 520;
    plot.level = arena::parity(game.players);
    plot.level_label = minus("parity " + percent(*plot.level));
    for (int p : f.order()) {
      const arena::CellResult& cell = f.cell(p, g);
      if (cell.all.matches() == 0) continue;
      IntervalLine line{f.player(p),
                        hover(f, p, game.name, cell.all, cell.matches, cell.networks),
                        cell.matches,
                        cell.networks,
                        text(percent(cell.matches.mean)),
                        std::nullopt};
      if (beside)
        for (const auto& known : beside->cells)
          if (known.player == p && known.game == g) line.mark = known.paper.mean;
      plot.lines.push_back(line);
    }
    const std::string spec =
        game.spec == f.label(g) ? "" : " <code>" + escape_html(game.spec) + "</code>";
    out += fmt::format("<div><h3>{}{}</h3>\n", escape_html(f.label(g)), spec);
    out += (plot.lines.empty() ? "<p>No result yet.</p>\n" : svg(plot)) + "</div>\n";
  }
  return out + "</div>\n</section>\n";
}

std::string seats(const Figures& f) {
  double most = 0;
  for (int p = 0; p < f.players(); ++p)
    for (int g = 0; g < f.games(); ++g)
      for (const arena::Tally& seat : f.cell(p, g).seats)
        if (seat.matches() > 0) most = std::max(most, std::fabs(seat.mean() - f.level(g)));
  std::string out =
      "<section id=\"seats\"><h2>Seats</h2>\n<p class=\"note\">Mean score by the seat of the "
      "evaluated player; colour as above.</p>\n<div class=\"wide\"><table class=\"heat "
      "seats\"><thead><tr><th rowspan=\"2\">player</th>";
  std::string second;
  for (int g = 0; g < f.games(); ++g) {
    const auto& game = f.table.games[static_cast<std::size_t>(g)];
    out += fmt::format("<th colspan=\"{}\">{}</th>", game.players, escape_html(f.label(g)));
    for (int seat = 1; seat <= game.players; ++seat) second += fmt::format("<th>{}</th>", seat);
  }
  out += "</tr><tr>" + second + "</tr></thead><tbody>\n";
  for (int p : f.order()) {
    out += "<tr><th>" + escape_html(f.player(p)) + "</th>";
    for (int g = 0; g < f.games(); ++g) {
      const double level = f.level(g);
      for (const arena::Tally& seat : f.cell(p, g).seats) {
        if (seat.matches() == 0) {
          out += "<td class=\"none\">–</td>";
          continue;
        }
        out += fmt::format("<td {} title=\"{} wins, {} draws, {} losses\">{}</td>",
                           shade(seat.mean(), level, most), seat.wins, seat.draws, seat.losses,
                           text(percent(seat.mean(), 0)));
      }
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n</section>\n";
}

}  // namespace html

namespace {

std::string page_head(const Figures& f) {
  const arena::Analysis& a = f.analysis;
  std::string out = "<header><div class=\"in\"><h1>" + escape_html(f.table.title) + "</h1>\n";
  out += fmt::format(
      "<p class=\"sub\">Every player against {} <code>{}</code>, budget <code>{}</code> a "
      "move</p>\n",
      escape_html(f.table.benchmark.name), escape_html(f.table.benchmark.spec),
      escape_html(f.table.budget));
  const auto played = static_cast<std::uint64_t>(a.finished) + a.failed.size();
  out +=
      "<div class=\"tiles\">" +
      html::tile(grouped(played),
                 f.table.planned > 0 ? "of " + grouped(f.table.planned) + " matches" : "matches") +
      html::tile(grouped(static_cast<std::uint64_t>(a.whole_blocks)),
                 "of " + grouped(static_cast<std::uint64_t>(a.blocks)) + " blocks whole") +
      html::tile(std::to_string(f.players()), "players") +
      html::tile(std::to_string(f.games()), "games") +
      html::tile(std::to_string(f.table.functions),
                 f.table.functions == 1 ? "function a game" : "functions a game");
  out += html::tile(grouped(a.failed.size()), "failed matches",
                    a.failed.empty() ? html::Tone::plain : html::Tone::bad);
  if (!a.forfeited.empty())
    out += html::tile(grouped(a.forfeited.size()), "forfeited matches", html::Tone::bad);
  out += "</div>\n";
  if (const auto openings = openings_text(f); !openings.empty())
    out += "<p class=\"note\">" + html::text(openings) + "</p>\n";
  std::string unlike;
  for (const auto& line : f.unlike_paper()) unlike += "<li>" + html::text(line) + "</li>";
  if (!unlike.empty())
    out += "<div class=\"banner\"><b>Not the paper's study:</b><ul>" + unlike + "</ul></div>\n";
  return out + "</div></header>\n";
}

std::string navigation(const Figures& f) {
  std::string out = "<nav><div class=\"in\">";
  const auto link = [&](const char* id, const char* name) {
    out += fmt::format("<a href=\"#{}\">{}</a>", id, name);
  };
  link("means", "Means");
  if (!f.paper_tables.empty()) link("rows", "The paper's tables");
  if (!f.budgets.empty()) link("budgets", "Two budgets");
  link("differences", "Differences");
  link("games", "Algorithms and games");
  link("intervals", "Game by game");
  link("seats", "Seats");
  link("ratings", "Ratings");
  if (!f.comparisons.empty()) link("paper", "Beside the paper");
  link("use", "Use");
  if (!f.analysis.failed.empty()) link("failures", "Failed matches");
  if (!f.analysis.forfeited.empty()) link("forfeits", "Forfeited matches");
  link("records", "Records");
  link("notes", "How it is computed");
  return out + "</div></nav>\n";
}

}  // namespace

std::string to_html(const Figures& f) {
  return html::page(f.table.title, page_head(f) + navigation(f) + "<main>\n" + html::means(f) +
                                       html::paper_rows(f) + html::budgets(f) +
                                       html::differences(f) + html::heat_map(f) + html::games(f) +
                                       html::seats(f) + html::ratings(f) + html::paper(f) +
                                       html::use(f) + html::failures(f) + html::forfeits(f) +
                                       html::records(f) + html::notes(f) + "</main>\n");
}

}  // namespace polymax::report
