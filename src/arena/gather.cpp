#include "arena/gather.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "arena/checksum.hpp"
#include "arena/results.hpp"
#include "arena/study_lines.hpp"
#include "core/lists.hpp"

namespace polymax::arena {

namespace {

// The part of a line that must be the same whoever played it: without checksum and time.
std::uint64_t content_of(std::string_view line) {
  return checksum(without_time(line.substr(line.find(',') + 1)));
}

class Gatherer {
 public:
  Gatherer(const Study& study, const std::function<void(std::uint64_t, std::string_view)>& each)
      : timed_(study.timed()), planned_(study.schedule().size()), each_(each) {
    out.done.resize(planned_);
    contents_.resize(timed_ ? 0 : planned_);
  }

  void add(std::uint64_t k, std::string_view line) {
    if (k >= planned_) return;  // of another study: said by check_shard
    const bool failed = is_failed_line(line), failed_before = failed_.contains(k);
    if (out.done[k] && !replaces(failed, failed_before)) {
      ++out.twice;
      if (!timed_ && failed == failed_before && contents_[k] != content_of(line))
        out.differing.push_back(k);
      return;
    }
    if (!out.done[k]) ++out.matches;
    out.done[k] = true;
    if (!timed_) contents_[k] = content_of(line);
    const double at = end_time(line);
    out.first = out.first == 0 ? at : std::min(out.first, at);
    out.last = std::max(out.last, at);
    failed_.erase(k);
    if (failed)
      failed_.emplace(k, line);
    else if (each_)
      each_(k, line);
  }

  // Known before any shard is read.
  void add(Published&& published) {
    out.computed = std::move(published.computed);
    published_ = std::move(published.rows);
  }

  void end() {
    for (auto& row : published_) {
      const bool there = out.done[row.match];
      if (there && !replaces(row.failed(), failed_.contains(row.match))) continue;
      if (!there) ++out.matches;
      out.done[row.match] = true;
      failed_.erase(row.match);
      if (row.failed()) out.failed.insert(row.match);
      out.published.push_back(std::move(row));
    }
    for (const auto& [k, line] : failed_) {
      out.failed.insert(k);
      if (each_) each_(k, line);
    }
  }

  Gathered out;

 private:
  bool timed_;
  std::uint64_t planned_;
  const std::function<void(std::uint64_t, std::string_view)>& each_;
  std::vector<std::uint64_t> contents_;  // by k, of counted budgets
  std::vector<StudyRow> published_;
  std::map<std::uint64_t, std::string> failed_;  // lines of matches that may have been played again
};

}  // namespace

Gathered gather(const Study& study,
                const std::function<void(std::uint64_t, std::string_view)>& each) {
  Gatherer all(study, each);
  all.add(published_results(study));
  for (const auto& path : shard_files(study.folder())) {
    ++all.out.files;
    const auto scan =
        scan_shard(path, [&](std::uint64_t k, std::string_view line) { all.add(k, line); });
    check_shard(scan, path, study.identity());
    if (!scan.computed.empty()) all.out.computed.insert(scan.computed);
  }
  all.end();
  return std::move(all.out);
}

std::vector<StudyRow> merged_rows(std::vector<StudyRow> rows, std::vector<StudyRow> published) {
  std::vector<StudyRow> out;
  out.reserve(rows.size() + published.size());
  auto own = rows.begin();
  for (auto& other : published) {
    while (own != rows.end() && own->match < other.match) out.push_back(std::move(*own++));
    const bool there = own != rows.end() && own->match == other.match;
    if (!there) {
      out.push_back(std::move(other));
      continue;
    }
    out.push_back(std::move(replaces(other.failed(), own->failed()) ? other : *own));
    ++own;
  }
  std::move(own, rows.end(), std::back_inserter(out));
  return out;
}

std::string computed_text(const std::set<std::string>& computed) {
  return joined(computed, ", and ");
}

Gathered each_shard_match(const Study& study,
                          const std::function<void(std::uint64_t, std::string_view)>& each) {
  std::map<std::uint64_t, std::string> lines;
  auto out = gather(study, [&](std::uint64_t k, std::string_view line) { lines.emplace(k, line); });
  for (const auto& [k, line] : lines) each(k, line);
  return out;
}

}  // namespace polymax::arena
