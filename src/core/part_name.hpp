// One of several processes that share a job, shards of a study or workers of a run: "0/4" ...
// "3/4".
#pragma once

#include <cstdint>
#include <string>

namespace polymax {

struct PartName {
  int index = 0, count = 1;  // 0-based: part 0 of 1 does everything

  bool owns(std::uint64_t k) const {
    return k % static_cast<std::uint64_t>(count) == static_cast<std::uint64_t>(index);
  }
  std::string file_stem() const { return std::to_string(index) + "-of-" + std::to_string(count); }
};

// what: "shard", "worker". Throws Error.
PartName parse_part(const std::string& text, const std::string& what);

}  // namespace polymax
