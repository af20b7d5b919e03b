// A study's matches in one SQLite file, DIR/study.sqlite: every match once, with its whole record
// and columns to ask for. Merging again adds what is new and changes nothing else. polymax is built
// without SQLite where it was not found; then merge says so, and reports read the shards.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "arena/study.hpp"
#include "arena/study_rows.hpp"

namespace polymax::arena {

bool store_available();

std::string store_file(const std::string& folder);

struct Merged {
  std::uint64_t added = 0, total = 0;
  std::size_t files = 0;
  std::vector<std::uint64_t> differing;  // as in Gathered
};

// Adds the matches of all shards. Throws Error when the file belongs to another study (with the
// differences), cannot be written, or SQLite is not built in; the file is then as before.
Merged merge_shards(const Study& study);

// each(k, line) for every match of the file, by k. Throws Error when there is no file or it is of
// another study.
void read_store(const Study& study,
                const std::function<void(std::uint64_t, std::string_view)>& each);

// The table with a row for every match: from the SQLite file after merging, or from the shards
// without SQLite.
StudyTable load_table(const Study& study);

// each(k, line) for every match, by k, from wherever load_table reads.
void each_match(const Study& study,
                const std::function<void(std::uint64_t, std::string_view)>& each);

}  // namespace polymax::arena
