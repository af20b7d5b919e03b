// polymax study report: tables and plots of what was played, in DIR/report, with some records to
// look at.
#include <fmt/core.h>

#include <filesystem>
#include <string>

#include "arena/sgf.hpp"
#include "arena/store.hpp"
#include "arena/study_lines.hpp"
#include "cli/commands.hpp"
#include "cli/study.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "report/report.hpp"

namespace polymax::cli {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string folder, paper;
  std::uint64_t seed = 0;
  int resamples = arena::kResamples;
  bool json = false;

  static auto fields() {
    return std::tuple{
        existing_folder(argument(field("DIR", &Options::folder, "folder with study.json"))),
        existing_file(
            field("paper", &Options::paper, "the paper's numbers; default: paper.json beside DIR")),
        field("seed", &Options::seed, "seed of the bootstrap"),
        field("resamples", &Options::resamples, "of the bootstrap", 100, 1'000'000),
        field("json", &Options::json, "print the report as JSON")};
  }
};

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    throw Error("cannot make the folder '" + path.string() + "': " + error.message(),
                Error::Kind::failed);
}

// Rows of the first networks, of every game, player and seat, get their record as an SGF file to
// follow.
arena::StudyTable table_with_records(const arena::Study& study) {
  auto table = study.table();
  arena::each_match(study, [&](std::uint64_t k, std::string_view line) {
    const auto record = arena::study_record(study, k, line);
    auto row = arena::study_row(study, k, record);
    if ((row.i == 0 && row.j == 0 && row.repetition == 0) || row.failed()) {
      row.record = fmt::format("report/records/{}.sgf", k);
      write_file((fs::path(study.folder()) / row.record).string(), arena::sgf_text(record));
    }
    table.rows.push_back(std::move(row));
  });
  return table;
}

void run(const Options& options) {
  const auto study = arena::Study::open(options.folder);
  const fs::path folder = fs::path(options.folder) / "report";
  make_folder(folder / "records");
  const auto table = table_with_records(study);
  if (table.rows.empty())
    throw Error("no match of '" + options.folder + "' was played yet: polymax study run");
  const auto report = arena::make_report(
      table, {options.seed, options.resamples, paper_file(study, options.paper)});
  write_file((folder / "report.md").string(), report.markdown);
  write_file((folder / "report.tex").string(), report.latex);
  write_file((folder / "report.csv").string(), report.csv);
  write_file((folder / "report.json").string(), report.json);
  write_file((folder / "report.html").string(), report.html);
  fmt::print("{}", options.json ? report.json : report.text);
  fmt::print(stderr, "written: {}/report.html, .md, .tex, .csv, .json\n", folder.string());
}

}  // namespace

Command study_report_command() {
  return command<Options>("report", "tables, intervals and plots in DIR/report",
                          "Example: polymax study report studies/quick", run);
}

}  // namespace polymax::cli
