// polymax study run: plays what is missing of a shard, with progress; prints the table when the
// study is complete.
#include "arena/study_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "arena/gather.hpp"
#include "arena/paper.hpp"
#include "arena/store.hpp"
#include "arena/study_lines.hpp"
#include "catalog/computed.hpp"
#include "cli/commands.hpp"
#include "cli/gpu.hpp"
#include "cli/signals.hpp"
#include "cli/study.hpp"
#include "cli/terminal.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "report/report.hpp"

namespace polymax::cli::study_run {

namespace {

struct Options {
  std::string folder, shard = "0/1", paper;
  int threads = 0;
  bool repair = false, retry_failed = false, mix_engines = false, share_cores = false, json = false;
  GpuOptions gpu;

  static Arguments fields() {
    return {existing_folder(argument(field("DIR", &Options::folder, "folder with study.json"))),
            field("shard", &Options::shard, "I/N: play the matches k with k mod N = I"),
            field("threads", &Options::threads,
                  "matches at once; default: one for each core, 512 to 2048 with networks on a GPU",
                  1, 4096),
            part(&Options::gpu),
            field("repair", &Options::repair,
                  "leave broken lines of shards out and play those matches again"),
            field("retry-failed", &Options::retry_failed,
                  "play matches again that are recorded as failed"),
            field("mix-engines", &Options::mix_engines,
                  "play on though the networks' values are computed otherwise than before"),
            field("share-cores", &Options::share_cores,
                  "more threads than cores with a budget in seconds"),
            existing_file(field(
                "paper", &Options::paper,
                "the paper's numbers; default: paper.json beside DIR, or the one that ships")),
            field("json", &Options::json, "print the end as one line of JSON")};
  }
};

std::string functions_text(const arena::Study& study) {
  const int n = study.file().functions;
  return fmt::format("{} function{} a game", n, n == 1 ? "" : "s");
}

// How far it is, then the players by their order as long as there is room.
std::vector<std::string> progress_parts(const arena::Study& study,
                                        const arena::StudyProgress& progress) {
  std::vector<std::string> out{
      fmt::format("{} of {} matches", progress.done(), progress.planned),
      progress.played > 0 ? "" : functions_text(study),
      progress.played > 0 ? fmt::format("{:.2f} a second", progress.rate())
                          : "the first are being played",
      progress.played > 0 ? duration_text(progress.seconds_left()) + " left" : "",
      progress.failed > 0 ? fmt::format("{} failed", progress.failed) : "",
      progress.forfeits > 0 ? fmt::format("{} forfeited", progress.forfeits) : ""};
  for (std::size_t p = 0; p < progress.results.size(); ++p)
    if (progress.results[p] > 0)
      out.push_back(fmt::format("{} {:+.2f}", study.file().players[p].name,
                                progress.score_sum[p] / static_cast<double>(progress.results[p])));
  return out;
}

void print_json(const Options& options, const arena::Study& study,
                const arena::StudyProgress& progress) {
  const Json out{{"shard", options.shard},
                 {"planned", progress.planned},
                 {"done", progress.done()},
                 {"played", progress.played},
                 {"failed", progress.failed},
                 {"forfeits", progress.forfeits},
                 {"seconds", progress.seconds},
                 {"study_done", arena::gather(study).matches},
                 {"study_planned", study.schedule().size()}};
  fmt::print("{}\n", out.dump());
}

// One look at the shards: the table of a study that is complete, else how far it is.
void print_end(const Options& options, const arena::Study& study,
               const arena::StudyProgress& progress) {
  if (options.json) return print_json(options, study, progress);
  const auto table = arena::shard_table(study);
  if (table.rows.size() == study.schedule().size()) {
    const report::Report report(
        table, {.paper_file = options.paper.empty() ? arena::paper_file(study) : options.paper});
    return fmt::print("{}", report.text());
  }
  fmt::print("shard {}: {} of {} matches; the study: {} of {}\n", options.shard, progress.done(),
             progress.planned, table.rows.size(), study.schedule().size());
}

int run(const Options& options) {
  options.gpu.apply();
  const StopOnSignal signals;
  arena::StudyRunSettings settings;
  settings.shard = parse_part(options.shard, "shard");
  const auto study = arena::Study::open(options.folder);
  settings.threads =
      options.threads > 0 ? options.threads : arena::default_matches(arena::load_of(study));
  settings.repair = options.repair;
  settings.retry_failed = options.retry_failed;
  settings.mix_engines = options.mix_engines;
  settings.share_cores = options.share_cores;
  StatusLine line;
  const auto progress = arena::run_study(
      study, settings,
      [&](const arena::StudyProgress& now) {
        if (line.due()) line.show(progress_parts(study, now));
      },
      signals.token());
  line.clear();
  tell(fmt::format("{} new matches in {}, {} of {} of shard {} done; {}\n", progress.played,
                   duration_text(progress.seconds), progress.done(), progress.planned,
                   options.shard, functions_text(study)));
  if (progress.failed > 0)
    tell(
        fmt::format("{} matches failed and are recorded so (--retry-failed plays them again); the "
                    "first: {}\n",
                    progress.failed, progress.first_error));
  if (progress.forfeits > 0)
    tell(fmt::format("{} matches were forfeited, which counts as lost; the first: {}\n",
                     progress.forfeits, progress.first_forfeit));
  if (signals.signal_name() && progress.done() < progress.planned) {
    tell(fmt::format("polymax: {}: {} matches are left, the same command goes on with them\n",
                     signals.signal_name(), progress.planned - progress.done()));
    if (options.json) print_json(options, study, progress);
    return kUnfinished;
  }
  print_end(options, study, progress);
  return 0;
}

}  // namespace

Command command() {
  return cli::command<Options>("run",
                               "play what is missing; may be killed and run again at any time",
                               "Example: polymax study run studies/quick\n"
                               "SIGINT, SIGTERM, SIGUSR1 and SIGHUP end it cleanly with code 75 "
                               "when matches are left: run the "
                               "same\ncommand again.",
                               run);
}

}  // namespace polymax::cli::study_run
