// A study's matches in one SQLite file, DIR/study.sqlite: every match once, with its whole record
// and columns to ask for. Merging again adds what is new and changes nothing else. polymax is built
// without SQLite where it was not found; then merge says so, and reports read the shards.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
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
  std::set<std::string> computed;        // as in Gathered
};

// Adds the matches of all shards. Throws Error when the file belongs to another study (with the
// differences), cannot be written, or SQLite is not built in; the file is then as before.
Merged merge_shards(const Study& study);

// each(k, line) for every match of the file, by k. Throws Error when there is no file or it is of
// another study.
void read_store(const Study& study,
                const std::function<void(std::uint64_t, std::string_view)>& each);

// each(k, line) for every match, by k: from the SQLite file after merging; from the shards without
// SQLite, or where the study's folder may not be written. What computed the values of networks, as
// the shards say.
std::set<std::string> each_match(const Study& study,
                                 const std::function<void(std::uint64_t, std::string_view)>& each);

// The table with a row for every match, from there. keep(row, record): may look at the match and
// say in the row where its record lies; every line is read once.
using KeepRecord = std::function<void(StudyRow&, const MatchRecord&)>;
StudyTable load_table(const Study& study, const KeepRecord& keep = {});

// The same from the shards alone, as a study that runs has them.
StudyTable shard_table(const Study& study);

}  // namespace polymax::arena
