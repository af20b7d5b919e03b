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

// True when every step passed; the first that fails is the last.
bool check_engine(const AnyGame& game, const std::string& cmd, Language language,
                  const TalkLimits& limits, const std::function<void(const CheckedStep&)>& report);

}  // namespace polymax::protocol
