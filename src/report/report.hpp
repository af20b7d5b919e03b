// A study's report: the paper's tables and what the paper leaves out, as Markdown, LaTeX, CSV,
// JSON, plain text and one HTML page that needs nothing else. A pure function of the table, the
// paper's numbers and the seed: the same bytes on every machine. Seconds appear only where the
// study's budget is in seconds. The page lies in a folder of the study's folder
// (DIR/report/report.html) and links records from there.
#pragma once

#include <cstdint>
#include <string>

#include "arena/statistics.hpp"
#include "arena/study_rows.hpp"

namespace polymax::arena {

struct ReportSettings {
  std::uint64_t seed = 0;
  int resamples = kResamples;
  std::string paper_file;  // studies/paper.json; empty: no comparison with the paper
};

struct Report {
  std::string markdown, latex, csv, json, html;
  std::string text;  // for a terminal: the table of means
};

// Throws Error for a table without games or players, or a paper file that cannot be read.
Report make_report(const StudyTable& table, const ReportSettings& settings);

}  // namespace polymax::arena
