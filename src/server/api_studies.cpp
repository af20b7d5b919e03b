// Studies below the served folder: progress, report, matches to replay. Only reads.
#include <algorithm>
#include <filesystem>
#include <mutex>
#include <optional>

#include "arena/gather.hpp"
#include "arena/paper.hpp"
#include "arena/results.hpp"
#include "arena/store.hpp"
#include "arena/study.hpp"
#include "arena/study_lines.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "core/number.hpp"
#include "report/report.hpp"
#include "server/error.hpp"
#include "server/folders.hpp"

namespace polymax::server {

namespace {

namespace fs = std::filesystem;

constexpr const char* kStudyFile = "study.json";
constexpr std::size_t kListed = 400;

Json list_entry(const std::string& root, const std::string& folder) {
  Json out{{"folder", folder}, {"title", folder}, {"error", ""}};
  try {
    const std::string path = root + "/" + folder + "/" + kStudyFile;
    const auto file = arena::parse_study(path, read_file(path, std::size_t{1} << 20));
    out["title"] = file.title.empty() ? folder : file.title;
    out["budget"] = file.budget;
    out["games"] = file.games.size();
    out["players"] = file.players.size();
  } catch (const Error& error) {
    out["error"] = error.what();
  }
  return out;
}

// Names of all entries that have one.
Json names_of(const auto& all) {
  Json out = Json::array();
  for (const auto& one : all) out.push_back(one.name);
  return out;
}

// Whether a query leaves the key open or asks for just this.
bool asked_for(const Request& request, const char* key, const std::string& name) {
  const auto found = request.query.find(key);
  return found == request.query.end() || found->second.empty() || found->second == name;
}

// Of the matches those of ?game= and ?player=, up to a number.
Json progress_of(const arena::Study& study, const Request& request) {
  Json matches = Json::array();
  const auto table = study.table();
  std::size_t with_moves = 0;
  const auto gathered = arena::gather(study, [&](std::uint64_t k, std::string_view line) {
    ++with_moves;
    if (matches.size() == kListed) return;
    const auto planned = study.schedule().at(k);
    if (!asked_for(request, "game", table.games[static_cast<std::size_t>(planned.game)].name) ||
        !asked_for(request, "player", table.players[static_cast<std::size_t>(planned.player)].name))
      return;
    const auto row = arena::study_row(study, k, arena::study_record(study, k, line));
    const auto& game = table.games[static_cast<std::size_t>(row.game)];
    matches.push_back({{"k", k},
                       {"game", game.name},
                       {"player", table.players[static_cast<std::size_t>(row.player)].name},
                       {"seat", row.seat},
                       {"length", row.length},
                       {"gain", seats_json(row.gain, game.players)},
                       {"error", row.error}});
  });
  return {{"title", table.title},
          {"budget", table.budget},
          {"benchmark", table.benchmark.name},
          {"planned", study.schedule().size()},
          {"done", gathered.matches},
          {"with_moves", with_moves},
          {"first", gathered.first},
          {"last", gathered.last},
          {"games", names_of(table.games)},
          {"players", names_of(table.players)},
          {"matches", std::move(matches)}};
}

// Changes whenever a shard, the published results or the paper's numbers do.
std::string version_of(const arena::Study& study) {
  std::string out = study.folder() + '\n' + study.identity();
  auto files = arena::shard_files(study.folder());
  files.push_back(arena::results_file(study.folder()));
  files.push_back(arena::paper_file(study));
  for (const auto& path : files) {
    std::error_code gone;
    out += '\n' + path + ' ' + std::to_string(fs::file_size(path, gone)) + ' ' +
           std::to_string(fs::last_write_time(path, gone).time_since_epoch().count());
  }
  return out;
}

// Making one takes seconds: one at a time, and the last one is kept.
Reply report_of(const arena::Study& study) {
  static std::mutex mutex;
  static std::string kept_key, kept_page;
  std::lock_guard lock(mutex);
  const std::string key = version_of(study);
  if (key == kept_key) return {200, "text/html; charset=utf-8", kept_page, ""};
  const auto table = arena::shard_table(study);
  if (table.rows.empty()) throw Refused(404, "no match of this study was played yet");
  kept_page = report::Report(table, {.paper_file = arena::paper_file(study)}).html();
  kept_key = key;
  return {200, "text/html; charset=utf-8", kept_page, ""};
}

Json match_of(const arena::Study& study, std::uint64_t wanted) {
  std::optional<arena::MatchRecord> found;
  const auto gathered = arena::gather(study, [&](std::uint64_t k, std::string_view line) {
    if (k == wanted && !found) found = arena::study_record(study, k, line);
  });
  if (!found && std::ranges::find(gathered.published, wanted, &arena::StudyRow::match) !=
                    gathered.published.end())
    throw Refused(404, "of match " + std::to_string(wanted) +
                           " only the result is here: the study was published without its moves");
  if (!found) throw Refused(404, "match " + std::to_string(wanted) + " was not played yet");
  Json moves = Json::array();
  for (const auto& move : found->moves) moves.push_back(move.move);
  return {{"game", found->game},
          {"seed", exact_number(found->start)},
          {"players", found->players},
          {"moves", std::move(moves)}};
}

}  // namespace

Json studies_list(const House& house) {
  Json out = Json::array();
  for (const auto& folder : folders_with(house.root, kStudyFile))
    out.push_back(list_entry(house.root, folder));
  return {{"studies", std::move(out)}};
}

Reply study_part(const Request& request, const House& house) {
  const std::string& part = request.path[1];
  const auto study = arena::Study::open(asked_folder(request, house, kStudyFile));
  if (part == "report") return report_of(study);
  if (part == "progress")
    return {200, "application/json", text_of(progress_of(study, request)), ""};
  if (part == "match") {
    const auto asked = request.query.find("k");
    const auto k = number_of<std::uint64_t>(asked == request.query.end() ? "" : asked->second);
    if (!k) throw Error("which match? &k=NUMBER");
    return {200, "application/json", text_of(match_of(study, *k)), ""};
  }
  throw Refused(404, "a study knows progress, report and match");
}

}  // namespace polymax::server
