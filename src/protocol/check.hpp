// Walks an engine through its protocol, one demand after the other: for authors of engines.
#pragma once

#include <functional>
#include <string>

#include "catalog/any.hpp"
#include "protocol/talk.hpp"

namespace polymax::protocol {

struct CheckedStep {
  std::string name;
  bool passed = false;
  std::string expected, got;  // of the step that failed
};

struct CheckReport {
  std::function<void(const std::string& step)> begins;  // it may take until its time is over
  std::function<void(const CheckedStep&)> ended;
};

// True when every step passed; the first that fails is the last.
bool check_engine(const AnyGame& game, const std::string& cmd, Language language,
                  const TalkLimits& limits, const CheckReport& report);

}  // namespace polymax::protocol
