#include "arena/standing.hpp"

#include <algorithm>

#include "arena/study_lines.hpp"

namespace polymax::arena {

double Standing::rate() const {
  constexpr double kWindow = 600;
  const double from = gathered.last - kWindow;
  const auto recent = std::ranges::count_if(ends, [&](double at) { return at > from; });
  const double span = std::min(kWindow, gathered.last - gathered.first);
  return span > 0 ? static_cast<double>(recent) / span : 0;
}

Standing standing_of(const Study& study) {
  Standing out;
  const std::size_t players = study.file().players.size();
  out.score_sum.resize(players);
  out.results.resize(players);
  out.failed.resize(players);
  out.forfeits.resize(players);
  const auto count = [&](const StudyRow& row) {
    const auto p = static_cast<std::size_t>(row.player);
    if (row.failed()) {
      ++out.failed[p];
    } else {
      ++out.results[p];
      if (row.forfeited()) ++out.forfeits[p];
      out.score_sum[p] += static_cast<double>(row.gain[row.seat]);
    }
  };
  out.gathered = gather(study, [&](std::uint64_t k, std::string_view line) {
    out.ends.push_back(end_time(line));
    count(study_row(study, k, study_record(study, k, line)));
  });
  for (const auto& row : out.gathered.published) count(row);
  return out;
}

}  // namespace polymax::arena
