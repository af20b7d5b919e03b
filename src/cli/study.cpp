// polymax study: run, status, merge, report, records of a study folder.
#include "cli/study.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "arena/record.hpp"
#include "arena/results.hpp"
#include "arena/sgf.hpp"
#include "arena/standing.hpp"
#include "arena/store.hpp"
#include "arena/study_lines.hpp"
#include "cli/commands.hpp"
#include "core/error.hpp"
#include "core/json.hpp"

namespace polymax::cli {

std::string duration_text(double seconds) {
  const auto s = static_cast<std::int64_t>(std::max(0.0, seconds) + 0.5);
  if (s >= 3600) return fmt::format("{} h {:02} m", s / 3600, s % 3600 / 60);
  if (s >= 60) return fmt::format("{} m {:02} s", s / 60, s % 60);
  return fmt::format("{} s", s);
}

}  // namespace polymax::cli

namespace polymax::cli::study {

namespace {

constexpr const char* kFolderHelp = "folder with study.json";

struct Options {
  std::string folder;
  bool json = false;

  static Arguments fields() {
    return {existing_folder(argument(field("DIR", &Options::folder, kFolderHelp))),
            field("json", &Options::json, "one line of JSON")};
  }
};

struct RecordsOptions {
  std::string folder;
  std::uint64_t match = 0;
  bool sgf = false, time = false;

  static Arguments fields() {
    return {
        existing_folder(argument(field("DIR", &RecordsOptions::folder, kFolderHelp))),
        unshown(field("match", &RecordsOptions::match, "this match alone, from 0; default: all")),
        field("sgf", &RecordsOptions::sgf, "as SGF"),
        field("time", &RecordsOptions::time, "with what the clock said")};
  }
};

void print_status_json(const arena::Study& study, const arena::Standing& standing) {
  std::vector<Json> players;
  for (std::size_t p = 0; p < standing.results.size(); ++p) {
    const auto results = standing.results[p];
    players.push_back(
        Json{{"player", study.file().players[p].name},
             {"results", results},
             {"failed", standing.failed[p]},
             {"forfeited", standing.forfeits[p]},
             {"score", results > 0 ? standing.score_sum[p] / static_cast<double>(results)
                                   : std::numeric_limits<double>::quiet_NaN()}});
  }
  const Json out{
      {"planned", study.schedule().size()},       {"done", standing.gathered.matches},
      {"shards", standing.gathered.files},        {"matches_per_second", standing.rate()},
      {"differing", standing.gathered.differing}, {"players", players}};
  fmt::print("{}\n", out.dump());
}

void print_status(const arena::Study& study, const arena::Standing& standing) {
  const std::uint64_t planned = study.schedule().size(), done = standing.gathered.matches;
  fmt::print(
      "{}: {} of {} matches ({:.1f} %), {} function{} a game, {} shard file{}\n", study.folder(),
      done, planned,
      100.0 * static_cast<double>(done) / static_cast<double>(std::max<std::uint64_t>(1, planned)),
      study.file().functions, study.file().functions == 1 ? "" : "s", standing.gathered.files,
      standing.gathered.files == 1 ? "" : "s");
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
  if (const auto forfeits =
          std::accumulate(standing.forfeits.begin(), standing.forfeits.end(), std::uint64_t{0});
      forfeits > 0)
    fmt::print("{} matches were forfeited, which counts as lost\n", forfeits);
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
  const auto standing = arena::standing_of(study);
  if (options.json)
    print_status_json(study, standing);
  else
    print_status(study, standing);
}

void run_merge(const Options& options) {
  const auto study = arena::Study::open(options.folder);
  const auto merged = arena::merge_shards(study);
  if (options.json) {
    const Json out{{"file", arena::store_file(options.folder)},
                   {"shards", merged.files},
                   {"added", merged.added},
                   {"matches", merged.total},
                   {"planned", study.schedule().size()},
                   {"differing", merged.differing}};
    return fmt::print("{}\n", out.dump());
  }
  fmt::print("{}: {} of {} matches, {} new from {} shard file{}\n",
             arena::store_file(options.folder), merged.total, study.schedule().size(), merged.added,
             merged.files, merged.files == 1 ? "" : "s");
  if (!merged.differing.empty())
    fmt::print("{} matches were played twice and differently, the first is match {}\n",
               merged.differing.size(), merged.differing[0]);
}

void run_publish(const Options& options) {
  const auto study = arena::Study::open(options.folder);
  const std::string file = arena::results_file(options.folder);
  const std::size_t matches = arena::publish_results(study);
  if (options.json) {
    const Json out{{"file", file}, {"matches", matches}, {"planned", study.schedule().size()}};
    return fmt::print("{}\n", out.dump());
  }
  fmt::print("{}: {} of {} matches\n", file, matches, study.schedule().size());
}

void run_records(const RecordsOptions& options, const Given& given) {
  if (options.sgf && options.time)
    throw Error("--time is of JSON lines: SGF has the seconds of every move anyway");
  const auto study = arena::Study::open(options.folder);
  const bool one = given.has("match");
  bool found = false;
  arena::each_match(study, [&](std::uint64_t k, std::string_view line) {
    if (one && k != options.match) return;
    found = true;
    const auto record = arena::study_record(study, k, line);
    if (options.sgf)
      fmt::print("{}", arena::sgf_text(record));
    else
      fmt::print("{}\n", arena::record_line(
                             record, options.time ? arena::Timing::with : arena::Timing::without));
  });
  if (!found && one)
    throw Error(
        fmt::format("match {} was not played yet, or its moves are not here", options.match));
}

}  // namespace

Command command() {
  return command_of_parts(
      "study", "many matches by a file: run in shards, resume, merge, report",
      "Example: polymax study run studies/quick",
      {study_run::command(),
       cli::command<Options>("status", "matches done, rate, time left, running means",
                             "Example: polymax study status studies/quick", run_status),
       cli::command<Options>("merge", "put all shards into DIR/study.sqlite",
                             "Example: polymax study merge studies/quick", run_merge),
       study_report::command(),
       cli::command<Options>(
           "publish", "write the results without the moves into DIR/results.csv, to be published",
           "Example: polymax study publish studies/quick", run_publish),
       cli::command<RecordsOptions>(
           "records", "print the matches by number: JSON lines, the same bytes for any shards",
           "Example: polymax study records studies/quick --match 0 --sgf", run_records)});
}

}  // namespace polymax::cli::study
