// All shards of a study together, and its published results: each match once, whatever processes
// played it.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "arena/shard.hpp"
#include "arena/study.hpp"
#include "arena/study_rows.hpp"

namespace polymax::arena {

struct Gathered {
  std::size_t files = 0;
  std::uint64_t matches = 0, twice = 0;  // twice: lines of matches that another line has already
  // Matches that two processes played differently though budgets are counted.
  std::vector<std::uint64_t> differing;
  std::vector<bool> done;          // by k
  std::set<std::uint64_t> failed;  // of these, the matches that nobody has played to an end
  std::set<std::string> computed;  // what computed the values of networks, as the shards say
  // Matches of the published results that no shard has, or has as a failed one only; by k.
  std::vector<StudyRow> published;
  double first = 0, last = 0;  // when matches ended, in seconds since 1970; 0: none
};

// Whether another result of a match counts instead of the one before: of two the first counts, but
// one that failed only where no other did not.
constexpr bool replaces(bool failed, bool failed_before) {
  return failed_before && !failed;
}

// Rows by k, and published ones by k: each match once, by this rule.
std::vector<StudyRow> merged_rows(std::vector<StudyRow> rows, std::vector<StudyRow> published);

// each(k, line): once for every match of a shard that counts, shard by shard, failed ones at the
// end; those of `published` come after the shards. Throws Error for broken lines and shards of
// another study.
Gathered gather(const Study& study,
                const std::function<void(std::uint64_t, std::string_view)>& each = {});

// For people: "cpu avx2, and cpu amx".
std::string computed_text(const std::set<std::string>& computed);

// each(k, line) as above, by k.
Gathered each_shard_match(const Study& study,
                          const std::function<void(std::uint64_t, std::string_view)>& each);

}  // namespace polymax::arena
