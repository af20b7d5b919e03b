#include "arena/gather.hpp"

#include <algorithm>
#include <map>

#include "arena/checksum.hpp"
#include "arena/study_lines.hpp"

namespace polymax::arena {

namespace {

// The part of a line that must be the same whoever played it: without checksum and time.
std::uint64_t content_of(std::string_view line) {
  return checksum(without_time(line.substr(line.find(',') + 1)));
}

}  // namespace

Gathered gather(const Study& study,
                const std::function<void(std::uint64_t, std::string_view)>& each) {
  Gathered out;
  const std::uint64_t planned = study.schedule().size();
  out.done.resize(planned);
  std::vector<std::uint64_t> contents(study.timed() ? 0 : planned);
  for (const auto& path : shard_files(study.folder())) {
    ++out.files;
    const auto scan = scan_shard(path, [&](std::uint64_t k, std::string_view line) {
      if (k >= planned) return;  // of another study: said below
      const std::uint64_t content = study.timed() ? 0 : content_of(line);
      if (out.done[k]) {
        ++out.twice;
        if (!study.timed() && contents[k] != content) out.differing.push_back(k);
        return;
      }
      out.done[k] = true;
      ++out.matches;
      if (!study.timed()) contents[k] = content;
      const double at = end_time(line);
      out.first = out.first == 0 ? at : std::min(out.first, at);
      out.last = std::max(out.last, at);
      if (each) each(k, line);
    });
    check_shard(scan, path, study.identity());
  }
  return out;
}

void each_shard_match(const Study& study,
                      const std::function<void(std::uint64_t, std::string_view)>& each) {
  std::map<std::uint64_t, std::string> lines;
  gather(study, [&](std::uint64_t k, std::string_view line) { lines.emplace(k, line); });
  for (const auto& [k, line] : lines) each(k, line);
}

}  // namespace polymax::arena
