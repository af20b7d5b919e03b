// What the checks of both protocols share: steps, and an engine that is asked line by line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "protocol/check.hpp"
#include "protocol/words.hpp"

namespace polymax::protocol {

struct Mismatch {
  std::string expected, got;
};

inline void demand(bool right, const std::string& expected, const std::string& got) {
  if (!right) throw Mismatch{expected, "'" + shown(got) + "'"};
}

struct CheckStep {
  std::string name, expected;  // expected: said when the engine breaks off
  std::function<void()> run;
};

inline bool run_steps(const std::vector<CheckStep>& steps, const CheckReport& report) {
  for (const auto& step : steps) {
    report.begins(step.name);
    CheckedStep said{step.name, true, step.expected, ""};
    try {
      step.run();
    } catch (const Mismatch& wrong) {
      said = {step.name, false, wrong.expected, wrong.got};
    } catch (const std::exception& error) {
      said = {step.name, false, step.expected, error.what()};
    }
    report.ended(said);
    if (!said.passed) return false;
  }
  return true;
}

bool check_ugi(const AnyGame& game, Dialogue& with, const TalkLimits& limits,
               const CheckReport& report);
bool check_gtp(const AnyGame& game, Dialogue& with, const TalkLimits& limits,
               const CheckReport& report);

}  // namespace polymax::protocol
