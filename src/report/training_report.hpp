// The report of a run of learning: its log and the strength of its networks, as a page, as JSON and
// as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arena/strength.hpp"
#include "learn/run_log.hpp"

namespace polymax::report {

struct TrainingReport {
  learn::TrainingRun run;
  std::vector<arena::StrengthResult> strength;  // everything kept
  std::vector<std::string> notes;               // about strength: what is missing and why
  std::uint64_t nets = 0;                       // earlier ones in the folder
  std::string network = {};  // what learns: "16 channels, 2 blocks"; empty: not known
};

std::string training_html(const TrainingReport& report);
std::string training_json(const TrainingReport& report);  // one line
std::string training_text(const TrainingReport& report);  // a summary for a terminal

}  // namespace polymax::report
