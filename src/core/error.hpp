// The one exception of polymax. Thrown at the edges (specs, files, move text, network); inside,
// assert. The message is one line: what was wrong, where, and what would be right.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

namespace polymax {

class Error : public std::runtime_error {
 public:
  // usage: the caller asked for something wrong, exit code 2; failed: it could not be done, 1.
  enum class Kind { usage, failed };

  explicit Error(const std::string& message, Kind kind = Kind::usage)
      : std::runtime_error(whole(message)), kind_(kind) {}

  Kind kind() const { return kind_; }

 private:
  // what() ends at the first NUL: one that was quoted becomes a space.
  static std::string whole(std::string message) {
    std::replace(message.begin(), message.end(), '\0', ' ');
    return message;
  }

  Kind kind_;
};

}  // namespace polymax
