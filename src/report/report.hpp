// A study's report: the paper's tables and what the paper leaves out, as Markdown, LaTeX, CSV,
// JSON, plain text and one HTML page that needs nothing else. A pure function of the table, the
// paper's numbers, the seed and the program, whose commit it names: the same bytes on every
// machine. Seconds appear only where the study's budget is in seconds. The page lies in a folder of
// the study's folder (DIR/report/report.html) and links records from there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "arena/statistics.hpp"
#include "arena/study_rows.hpp"

namespace polymax::report {

struct ReportSettings {
  std::uint64_t seed = 0;
  int resamples = arena::kResamples;
  std::string paper_file;  // studies/paper.json; empty: no comparison with the paper
  const arena::StudyTable* beside = nullptr;  // the same players with another budget; null: none
};

struct Figures;

// The figures are computed once, when it is made; each text when it is asked for.
class Report {
 public:
  // The table must outlive it. Throws Error for a table without games or players, or a paper file
  // that cannot be read.
  Report(const arena::StudyTable& table, const ReportSettings& settings);
  Report(arena::StudyTable&&, const ReportSettings&) = delete;
  ~Report();

  std::string markdown() const;
  std::string latex() const;
  std::string csv() const;
  std::string json() const;
  std::string html() const;
  std::string text() const;  // for a terminal: the tables of means

 private:
  std::unique_ptr<const Figures> figures_;
};

}  // namespace polymax::report
