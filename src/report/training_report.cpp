// See training_report.hpp: the report as JSON and as text. The page is in training_page.cpp.
#include "report/training_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/json.hpp"
#include "report/curve_svg.hpp"
#include "report/report_parts.hpp"

namespace polymax::report {

namespace {

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json numbers(const std::vector<double>& from) {
  Json out = Json::array();
  for (const double value : from) out.push_back(number(value));
  return out;
}

Json entry_json(const learn::TrainingEntry& e) {
  return {{"matches", e.matches},
          {"new_matches", e.new_matches},
          {"seconds", number(e.seconds)},
          {"evaluations", e.evaluations},
          {"samples", e.samples},
          {"steps", e.steps},
          {"loss", number(e.loss)},
          {"rate", number(e.rate)},
          {"positions_per_second", number(e.positions_per_second)},
          {"length", number(e.length)},
          {"wins", numbers(e.wins)},
          {"draws", number(e.draws)},
          {"solved", number(e.solved)},
          {"different", number(e.different)},
          {"calibration", numbers(e.calibration)},
          {"prior_loss", number(e.prior_loss)},
          {"recall_positions", e.recalled},
          {"recall_first", number(e.first)},
          {"recall_first4", number(e.first4)},
          {"recall_first8", number(e.first8)},
          {"lost8", number(e.lost8)},
          {"lost_mean", number(e.lost_mean)}};
}

}  // namespace

std::string training_json(const TrainingReport& report) {
  Json entries = Json::array(), strength = Json::array();
  for (const auto& entry : report.run.entries) entries.push_back(entry_json(entry));
  for (const auto& result : report.strength) strength.push_back(Json::parse(strength_line(result)));
  return Json{{"game", report.run.game},
              {"players", report.run.players()},
              {"net", report.run.net},
              {"learn", report.run.learn},
              {"search", report.run.search},
              {"budget", report.run.budget},
              {"seed", exact_number(report.run.seed)},
              {"earlier_nets", report.nets},
              {"network", report.network},
              {"collapse", report.run.collapse()},
              {"entries", entries},
              {"strength", strength},
              {"notes", report.notes}}
             .dump() +
         "\n";
}

std::string training_text(const TrainingReport& report) {
  const auto& last = report.run.entries.back();
  std::string out =
      fmt::format("{}: {} matches, {} positions valued, {} steps, {:.1f} minutes; loss {}\n",
                  report.run.game, last.matches, brief(static_cast<double>(last.evaluations)),
                  last.steps, last.seconds / 60, decimal(report.run.last_loss(), 4));
  if (const auto recall = report.run.last_recall(); recall.recalled > 0)
    out += fmt::format(
        "second head: the best child is among the first 1, 4, 8 moves of the prior on {}, {}, {} % "
        "of the last {} positions whose children were all valued; the best of its first 8 is worth "
        "{} points less than the best, the mean child {}; its loss is {}\n",
        percent(recall.first), percent(recall.first4), percent(recall.first8), recall.recalled,
        decimal(recall.lost8, 3), decimal(recall.lost_mean, 3), decimal(recall.prior_loss, 3));
  TextTable table{
      {"network", "against", "budget", "score %", "95 % interval", "wins", "draws", "losses"}, {}};
  for (const auto& r : report.strength)
    table.rows.push_back({fmt::format("after {}", r.net), r.opponent, r.budget,
                          percent(r.score.mean), bounds(r.score), std::to_string(r.wins),
                          std::to_string(r.draws), std::to_string(r.losses)});
  if (!table.rows.empty()) out += table.plain();
  if (const auto collapse = report.run.collapse(); !collapse.empty()) out += collapse + "\n";
  for (const auto& note : report.notes) out += note + "\n";
  return out;
}

}  // namespace polymax::report
