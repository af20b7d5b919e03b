// The page of a run of learning: tiles, strength, curves. One HTML file without scripts and without
// anything from elsewhere; a pure function of what was written down.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "learn/progress.hpp"
#include "report/curve_svg.hpp"
#include "report/report_html.hpp"
#include "report/report_svg.hpp"
#include "report/training_report.hpp"

namespace polymax::report {

namespace {

using Value = std::function<double(const learn::TrainingEntry&)>;

// Figures of matches count by matches, so lines without any are left out.
enum class Weight { entry, matches };

Curve curve(const learn::TrainingRun& run, const std::string& name, int colour, Weight weight,
            const Value& value) {
  Curve out{name, colour, {}};
  for (const auto& entry : run.entries)
    out.points.push_back({static_cast<double>(entry.matches),
                          value(entry),
                          weight == Weight::entry ? 1.0 : static_cast<double>(entry.new_matches),
                          {}});
  return out;
}

CurvePlot plot_of(std::string title, std::string y_axis, std::vector<Curve> curves) {
  CurvePlot out;
  out.title = std::move(title);
  out.x_axis = "matches";
  out.y_axis = std::move(y_axis);
  out.curves = std::move(curves);
  out.bottom = 0;
  return out;
}

// Over the matches of a run, with the time below them.
CurvePlot plot_of(const learn::TrainingRun& run, std::string title, std::string y_axis,
                  std::vector<Curve> curves) {
  CurvePlot out = plot_of(std::move(title), std::move(y_axis), std::move(curves));
  const double end = run.entries.back().seconds;
  const double unit = end >= 36000 ? 3600 : 60;
  out.below_axis = unit > 60 ? "hours of the run" : "minutes of the run";
  out.below = [&run, unit, end](double matches) {
    return decimal(run.seconds_at(matches) / unit, end < 10 * unit ? 1 : 0);
  };
  return out;
}

std::string section(const char* id, const char* title, const std::string& note,
                    const std::string& content) {
  return fmt::format("<section id=\"{}\"><h2>{}</h2>\n<p class=\"note\">{}</p>\n{}</section>\n", id,
                     title, note, content);
}

std::string minutes_text(double seconds) {
  if (seconds >= 36000) return decimal(seconds / 3600, 1) + " h";
  return decimal(seconds / 60, seconds < 600 ? 1 : 0) + " min";
}

std::string head(const TrainingReport& report) {
  const auto& run = report.run;
  const auto& last = run.entries.back();
  const auto shown = [](const std::string& text, const std::string& otherwise) {
    return escape_html(text.empty() ? otherwise : text);
  };
  std::string network = report.network;
  if (network.empty() || !run.net.empty())
    network += (network.empty() ? "" : ": ") + (run.net.empty() ? "default" : run.net);
  std::string out = "<header><div class=\"in\"><h1>Learning " + escape_html(run.game) + "</h1>\n";
  out += fmt::format(
      "<p class=\"sub\">Self-play with <code>{}</code>, budget <code>{}</code> a move; network "
      "<code>{}</code>; learning <code>{}</code>; seed {}</p>\n<div class=\"tiles\">",
      shown(run.search, "descent"), shown(run.budget, "not told"), escape_html(network),
      shown(run.learn, "default"), run.seed);
  out += html::tile(grouped(last.matches), "matches") +
         html::tile(brief(static_cast<double>(last.evaluations)), "positions valued") +
         html::tile(brief(static_cast<double>(last.samples)), "samples") +
         html::tile(grouped(last.steps), "steps") +
         html::tile(minutes_text(last.seconds), "of running") +
         html::tile(std::isfinite(run.last_loss()) ? fmt::format("{:.4g}", run.last_loss()) : "–",
                    "loss at the end") +
         html::tile(grouped(report.nets), "earlier networks kept");
  out += "</div>\n";
  if (const auto collapse = run.collapse(); !collapse.empty())
    out += "<div class=\"banner\"><b>" + escape_html(collapse) + "</b></div>\n";
  return out + "</div></header>\n";
}

// moves: that section; empty: there is none.
std::string navigation(const std::string& moves) {
  std::string out = "<nav><div class=\"in\">";
  const auto link = [&](const char* id, const char* title) {
    out += fmt::format("<a href=\"#{}\">{}</a>", id, title);
  };
  link("strength", "Strength");
  link("learning", "Learning");
  if (!moves.empty()) link("moves", "Moves");
  link("calibration", "Calibration");
  link("matches", "Matches");
  link("notes", "How it is computed");
  return out + "</div></nav>\n";
}

std::string signed_score(const arena::Interval& score) {
  return html::minus((score.mean > 0 ? "+" : "") + percent(score.mean));
}

// Results of the net that learned most, the last of every opponent and budget.
std::string newest_plot(const TrainingReport& report, std::uint64_t newest, double level) {
  IntervalPlot plot;
  plot.axis = "mean score (%)";
  plot.width = 560;
  plot.level = level;
  plot.level_label = "parity " + html::minus(percent(level));
  std::map<std::pair<std::string, std::string>, const arena::StrengthResult*> last;
  for (const auto& r : report.strength)
    if (r.net == newest && r.wins + r.draws + r.losses > 0) last[{r.opponent, r.budget}] = &r;
  for (const auto& result : report.strength) {
    const auto found = last.find({result.opponent, result.budget});
    if (found == last.end() || found->second != &result) continue;
    const arena::StrengthResult& r = result;
    arena::Interval score = r.score;
    if (!score.known) score = {score.mean, score.mean, score.mean, true};  // its dot alone
    plot.lines.push_back({r.opponent,
                          fmt::format("against {}, {} a move: {} wins, {} draws, {} losses",
                                      r.opponent, r.budget, r.wins, r.draws, r.losses),
                          score,
                          {},
                          signed_score(score),
                          std::nullopt});
  }
  return plot.lines.empty() ? "" : svg(plot);
}

// Networks by their age against the players that stay the same.
std::string age_plot(const TrainingReport& report, double level) {
  std::map<std::pair<std::string, std::string>, std::map<std::uint64_t, arena::Interval>>
      by_opponent;
  for (const auto& r : report.strength)
    if (r.opponent == r.opponent_id && r.wins + r.draws + r.losses > 0)
      by_opponent[{r.opponent, r.budget}][r.net] = r.score;
  CurvePlot plot = plot_of(report.run, "Networks by matches learned from", "mean score (%)", {});
  plot.bottom = std::nullopt;
  plot.scale = 100;
  plot.level = level;
  plot.level_label = "parity " + html::minus(percent(level));
  plot.smooth = false;
  plot.dots = true;
  for (const auto& [who, scores] : by_opponent) {
    if (scores.size() < 2) continue;
    Curve line{who.first + ", " + who.second, static_cast<int>(plot.curves.size()), {}};
    for (const auto& [net, score] : scores)
      line.points.push_back({static_cast<double>(net), score.mean, 1, score});
    plot.curves.push_back(std::move(line));
  }
  return plot.curves.empty() ? "" : svg(plot);
}

std::string strength_table(const TrainingReport& report, double level) {
  auto results = report.strength;
  std::stable_sort(results.begin(), results.end(),
                   [](const auto& a, const auto& b) { return a.net > b.net; });
  double most = 0;
  for (const auto& r : results) most = std::max(most, std::fabs(r.score.mean - level));
  std::string out =
      "<div class=\"wide\"><table><thead><tr><th>network</th><th "
      "class=\"left\">against</th><th>score (%)</th><th>95 % "
      "interval</th><th>wins</th><th>draws</th><th>losses</th><th>failed</th><th>starts</th><th "
      "class=\"left\">search</th><th class=\"left\">budget</th></tr></thead><tbody>\n";
  for (const auto& r : results)
    out += fmt::format(
        "<tr><th>after {} matches</th><td class=\"left\">{}</td><td "
        "{}><b>{}</b></td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{}</td><td>{}</td><td>{}</td><td class=\"left\"><code>{}</code></td><td "
        "class=\"left\"><code>{}</code></td></tr>\n",
        grouped(r.net), escape_html(r.opponent), html::shade(r.score.mean, level, most),
        signed_score(r.score), html::text(bounds(r.score)), r.wins, r.draws, r.losses, r.failed,
        r.starts, escape_html(r.search), escape_html(r.budget));
  return out + "</tbody></table></div>\n";
}

std::string strength(const TrainingReport& report) {
  std::string out;
  for (const auto& note : report.notes) out += "<p>" + html::text(note) + "</p>\n";
  const std::string note =
      "A network in one seat, the other player in all others, every start once from each seat. "
      "Score: 100 a win, 0 a draw, −100 a loss; the dashed line is what a player scores against "
      "its equals when every match has one winner. Both sides have the same budget.";
  if (report.strength.empty())
    return section("strength", "Strength", note,
                   out + "<p>No match for strength was played yet.</p>\n");
  const double level = arena::parity(static_cast<int>(report.run.players()));
  std::uint64_t newest = 0;
  for (const auto& r : report.strength) newest = std::max(newest, r.net);
  out += fmt::format("<h3>The network after {} matches</h3>\n", grouped(newest));
  out += "<div class=\"grid2\"><div>" + newest_plot(report, newest, level) + "</div>" +
         age_plot(report, level) + "</div>\n" + strength_table(report, level);
  return section("strength", "Strength", note, out);
}

std::string learning(const learn::TrainingRun& run) {
  CurvePlot loss =
      plot_of(run, "Loss", "squared error, scaled",
              {curve(run, "", 0, Weight::entry, [](const auto& e) { return e.loss; })});
  loss.logarithmic = true;
  CurvePlot rate =
      plot_of(run, "Learning rate", "× 10⁻⁶",
              {curve(run, "", 1, Weight::entry, [](const auto& e) { return e.rate; })});
  rate.scale = 1e6;
  rate.smooth = false;
  CurvePlot speed = plot_of(
      run, "Positions valued", "a second",
      {curve(run, "", 2, Weight::entry, [](const auto& e) { return e.positions_per_second; })});
  CurvePlot busy =
      plot_of(run, "Device", "busy (%)",
              {curve(run, "", 5, Weight::entry, [](const auto& e) { return e.device_share; })});
  busy.scale = 100;
  return section(
      "learning", "Learning",
      "Thick lines are smoothed; the faint ones are the log's entries, joined where there are "
      "many; three lines or more in one picture are smoothed ones. The loss is over the samples of "
      "the steps since the entry before, in the network's own scale.",
      "<div class=\"grid2\">" + svg(loss) + svg(rate) + svg(speed) + svg(busy) + "</div>\n");
}

// The second head; nothing for a run without one.
std::string moves(const learn::TrainingRun& run) {
  const auto recall = run.last_recall();
  if (recall.recalled == 0) return "";
  CurvePlot loss =
      plot_of(run, "Loss of the prior", "nats",
              {curve(run, "", 0, Weight::entry, [](const auto& e) { return e.prior_loss; })});
  loss.logarithmic = true;
  CurvePlot found =
      plot_of(run, "Best child among the first", "positions (%)",
              {curve(run, "1", 1, Weight::entry, [](const auto& e) { return e.first; }),
               curve(run, "4", 2, Weight::entry, [](const auto& e) { return e.first4; }),
               curve(run, "8", 5, Weight::entry, [](const auto& e) { return e.first8; })});
  found.scale = 100;
  return section(
      "moves", "Which moves deserve a look",
      fmt::format("The second head says how likely each move is the best. On positions of new "
                  "matches whose children were all valued, before the network learns from them: is "
                  "the best child for the mover among the first 1, 4, 8 moves of this prior? Over "
                  "the last {} such positions: {}, {}, {} %. The best of the first 8 "
                  "is worth {} points less than the best of all, the mean child {}. The loss is "
                  "the cross-entropy beyond the least possible.",
                  grouped(recall.recalled), percent(recall.first), percent(recall.first4),
                  percent(recall.first8), decimal(recall.lost8, 3), decimal(recall.lost_mean, 3)),
      "<div class=\"grid2\">" + svg(loss) + svg(found) + "</div>\n");
}

// Mean of a tenth's squared errors over the matches of entries [from, to), as a root; NaN without a
// match.
double error_of(const learn::TrainingRun& run, std::size_t from, std::size_t to,
                std::size_t tenth) {
  double sum = 0, matches = 0;
  for (std::size_t k = from; k < to; ++k) {
    const auto& entry = run.entries[k];
    if (entry.new_matches == 0 || tenth >= entry.calibration.size() ||
        !std::isfinite(entry.calibration[tenth]))
      continue;
    const double weight = static_cast<double>(entry.new_matches);
    sum += weight * entry.calibration[tenth] * entry.calibration[tenth];
    matches += weight;
  }
  return matches > 0 ? std::sqrt(sum / matches) : NAN;
}

// A curve over the match for each of up to four stages of the run.
std::string calibration(const learn::TrainingRun& run) {
  const auto& entries = run.entries;
  const std::size_t tenths = entries.back().calibration.size();
  CurvePlot by_ply = plot_of("By ply", "error (points)", {});
  by_ply.x_axis = "part of the match (%)";
  by_ply.right = 100;
  by_ply.smooth = false;
  by_ply.dots = true;
  const std::size_t stages = std::min<std::size_t>(4, entries.size());
  for (std::size_t s = 0; s < stages; ++s) {
    const std::size_t from = s * entries.size() / stages, to = (s + 1) * entries.size() / stages;
    Curve line{
        fmt::format("to match {}", grouped(entries[to - 1].matches)), static_cast<int>(s), {}};
    for (std::size_t t = 0; t < tenths; ++t)
      line.points.push_back({(static_cast<double>(t) + 0.5) * 100 / static_cast<double>(tenths),
                             error_of(run, from, to, t),
                             1,
                             {}});
    by_ply.curves.push_back(std::move(line));
  }
  CurvePlot over = plot_of(run, "Over the run", "error (points)", {});
  const auto line = [&](const char* name, std::size_t tenth) {
    if (tenth < tenths)
      over.curves.push_back(curve(
          run, name, static_cast<int>(over.curves.size()), Weight::matches, [tenth](const auto& e) {
            return tenth < e.calibration.size() ? e.calibration[tenth] : NAN;
          }));
  };
  line("first tenth of the match", 0);
  line("middle (sixth tenth)", tenths / 2);
  line("eighth tenth", tenths * 3 / 4);
  return section("calibration", "Value calibration",
                 "How far the value of the positions played was from the points at the end of the "
                 "match: root of the mean squared error over seats, by tenths of the match. It is "
                 "0 where all were solved.",
                 "<div class=\"grid2\">" + svg(by_ply) + svg(over) + "</div>\n");
}

std::string seats_plot(const learn::TrainingRun& run) {
  CurvePlot seats = plot_of(run, "Seat balance", "share of matches (%)", {});
  seats.scale = 100;
  for (std::size_t p = 0; p < run.players(); ++p)
    seats.curves.push_back(curve(run, "seat " + std::to_string(p + 1), static_cast<int>(p),
                                 Weight::matches, [p](const auto& e) { return e.wins[p]; }));
  seats.curves.push_back(
      curve(run, "draws", 7, Weight::matches, [](const auto& e) { return e.draws; }));
  return svg(seats);
}

std::string different_plot(const learn::TrainingRun& run) {
  CurvePlot plot =
      plot_of(run, "Different matches", fmt::format("of the last {} (%)", learn::Variety::kLast),
              {curve(run, "", 4, Weight::entry, [](const auto& e) { return e.different; })});
  plot.scale = 100;
  plot.level = learn::Variety::kCollapsed;
  plot.level_label = "below: self-play repeats itself";
  return svg(plot);
}

std::string matches(const learn::TrainingRun& run) {
  CurvePlot length =
      plot_of(run, "Game length", "moves a match",
              {curve(run, "", 3, Weight::matches, [](const auto& e) { return e.length; })});
  CurvePlot solved =
      plot_of(run, "Solved roots", "share of moves (%)",
              {curve(run, "", 5, Weight::matches, [](const auto& e) { return e.solved; })});
  solved.scale = 100;
  const auto all = [&](const Value& value) {
    double sum = 0, weight = 0;
    for (const auto& e : run.entries)
      if (e.new_matches > 0 && std::isfinite(value(e)))
        sum += static_cast<double>(e.new_matches) * value(e),
            weight += static_cast<double>(e.new_matches);
    return weight > 0 ? sum / weight : NAN;
  };
  std::string table = "<div class=\"wide\"><table><thead><tr><th>whole run</th>";
  for (std::size_t p = 0; p < run.players(); ++p)
    table += fmt::format("<th>seat {} wins</th>", p + 1);
  table +=
      "<th>draws</th><th>moves a match</th><th>solved "
      "roots</th></tr></thead><tbody><tr><th>mean</th>";
  for (std::size_t p = 0; p < run.players(); ++p)
    table += "<td>" + percent(all([p](const auto& e) { return e.wins[p]; })) + " %</td>";
  table += "<td>" + percent(all([](const auto& e) { return e.draws; })) + " %</td><td>" +
           decimal(all([](const auto& e) { return e.length; }), 1) + "</td><td>" +
           percent(all([](const auto& e) { return e.solved; })) +
           " %</td></tr></tbody></table></div>\n";
  return section("matches", "Matches",
                 "Of self-play. A win that seats share counts in parts; a root is solved when its "
                 "value is proved before the move is played.",
                 table + "<div class=\"grid2\">" + seats_plot(run) + svg(length) + svg(solved) +
                     different_plot(run) + "</div>\n");
}

std::string notes(const TrainingReport& report) {
  return section(
      "notes", "How it is computed",
      fmt::format(
          "{} entries of log.jsonl; each is of the matches since the one before, and curves weigh "
          "it by them. A start of a pairing begins with one random move of every seat; intervals "
          "are bootstraps over starts (all seats of one start are one value), wider for few. "
          "Results are kept in strength.jsonl; the same log and results give the same page.",
          grouped(report.run.entries.size())),
      "");
}

}  // namespace

std::string training_html(const TrainingReport& report) {
  const std::string known = moves(report.run);
  return html::page("Learning " + report.run.game,
                    head(report) + navigation(known) + "<main>\n" + strength(report) +
                        learning(report.run) + known + calibration(report.run) +
                        matches(report.run) + notes(report) + "</main>\n");
}

}  // namespace polymax::report
