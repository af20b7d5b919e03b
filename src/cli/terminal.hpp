// The person at the keyboard: lines that a signal may interrupt, and what the terminal can show.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>

namespace polymax::cli {

// Lines of standard input.
class Lines {
 public:
  // Nothing when the input has ended or a stop was asked for.
  std::optional<std::string> next(const std::stop_token& stop);

 private:
  std::string rest_;  // read and not yet given
  bool ended_ = false;
};

// Columns of the terminal on standard output; 80 where there is none.
std::size_t terminal_width();

// Whether standard output is a terminal that wants colour (NO_COLOR and TERM=dumb are respected).
bool colour_wanted();

}  // namespace polymax::cli
