// A match of a study as a line of a shard, and back. What a clock decided is the last member,
// "time", so that the rest is the same for everybody who plays match k with counted budgets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "arena/match.hpp"
#include "arena/study.hpp"
#include "arena/study_rows.hpp"

namespace polymax::arena {

// Members of the object, for ShardWriter::append. at: seconds since 1970 when the match ended.
std::string study_line(const Study& study, std::uint64_t k, const MatchRecord& record, double at);

// The line up to its time.
std::string_view without_time(std::string_view line);

// Whether the match of the line failed.
bool is_failed_line(std::string_view line);

// When the match of the line ended; 0 when the line does not say.
double end_time(std::string_view line);

// The whole record with game, start and players, from a line or from its members in braces. Throws
// Error.
MatchRecord study_record(const Study& study, std::uint64_t k, std::string_view line);

// Gives a row what its match has from the schedule.
void place(StudyRow& row, const ScheduledMatch& match);

StudyRow study_row(const Study& study, std::uint64_t k, const MatchRecord& record);

}  // namespace polymax::arena
