// The records that a study's report links.
#pragma once

#include "arena/study.hpp"
#include "arena/study_rows.hpp"

namespace polymax::report {

// The study's table. Rows of the first networks, of every game, player and seat, and all that
// failed or were forfeited get their record to follow: a page with boards, and SGF, in
// DIR/report/records, which is made.
arena::StudyTable table_with_records(const arena::Study& study);

}  // namespace polymax::report
