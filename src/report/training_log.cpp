// See training_log.hpp: reading, and the report as JSON and as text. The page is in
// training_page.cpp.
#include "report/training_log.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.hpp"
#include "core/json_text.hpp"
#include "learn/progress.hpp"
#include "report/curve_svg.hpp"
#include "report/report_parts.hpp"

namespace polymax::arena {

namespace {

using json = nlohmann::ordered_json;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double real(const json& from) {
  return from.is_number() ? from.get<double>() : kNone;
}
double real(const json& from, const char* key) {
  return from.contains(key) ? real(from[key]) : kNone;
}
std::uint64_t count(const json& from, const char* key) {
  return from.contains(key) && from[key].is_number_unsigned() ? from[key].get<std::uint64_t>() : 0;
}
std::uint64_t seed_of(const json& from) {
  return from.contains("seed") ? read_exact(from["seed"], "seed") : 0;
}
std::vector<double> reals(const json& from, const char* key) {
  std::vector<double> out;
  if (from.contains(key) && from[key].is_array())
    for (const auto& number : from[key]) out.push_back(real(number));
  return out;
}
std::string text(const json& from, const char* key) {
  return from.contains(key) && from[key].is_string() ? from[key].get<std::string>() : "";
}

std::string percent_of(double share) {
  return fmt::format("{:.1f}", 100 * share);
}

TrainingEntry entry_of(const json& line) {
  TrainingEntry out;
  out.matches = count(line, "matches");
  out.evaluations = count(line, "evaluations");
  out.samples = count(line, "samples");
  out.steps = count(line, "steps");
  out.learned = count(line, "learned");
  out.seconds = real(line, "seconds");
  out.loss = real(line, "loss");
  out.rate = real(line, "rate");
  out.length = real(line, "length");
  out.draws = real(line, "draws");
  out.solved = real(line, "solved");
  out.different = real(line, "different");
  out.positions_per_second = real(line, "positions_per_second");
  out.steps_per_second = real(line, "steps_per_second");
  out.device_share = real(line, "device_share");
  out.wins = reals(line, "wins");
  out.calibration = reals(line, "calibration");
  out.prior_loss = real(line, "prior_loss");
  out.first = out.first4 = out.first8 = kNone;
  if (!line.contains("recall") || !line["recall"].is_object()) return out;
  const json& recall = line["recall"];
  out.recalled = count(recall, "positions");
  if (out.recalled == 0) return out;
  const auto share = [&](const char* key) {
    return static_cast<double>(count(recall, key)) / static_cast<double>(out.recalled);
  };
  out.first = share("first");
  out.first4 = share("first4");
  out.first8 = share("first8");
  return out;
}

json number(double value) {
  return std::isfinite(value) ? json(value) : json(nullptr);
}

json numbers(const std::vector<double>& from) {
  json out = json::array();
  for (const double value : from) out.push_back(number(value));
  return out;
}

json entry_json(const TrainingEntry& e) {
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
          {"recall_first8", number(e.first8)}};
}

}  // namespace

TrainingRun read_training(const std::string& run_json, const std::string& log,
                          const std::string& where) {
  const auto description = json::parse(run_json, nullptr, false);
  if (!description.is_object() || text(description, "format") != "polymax-run-1")
    throw Error(where + "/run.json is not the description of a run", Error::Kind::failed);
  TrainingRun out{text(description, "game"),
                  text(description, "net"),
                  text(description, "learn"),
                  text(description, "search"),
                  text(description, "budget"),
                  seed_of(description),
                  {}};
  std::istringstream lines(log);
  int at = 0;
  for (std::string line; std::getline(lines, line);) {
    ++at;
    const bool torn = lines.eof();  // no end of line
    const auto entry = json::parse(line, nullptr, false);
    if (!entry.is_object() || !entry.contains("matches")) {
      if (torn) break;
      throw Error(fmt::format("{}/log.jsonl, line {}: not an entry of a run's log", where, at),
                  Error::Kind::failed);
    }
    TrainingEntry next = entry_of(entry);
    const std::uint64_t before = out.entries.empty() ? 0 : out.entries.back().matches;
    if (next.matches < before ||
        (!out.entries.empty() && next.wins.size() != out.entries.back().wins.size()))
      throw Error(
          fmt::format("{}/log.jsonl, line {}: does not go on from the line before", where, at),
          Error::Kind::failed);
    next.new_matches = next.matches - before;
    if (next.steps == (out.entries.empty() ? 0 : out.entries.back().steps)) next.loss = kNone;
    out.entries.push_back(std::move(next));
  }
  if (out.entries.empty())
    throw Error(where + "/log.jsonl has no entry yet: let the run go on for some seconds",
                Error::Kind::failed);
  return out;
}

double TrainingRun::last_loss() const {
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
    if (std::isfinite(entry->loss)) return entry->loss;
  return kNone;
}

std::string TrainingRun::collapse() const {
  double last = kNone;
  for (const auto& entry : entries)
    if (std::isfinite(entry.different)) last = entry.different;
  if (!(last <= learn::Variety::kCollapsed)) return "";
  return fmt::format(
      "Self-play repeats itself: the last {} matches ended in {} different positions. The network "
      "learns nothing new from them.",
      learn::Variety::kLast, std::lround(last * learn::Variety::kLast));
}

double TrainingRun::seconds_at(double matches) const {
  double before = 0, since = 0;  // matches and seconds of the entry before
  for (const auto& entry : entries) {
    const auto now = static_cast<double>(entry.matches);
    if (now > matches && now > before)
      return since + (entry.seconds - since) * (matches - before) / (now - before);
    before = now;
    since = entry.seconds;
  }
  return since;
}

TrainingEntry TrainingRun::last_recall(std::uint64_t positions) const {
  TrainingEntry out;
  out.prior_loss = kNone;
  for (auto entry = entries.rbegin(); entry != entries.rend() && out.recalled < positions;
       ++entry) {
    if (!std::isfinite(out.prior_loss)) out.prior_loss = entry->prior_loss;
    if (entry->recalled == 0) continue;
    const auto weight = static_cast<double>(entry->recalled);
    out.first += weight * entry->first;
    out.first4 += weight * entry->first4;
    out.first8 += weight * entry->first8;
    out.recalled += entry->recalled;
  }
  for (double* share : {&out.first, &out.first4, &out.first8})
    *share = out.recalled == 0 ? kNone : *share / static_cast<double>(out.recalled);
  return out;
}

std::string training_json(const TrainingReport& report) {
  json entries = json::array(), strength = json::array();
  for (const auto& entry : report.run.entries) entries.push_back(entry_json(entry));
  for (const auto& result : report.strength) strength.push_back(json::parse(strength_line(result)));
  return json{{"game", report.run.game},
              {"players", report.run.players()},
              {"net", report.run.net},
              {"learn", report.run.learn},
              {"search", report.run.search},
              {"budget", report.run.budget},
              {"seed", exact_number<json>(report.run.seed)},
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
  if (const auto recall = report.run.last_recall(2000); recall.recalled > 0)
    out += fmt::format(
        "second head: the best child is among the first 1, 4, 8 moves of the prior on {}, {}, {} % "
        "of the last {} positions whose children were all valued; its loss is {}\n",
        percent_of(recall.first), percent_of(recall.first4), percent_of(recall.first8),
        recall.recalled, decimal(recall.prior_loss, 3));
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

}  // namespace polymax::arena
