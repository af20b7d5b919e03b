// polymax study: run, status, merge, report, records of a study folder.
#include "cli/study.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "arena/gather.hpp"
#include "arena/record.hpp"
#include "arena/sgf.hpp"
#include "arena/store.hpp"
#include "arena/study_lines.hpp"
#include "cli/command.hpp"
#include "core/error.hpp"

namespace polymax::cli {

namespace {

struct Options {
  std::string folder;
  bool json = false, sgf = false, time = false;
  std::int64_t match = -1;
};

// How a study stands.
struct Standing {
  arena::Gathered gathered;
  std::vector<double> score_sum, ends;
  std::vector<std::uint64_t> results, failed;  // by player

  // Matches a second over the last ten minutes of play.
  double rate() const {
    constexpr double kWindow = 600;
    const double from = gathered.last - kWindow;
    const auto recent = std::ranges::count_if(ends, [&](double at) { return at > from; });
    const double span = std::min(kWindow, gathered.last - gathered.first);
    return span > 0 ? static_cast<double>(recent) / span : 0;
  }
};

Standing standing_of(const arena::Study& study) {
  Standing out;
  const std::size_t players = study.file().players.size();
  out.score_sum.resize(players);
  out.results.resize(players);
  out.failed.resize(players);
  out.gathered = arena::gather(study, [&](std::uint64_t k, std::string_view line) {
    out.ends.push_back(arena::end_time(line));
    const auto row = arena::study_row(study, k, arena::study_record(study, k, line));
    const auto p = static_cast<std::size_t>(row.player);
    if (row.failed()) {
      ++out.failed[p];
    } else {
      ++out.results[p];
      out.score_sum[p] += static_cast<double>(row.gain[row.seat]);
    }
  });
  return out;
}

void print_status_json(const arena::Study& study, const Standing& standing) {
  nlohmann::ordered_json players = nlohmann::ordered_json::array();
  for (std::size_t p = 0; p < standing.results.size(); ++p) {
    players.push_back({{"player", study.file().players[p].name},
                       {"results", standing.results[p]},
                       {"failed", standing.failed[p]},
                       {"score", nullptr}});
    if (standing.results[p] > 0)
      players.back()["score"] = standing.score_sum[p] / static_cast<double>(standing.results[p]);
  }
  const nlohmann::ordered_json out{
      {"planned", study.schedule().size()},       {"done", standing.gathered.matches},
      {"shards", standing.gathered.files},        {"matches_per_second", standing.rate()},
      {"differing", standing.gathered.differing}, {"players", players}};
  fmt::print("{}\n", out.dump());
}

void print_status(const arena::Study& study, const Standing& standing) {
  const std::uint64_t planned = study.schedule().size(), done = standing.gathered.matches;
  fmt::print(
      "{}: {} of {} matches ({:.1f} %), {} shard files\n", study.folder(), done, planned,
      100.0 * static_cast<double>(done) / static_cast<double>(std::max<std::uint64_t>(1, planned)),
      standing.gathered.files);
  if (standing.rate() > 0)
    fmt::print(
        "{:.2f} matches a second lately{}\n", standing.rate(),
        done < planned
            ? ", " + duration_text(static_cast<double>(planned - done) / standing.rate()) + " left"
            : "");
  if (!standing.gathered.differing.empty())
    fmt::print(
        "{} matches were played twice and differently, the first is match {}: players are not "
        "reproducible\n",
        standing.gathered.differing.size(), standing.gathered.differing[0]);
  std::size_t width = 6;
  for (const auto& player : study.file().players) width = std::max(width, player.name.size());
  fmt::print("{:<{}} {:>8} {:>7} {:>7}\n", "player", width, "matches", "score", "failed");
  for (std::size_t p = 0; p < standing.results.size(); ++p)
    fmt::print("{:<{}} {:>8} {:>7} {:>7}\n", study.file().players[p].name, width,
               standing.results[p],
               standing.results[p] == 0
                   ? "-"
                   : fmt::format("{:+.3f}",
                                 standing.score_sum[p] / static_cast<double>(standing.results[p])),
               standing.failed[p]);
}

void run_status(const Options& options) {
  const auto study = arena::Study::open(options.folder);
  const auto standing = standing_of(study);
  if (options.json)
    print_status_json(study, standing);
  else
    print_status(study, standing);
}

void run_merge(const Options& options) {
  const auto study = arena::Study::open(options.folder);
  const auto merged = arena::merge_shards(study);
  if (options.json) {
    const nlohmann::ordered_json out{{"file", arena::store_file(options.folder)},
                                     {"shards", merged.files},
                                     {"added", merged.added},
                                     {"matches", merged.total},
                                     {"planned", study.schedule().size()},
                                     {"differing", merged.differing}};
    return fmt::print("{}\n", out.dump());
  }
  fmt::print("{}: {} of {} matches, {} new from {} shard files\n",
             arena::store_file(options.folder), merged.total, study.schedule().size(), merged.added,
             merged.files);
  if (!merged.differing.empty())
    fmt::print("{} matches were played twice and differently, the first is match {}\n",
               merged.differing.size(), merged.differing[0]);
}

void run_records(const Options& options) {
  const auto study = arena::Study::open(options.folder);
  bool found = false;
  arena::each_match(study, [&](std::uint64_t k, std::string_view line) {
    if (options.match >= 0 && k != static_cast<std::uint64_t>(options.match)) return;
    found = true;
    const auto record = arena::study_record(study, k, line);
    if (options.sgf)
      fmt::print("{}", arena::sgf_text(record));
    else
      fmt::print("{}\n", arena::record_line(
                             record, options.time ? arena::Timing::with : arena::Timing::without));
  });
  if (!found && options.match >= 0)
    throw Error(fmt::format("match {} was not played yet", options.match));
}

CLI::App* add_part(CLI::App& study, const char* name, const char* help, void (*run)(const Options&),
                   std::shared_ptr<Options> options) {
  auto* command = study.add_subcommand(name, help);
  command->add_option("DIR", options->folder, "folder with study.json")->required();
  command->callback([run, options] { run(*options); });
  return command;
}

}  // namespace

std::string duration_text(double seconds) {
  const auto s = static_cast<std::int64_t>(std::max(0.0, seconds) + 0.5);
  if (s >= 3600) return fmt::format("{} h {:02} m", s / 3600, s % 3600 / 60);
  if (s >= 60) return fmt::format("{} m {:02} s", s / 60, s % 60);
  return fmt::format("{} s", s);
}

std::string paper_file(const arena::Study& study, const std::string& given) {
  if (!given.empty()) return given;
  const auto beside =
      std::filesystem::weakly_canonical(study.folder()).parent_path() / "paper.json";
  return std::filesystem::exists(beside) ? beside.string() : "";
}

void add_study(CLI::App& app) {
  auto* study =
      app.add_subcommand("study", "many matches by a file: run in shards, resume, merge, report");
  study->require_subcommand(1);
  study->footer("Example: polymax study run studies/quick");
  add_study_run(*study);
  auto options = std::make_shared<Options>();
  auto* status = add_part(*study, "status", "matches done, rate, time left, running means",
                          run_status, options);
  status->add_flag("--json", options->json, "one line of JSON");
  status->footer("Example: polymax study status studies/quick");
  auto* merge =
      add_part(*study, "merge", "put all shards into DIR/study.sqlite", run_merge, options);
  merge->add_flag("--json", options->json, "one line of JSON");
  merge->footer("Example: polymax study merge studies/quick");
  add_study_report(*study);
  auto* records = add_part(*study, "records",
                           "print the matches by number: JSON lines, the same bytes for any shards",
                           run_records, options);
  records->add_option("--match", options->match, "this match alone")->check(CLI::NonNegativeNumber);
  records->add_flag("--sgf", options->sgf, "as SGF");
  records->add_flag("--time", options->time, "with what the clock said");
  records->footer("Example: polymax study records studies/quick --match 0 --sgf");
}

}  // namespace polymax::cli
