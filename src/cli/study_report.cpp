// polymax study report: tables and plots of what was played, in DIR/report, with some records to
// look at.
#include <fmt/core.h>

#include <filesystem>
#include <string>

#include "arena/paper.hpp"
#include "arena/store.hpp"
#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "report/report.hpp"
#include "report/study_records.hpp"

namespace polymax::cli::study_report {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string folder, paper, beside;
  std::uint64_t seed = 0;
  int resamples = arena::kResamples;
  bool json = false;

  static Arguments fields() {
    return {existing_folder(argument(field("DIR", &Options::folder, "folder with study.json"))),
            existing_file(field(
                "paper", &Options::paper,
                "the paper's numbers; default: paper.json beside DIR, or the one that ships")),
            existing_folder(field("beside", &Options::beside,
                                  "another study of the same players, e.g. with another budget, to "
                                  "set beside")),
            field("seed", &Options::seed, "seed of the bootstrap"),
            field("resamples", &Options::resamples, "of the bootstrap", 100, 1'000'000),
            field("json", &Options::json, "print the report as JSON")};
  }
};

arena::StudyTable played(const arena::Study& study, arena::StudyTable table) {
  if (table.rows.empty())
    throw Error("no match of '" + study.folder() + "' was played yet: polymax study run");
  return table;
}

void run(const Options& options) {
  const auto study = arena::Study::open(options.folder);
  const fs::path folder = fs::path(options.folder) / "report";
  const auto table = played(study, report::table_with_records(study));
  make_folder(folder.string());
  report::ReportSettings settings{options.seed, options.resamples,
                                  options.paper.empty() ? arena::paper_file(study) : options.paper};
  arena::StudyTable beside;
  if (!options.beside.empty()) {
    const auto other = arena::Study::open(options.beside);
    beside = played(other, arena::load_table(other));
    settings.beside = &beside;
  }
  const report::Report report(table, settings);
  write_file((folder / "report.md").string(), report.markdown());
  write_file((folder / "report.tex").string(), report.latex());
  write_file((folder / "report.csv").string(), report.csv());
  write_file((folder / "report.json").string(), report.json());
  write_file((folder / "report.html").string(), report.html());
  fmt::print("{}", options.json ? report.json() : report.text());
  tell(fmt::format("written: {}/report.html, .md, .tex, .csv, .json\n", folder.string()));
}

}  // namespace

Command command() {
  return cli::command<Options>("report", "tables, intervals and plots in DIR/report",
                               "Example: polymax study report studies/quick", run);
}

}  // namespace polymax::cli::study_report
