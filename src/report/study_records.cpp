#include "report/study_records.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "arena/sgf.hpp"
#include "arena/store.hpp"
#include "core/file.hpp"
#include "report/record_page.hpp"

namespace polymax::report {

namespace {

namespace fs = std::filesystem;

void write_record(const arena::Study& study, const arena::StudyRow& row,
                  const arena::MatchRecord& record, const std::string& stem) {
  const auto folder = fs::path(study.folder());
  make_folder((folder / stem).parent_path().string());
  write_file((folder / (stem + ".sgf")).string(), arena::sgf_text(record));
  const auto& file = study.file();
  const std::string title = fmt::format(
      "Match {}: {}, {}, seat {}", row.match, file.games[static_cast<std::size_t>(row.game)].name,
      file.players[static_cast<std::size_t>(row.player)].name, row.seat + 1);
  write_file((folder / (stem + ".html")).string(),
             record_page(study.game(row.game), record, title, fmt::format("{}.sgf", row.match)));
}

}  // namespace

arena::StudyTable table_with_records(const arena::Study& study) {
  return arena::load_table(study, [&](arena::StudyRow& row, const arena::MatchRecord& record) {
    const bool first = row.i == 0 && row.j == 0 && row.repetition == 0;
    if (!first && !row.failed() && !row.forfeited()) return;
    const std::string stem = fmt::format("report/records/{}", row.match);
    write_record(study, row, record, stem);
    row.record = stem + ".html";
  });
}

}  // namespace polymax::report
