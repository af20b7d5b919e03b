#include "learn/run_log.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "learn/progress.hpp"
#include "nn/net_file.hpp"

namespace polymax::learn {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double real(const Json& from) {
  return from.is_number() ? from.get<double>() : kNone;
}
double real(const Json& from, const char* key) {
  return from.contains(key) ? real(from[key]) : kNone;
}
std::uint64_t count(const Json& from, const char* key) {
  return from.contains(key) && from[key].is_count() ? from[key].get<std::uint64_t>() : 0;
}
std::uint64_t seed_of(const Json& from) {
  return from.contains("seed") ? read_exact(from["seed"], "seed") : 0;
}
std::vector<double> reals(const Json& from, const char* key) {
  std::vector<double> out;
  if (from.contains(key) && from[key].is_array())
    for (const auto& number : from[key]) out.push_back(real(number));
  return out;
}
std::string text(const Json& from, const char* key) {
  return from.contains(key) && from[key].is_string() ? from[key].get<std::string>() : "";
}

TrainingEntry entry_of(const Json& line) {
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
  out.first = out.first4 = out.first8 = out.lost8 = out.lost_mean = kNone;
  if (!line.contains("recall") || !line["recall"].is_object()) return out;
  const Json& recall = line["recall"];
  out.recalled = count(recall, "positions");
  if (out.recalled == 0) return out;
  const auto share = [&](const char* key) {
    return static_cast<double>(count(recall, key)) / static_cast<double>(out.recalled);
  };
  out.first = share("first");
  out.first4 = share("first4");
  out.first8 = share("first8");
  out.lost8 = real(recall, "lost8") / static_cast<double>(out.recalled);
  out.lost_mean = real(recall, "lost_mean") / static_cast<double>(out.recalled);
  return out;
}

}  // namespace

TrainingRun read_training(const std::string& run_json, const std::string& log,
                          const std::string& where) {
  const auto description = Json::parse_or_null(run_json);
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
    const auto entry = Json::parse_or_null(line);
    if (!entry.is_object() || !entry.contains("matches")) {
      if (torn) break;
      throw Error(
          where + "/log.jsonl, line " + std::to_string(at) + ": not an entry of a run's log",
          Error::Kind::failed);
    }
    TrainingEntry next = entry_of(entry);
    const std::uint64_t before = out.entries.empty() ? 0 : out.entries.back().matches;
    if (next.matches < before ||
        (!out.entries.empty() && next.wins.size() != out.entries.back().wins.size()))
      throw Error(where + "/log.jsonl, line " + std::to_string(at) +
                      ": does not go on from the line before",
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

TrainingRun open_training(const std::string& folder) {
  if (!exists(folder + "/run.json"))
    throw Error(
        "'" + folder +
        "' is not the folder of a run (no run.json); polymax train GAME --out DIR makes one");
  if (!exists(folder + "/log.jsonl"))
    throw Error("'" + folder + "' has no log.jsonl yet: let the run go on for some seconds",
                Error::Kind::failed);
  return read_training(read_file(folder + "/run.json"), read_file(folder + "/log.jsonl"), folder);
}

std::string net_file(const std::string& folder) {
  return folder + "/net.safetensors";
}

std::vector<std::string> earlier_nets(const std::string& folder) {
  const auto matches_of = [](const std::string& file) {
    return load_net_header(file).net.training.matches;
  };
  const std::uint64_t newest = matches_of(net_file(folder));
  std::vector<std::pair<std::uint64_t, std::string>> found;
  const std::string history = folder + "/history";
  for (const FolderEntry& entry : exists(history) ? files_in(history) : std::vector<FolderEntry>{})
    if (entry.name.ends_with(".safetensors"))
      if (const auto matches = matches_of(entry.path); matches < newest)
        found.emplace_back(matches, entry.path);
  std::ranges::sort(found);
  std::vector<std::string> out;
  for (auto& [matches, file] : found) out.push_back(std::move(file));
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
  if (!(last <= Variety::kCollapsed)) return "";
  std::string out = collapse_text(last) + ".";
  out.front() = 'S';  // a sentence of its own
  return out;
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
    out.lost8 += weight * entry->lost8;
    out.lost_mean += weight * entry->lost_mean;
    out.recalled += entry->recalled;
  }
  for (double* mean : {&out.first, &out.first4, &out.first8, &out.lost8, &out.lost_mean})
    *mean = out.recalled == 0 ? kNone : *mean / static_cast<double>(out.recalled);
  return out;
}

}  // namespace polymax::learn
