// Sections of the HTML report that compare players: the paper's own rows, two budgets, and what
// every player scored more than every other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/report_html.hpp"
#include "report/report_svg.hpp"

namespace polymax::report::html {

std::string paper_rows(const Figures& f) {
  if (f.paper_tables.empty()) return "";
  std::string out =
      "<section id=\"rows\"><h2>The paper's tables</h2>\n<p class=\"note\">The rows that the paper "
      "prints: of players that differ in k or C alone, the best.</p>\n<div class=\"grid2\">\n";
  for (const auto& table : f.paper_tables) {
    out +=
        "<div><h3>" + escape_html(table.title) +
        "</h3>\n<div class=\"wide\"><table><thead><tr><th>player</th><th>mean</th><th>paper's 95 "
        "%</th><th>networks' 95 %</th></tr></thead><tbody>\n";
    for (const auto& row : table.rows)
      out += fmt::format("<tr><th>{}{}</th><td><b>{}</b></td><td>{}</td><td>{}</td></tr>\n",
                         escape_html(f.player(row.player)),
                         row.family.empty() ? "" : " <small>" + row.family + "</small>",
                         text(percent(row.matches.mean, 2)), text(bounds(row.matches, 2)),
                         text(bounds(row.networks, 2)));
    out += "</tbody></table></div></div>\n";
  }
  return out + "</div>\n</section>\n";
}

std::string budgets(const Figures& f) {
  if (f.budgets.empty()) return "";
  const arena::StudyTable& other = *f.settings.beside;
  std::string out = fmt::format(
      "<section id=\"budgets\"><h2>Two budgets</h2>\n<p class=\"note\">Beside {} <code>{}</code>, "
      "over the games of both.</p>\n<div "
      "class=\"wide\"><table><thead><tr><th>player</th><th>{}</th><th>95 %</th><th>{}</th><th>95 "
      "%</th></tr></thead><tbody>\n",
      escape_html(other.title), escape_html(other.file), escape_html(f.table.budget),
      escape_html(other.budget));
  for (const auto& row : f.budgets)
    out += fmt::format(
        "<tr><th>{}</th><td><b>{}</b></td><td>{}</td><td><b>{}</b></td><td>{}</td></tr>\n",
        escape_html(f.player(row.player)), text(percent(row.here.mean)), text(bounds(row.here)),
        text(percent(row.beside.mean)), text(bounds(row.beside)));
  return out + "</tbody></table></div>\n</section>\n";
}

std::string differences(const Figures& f) {
  std::string out =
      "<section id=\"differences\"><h2>Differences</h2>\n<p class=\"note\">What the player of the "
      "line scored more than the player of the column, in the matches that both played from the "
      "same start, seat and networks. Coloured where the 95 % interval excludes 0.</p>\n";
  for (const arena::Pool& pool : f.analysis.pools) {
    if (pool.rows.empty()) continue;
    double most = 0;
    for (const auto& line : pool.differences)
      for (const auto& d : line) most = std::max(most, std::fabs(d.mean));
    out += "<h3>" + escape_html(f.pool_title(pool)) +
           "</h3>\n<div class=\"wide\"><table class=\"heat\"><thead><tr><th>player</th>";
    for (const auto& row : pool.rows) out += "<th>" + escape_html(f.player(row.player)) + "</th>";
    out += "</tr></thead><tbody>\n";
    for (std::size_t a = 0; a < pool.rows.size(); ++a) {
      out += "<tr><th>" + escape_html(f.player(pool.rows[a].player)) + "</th>";
      for (std::size_t b = 0; b < pool.rows.size(); ++b) {
        const arena::Interval& d = pool.differences[a][b];
        if (a == b || !d.known) {
          out += "<td class=\"none\">–</td>";
          continue;
        }
        const bool clear = d.low > 0 || d.high < 0;
        out += fmt::format(
            "<td {} title=\"{}\">{}</td>", clear ? shade(d.mean, 0, most) : "",
            text(difference(d) + (known_by_games(pool)
                                      ? ", by games " + difference_bounds(pool.by_games[a][b])
                                      : "")),
            text(percent(d.mean)));
      }
      out += "</tr>\n";
    }
    out += "</tbody></table></div>\n";
  }
  return out + "</section>\n";
}

}  // namespace polymax::report::html
