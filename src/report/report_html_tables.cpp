// Sections of the HTML report: ratings, the paper beside, use, failed matches, records, notes.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "report/report_html.hpp"
#include "report/report_svg.hpp"

namespace polymax::report::html {

namespace {

std::string cell(const std::string& plain) {
  return "<td>" + text(plain) + "</td>";
}

std::string agreement_table(const Figures& f, const arena::Comparison& with) {
  std::string out =
      "<div class=\"wide\"><table><thead><tr><th>rank "
      "correlation</th><th>players</th><th>Spearman</th><th>Kendall</th></tr></thead>"
      "<tbody>\n";
  const auto add = [&](const std::string& name, const arena::Comparison::Agreement& a) {
    out += "<tr><th>" + escape_html(name) + "</th>" + cell(std::to_string(a.players)) +
           cell(correlation(a.spearman)) + cell(correlation(a.kendall)) + "</tr>\n";
  };
  add("games in common, pooled", with.pooled);
  for (std::size_t k = 0; k < with.games.size(); ++k) add(f.label(with.games[k]), with.by_game[k]);
  return out + "</tbody></table></div>\n";
}

std::string side_by_side(const Figures& f, const arena::Comparison& with) {
  std::string out =
      "<div class=\"wide\"><table><thead><tr><th rowspan=\"2\">player</th><th colspan=\"3\">games "
      "in common</th>";
  for (int g : with.games) out += "<th colspan=\"2\">" + escape_html(f.label(g)) + "</th>";
  out += "</tr><tr><th>here</th><th>paper</th><th>printed</th>";
  for (std::size_t k = 0; k < with.games.size(); ++k) out += "<th>here</th><th>paper</th>";
  out += "</tr></thead><tbody>\n";
  for (const auto& row : with.rows) {
    out += fmt::format("<tr><th>{}</th>", escape_html(f.player(row.player))) +
           cell(percent(row.own)) + cell(percent(row.paper)) +
           cell(row.printed.known ? percent(row.printed.mean, 2) : "–");
    for (int g : with.games) {
      std::string both = "<td class=\"none\">–</td><td class=\"none\">–</td>";
      for (const auto& known : with.cells)
        if (known.player == row.player && known.game == g)
          both = cell(mean_text(known.own)) +
                 cell(percent(known.paper.mean, 0) + " ± " + percent(known.paper.radius, 0));
      out += both;
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string scatter(const Figures& f, const arena::Comparison& with) {
  ScatterPlot plot;
  plot.x_axis = fmt::format("paper, {} s a move: mean score (%)", with.experiment->seconds);
  plot.y_axis = "here: mean score (%)";
  std::string key = "<div class=\"key\">";
  for (std::size_t k = 0; k < with.games.size(); ++k)
    key += fmt::format("<span><i class=\"dot s{}\"></i>{}</span>", k % 8,
                       escape_html(f.label(with.games[k])));
  for (const auto& known : with.cells) {
    const auto series =
        std::find(with.games.begin(), with.games.end(), known.game) - with.games.begin();
    plot.points.push_back(
        {known.paper.mean, known.own.mean, static_cast<int>(series),
         fmt::format("{}, {}: here {}, paper {}", f.player(known.player), f.label(known.game),
                     percent(known.own.mean), percent(known.paper.mean, 0))});
  }
  return key + "<span><i class=\"dash\"></i>equal</span></div>\n" + svg(plot);
}

// The page lies in a folder of the study's folder.
std::string record_link(const arena::StudyRow& row) {
  return "../" + escape_html(row.record);
}

std::string functions(const Figures& f) {
  std::string out = "<h3>Functions</h3>\n<div class=\"wide\"><table><tbody>\n";
  for (int g = 0; g < f.games(); ++g) {
    const auto& evaluators = f.table.games[static_cast<std::size_t>(g)].evaluators;
    for (std::size_t i = 0; i < evaluators.size(); ++i)
      out += fmt::format(
          "<tr><th>{}</th><td>f<sub>{}</sub></td><td class=\"text\"><code>{}</code> {}</td></tr>\n",
          i == 0 ? escape_html(f.label(g)) : "", i, escape_html(evaluators[i].name),
          escape_html(evaluators[i].about));
  }
  return out + "</tbody></table></div>\n";
}

std::string result_class(const arena::StudyRow& row) {
  const float gain = row.gain[row.seat];
  return gain > 0 ? "w" : gain < 0 ? "l" : "d";
}

}  // namespace

std::string ratings(const Figures& f) {
  IntervalPlot plot;
  plot.axis = "rating (benchmark = 0, 400 = odds of 10 to 1)";
  plot.level = 0;
  plot.level_label = f.table.benchmark.name;
  plot.scale = 1;
  std::vector<int> order = f.order();
  const auto rating = [&](int p) { return f.analysis.ratings[static_cast<std::size_t>(p)]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return rating(a).strength > rating(b).strength; });
  for (int p : order) {
    if (rating(p).matches == 0) continue;
    const double mean = rating(p).elo(), radius = 1.96 * rating(p).elo_error();
    plot.lines.push_back({f.player(p),
                          f.player(p) + ": " + rating_text(rating(p)) + " (one standard error)",
                          {mean, mean - radius, mean + radius, true},
                          {},
                          text(rating_text(rating(p))),
                          std::nullopt});
  }
  return "<section id=\"ratings\"><h2>Ratings</h2>\n<p class=\"note\">" +
         text(std::string(kRatingNote)) + " Bars show 95 %.</p>\n" +
         (plot.lines.empty() ? "<p>No result yet.</p>\n" : svg(plot)) + "</section>\n";
}

std::string paper(const Figures& f) {
  if (f.comparisons.empty()) return "";
  std::string out = "<section id=\"paper\"><h2>Beside the paper</h2>\n<p class=\"note\">" +
                    escape_html(f.paper.title) + " (" + escape_html(f.paper.source) +
                    "). Means over the games in common are computed from its scores per game.";
  if (f.comparisons[0].other_boards)
    out +=
        " Some games have settings of their own here, so scores differ by more than chance; "
        "compare ranks.";
  out += "</p>\n";
  const arena::Comparison& with = closest(f.comparisons, f.table);
  const auto show = [&](const arena::Comparison& one) {
    return side_by_side(f, one) + "<div class=\"grid2\"><div>\n" + scatter(f, one) +
           "</div><div>\n" + agreement_table(f, one) + "</div></div>\n";
  };
  out += fmt::format("<h3>{} s a move</h3>\n", with.experiment->seconds) + show(with);
  for (const arena::Comparison& other : f.comparisons)
    if (&other != &with)
      out += fmt::format("<details><summary>{} s a move</summary>\n", other.experiment->seconds) +
             show(other) + "</details>\n";
  out += "<h3>Read with the paper's tables</h3>\n<ul>";
  for (const auto& note : f.paper.corrections) out += "<li>" + text(note) + "</li>\n";
  return out + "</ul>\n</section>\n";
}

std::string use(const Figures& f) {
  const bool timed = f.table.timed;
  std::string out = "<section id=\"use\"><h2>Use</h2>\n";
  if (timed)
    out +=
        "<p class=\"note\">A seat is over time when some move of the match took longer than the "
        "budget.</p>\n";
  out +=
      "<div class=\"wide\"><table><thead><tr><th>player</th><th>moves</th><th>evaluations a "
      "move</th><th>of the benchmark</th>";
  if (timed)
    out +=
        "<th>seconds a move</th><th>of the benchmark</th><th>seats over time</th><th>longest "
        "overrun</th><th>benchmark's</th>";
  out += "</tr></thead><tbody>\n";
  for (int p : f.order()) {
    const arena::Use& own = f.analysis.use[static_cast<std::size_t>(p)];
    const arena::Use& other = f.analysis.benchmark_use[static_cast<std::size_t>(p)];
    out += "<tr><th>" + escape_html(f.player(p)) + "</th>" + cell(grouped(own.moves)) +
           cell(decimal(own.per_move(static_cast<double>(own.evaluations)), 1)) +
           cell(decimal(other.per_move(static_cast<double>(other.evaluations)), 1));
    if (timed)
      out += cell(decimal(own.per_move(own.seconds), 3)) +
             cell(decimal(other.per_move(other.seconds), 3)) +
             cell(fmt::format("{} of {}", own.overruns, own.seats)) +
             cell(decimal(own.longest_overrun, 3) + " s") +
             cell(decimal(other.longest_overrun, 3) + " s");
    out += "</tr>\n";
  }
  out +=
      "</tbody></table></div>\n<h3>Moves a match</h3>\n<div "
      "class=\"wide\"><table><thead><tr><th>player</th>";
  for (int g = 0; g < f.games(); ++g) out += "<th>" + escape_html(f.label(g)) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (int p : f.order()) {
    out += "<tr><th>" + escape_html(f.player(p)) + "</th>";
    for (int g = 0; g < f.games(); ++g)
      out += f.cell(p, g).all.matches() > 0 ? cell(decimal(f.cell(p, g).length, 1))
                                            : "<td class=\"none\">–</td>";
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n</section>\n";
}

namespace {

// Matches with what went wrong in them; why: of a row.
std::string broken_matches(const Figures& f, const std::vector<const arena::StudyRow*>& rows,
                           const std::function<std::string(const arena::StudyRow&)>& why) {
  constexpr std::size_t kMost = 200;
  std::string out =
      "<div class=\"wide\"><table><thead><tr><th>match</th><th class=\"left\">game</th><th "
      "class=\"left\">player</th><th>i</th><th>j</th><th>seat</th><th "
      "class=\"left\">why</th></tr></thead><tbody>\n";
  for (std::size_t k = 0; k < std::min(kMost, rows.size()); ++k) {
    const arena::StudyRow& row = *rows[k];
    const std::string number = std::to_string(row.match);
    const std::string link = "<a href=\"" + record_link(row) + "\">" + number + "</a>";
    out += fmt::format(
        "<tr><td>{}</td><td class=\"left\">{}</td><td "
        "class=\"left\">{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"text\">{}</td></tr>\n",
        row.record.empty() ? number : link, escape_html(f.label(row.game)),
        escape_html(f.player(row.player)), row.i, row.j, row.seat + 1, escape_html(why(row)));
  }
  out += "</tbody></table></div>\n";
  if (rows.size() > kMost) out += fmt::format("<p>And {} more.</p>\n", rows.size() - kMost);
  return out;
}

}  // namespace

std::string failures(const Figures& f) {
  if (f.analysis.failed.empty()) return "";
  return "<section id=\"failures\"><h2>Failed matches</h2>\n<p class=\"note\">They count in no "
         "mean.</p>\n" +
         broken_matches(f, f.analysis.failed,
                        [](const arena::StudyRow& row) { return row.error; }) +
         "</section>\n";
}

std::string forfeits(const Figures& f) {
  if (f.analysis.forfeited.empty()) return "";
  return "<section id=\"forfeits\"><h2>Forfeited matches</h2>\n<p class=\"note\">" +
         text(std::string(kForfeitNote)) + "</p>\n" +
         broken_matches(f, f.analysis.forfeited,
                        [](const arena::StudyRow& row) {
                          return fmt::format("seat {}: {}", row.forfeit + 1, row.reason);
                        }) +
         "</section>\n";
}

std::string records(const Figures& f) {
  constexpr std::size_t kMost = 40;
  std::map<std::pair<int, int>, std::vector<const arena::StudyRow*>> kept;
  for (const arena::StudyRow& row : f.table.rows)
    if (!row.record.empty() && !row.failed()) kept[{row.player, row.game}].push_back(&row);
  std::string out =
      "<section id=\"records\"><h2>Records</h2>\n<p class=\"note\">Moves, values and boards of the "
      "matches of the first functions; the same as SGF beside each.</p>\n";
  if (kept.empty())
    return out + "<p class=\"note\">No record of a match was kept.</p>\n</section>\n";
  for (auto& [pair, rows] : kept) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto* a, const auto* b) { return a->match < b->match; });
    out += fmt::format(
        "<details><summary>{}, {}<span>{} matches</span></summary><div class=\"links\">",
        escape_html(f.player(pair.first)), escape_html(f.label(pair.second)), rows.size());
    for (std::size_t k = 0; k < std::min(kMost, rows.size()); ++k)
      out += fmt::format(
          "<a class=\"{}\" href=\"{}\" title=\"networks i={} j={}, seat {}, {} moves\">#{}</a>",
          result_class(*rows[k]), record_link(*rows[k]), rows[k]->i, rows[k]->j, rows[k]->seat + 1,
          rows[k]->length, rows[k]->match);
    if (rows.size() > kMost)
      out += fmt::format("<span>and {} more in the study's folder</span>", rows.size() - kMost);
    out += "</div></details>\n";
  }
  return out + "</section>\n";
}

std::string notes(const Figures& f) {
  std::string out = "<section id=\"notes\"><h2>How it is computed</h2>\n<ul>";
  for (const char* note : {"A mean is pooled over matches, as in the paper: a game with more seats "
                           "has more matches and weighs more.",
                           "A block is all seats of one pair of networks (i, j); a block with a "
                           "failed match is not whole.",
                           "Paper's interval: percentiles of a stratified bootstrap over matches; "
                           "for one game, 1.96 standard errors.",
                           "Networks' interval: variance of rows (network i of the evaluated "
                           "player), of columns (networks j .. j+P-2 of the benchmark, which "
                           "overlap from one column to the next), of what the two roles of one "
                           "network have in common, and of cells, by the method of moments; "
                           "Student's factor for few networks.",
                           "Differences are of matches with the same start, seat and networks, "
                           "with the same interval; ranks come from them. Colours of the best "
                           "three groups follow the paper's intervals."})
    out += "<li>" + text(note) + "</li>\n";
  out += "<li>" + escape_html(origin_text(f)) + "</li>\n";
  out += fmt::format(
      "<li>{} resamples, seed {}. The same study gives the same page, byte for byte.</li></ul>\n",
      f.settings.resamples, f.settings.seed);
  out += "<h3>Players</h3>\n<div class=\"wide\"><table><tbody>\n";
  const auto add = [&](const arena::StudyTable::Player& player, const char* role) {
    out += fmt::format("<tr><th>{}{}</th><td class=\"text\"><code>{}</code></td><td>{}</td></tr>\n",
                       escape_html(player.name), role, escape_html(player.spec),
                       escape_html(player.budget.empty() ? f.table.budget : player.budget));
  };
  for (const auto& player : f.table.players) add(player, "");
  add(f.table.benchmark, " (benchmark)");
  return out + "</tbody></table></div>\n" + functions(f) + "</section>\n";
}

}  // namespace polymax::report::html
