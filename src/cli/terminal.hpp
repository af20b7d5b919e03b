// The person at the keyboard: lines that a signal may interrupt, what the terminal can show, and a
// line that tells how far a job is.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "report/board_text.hpp"

namespace polymax::cli {

// Writes to standard error. One that is full or closed stops nothing.
void tell(std::string_view text);

// A message for people: no control characters, not endless.
std::string short_line(std::string message);

// Lines of standard input.
class Lines {
 public:
  // Nothing when the input has ended or a stop was asked for.
  std::optional<std::string> next(const std::stop_token& stop);

 private:
  std::string rest_;  // read and not yet given
  bool ended_ = false;
};

// The terminal gives single keys and echoes none, until the end; signals stay what they are. One at
// a time.
class SingleKeys {
 public:
  SingleKeys();
  ~SingleKeys();
  SingleKeys(const SingleKeys&) = delete;
  SingleKeys& operator=(const SingleKeys&) = delete;

  // Sets the terminal again when somebody else has, as a shell does that stopped us and lets us go
  // on. Whether that was so.
  bool again() const;
};

// The terminal as it was before SingleKeys, for those who end the program at once.
void give_terminal_back();

// Lines for another program that waits for them: each is out at once. One thread at a time writes;
// any may ask whether that failed.
class StdoutLines {
 public:
  void operator()(const std::string& line);
  bool failed() const { return failed_; }
  void check() const;  // throws Error when it failed

 private:
  std::atomic<bool> failed_ = false;
};

// Columns of the terminal on standard output; 80 where there is none.
std::size_t terminal_width();

// What a long job says of itself on standard error: a line that is written over where somebody
// looks, else a new one now and then. It fits into the columns of the terminal, or into 80.
class StatusLine {
 public:
  bool due();  // so much time has passed that the line should change

  // Parts are joined by commas; the last ones are left out where they do not fit.
  void show(std::span<const std::string> parts);
  void clear();  // before anything else is written

 private:
  std::optional<std::chrono::steady_clock::time_point> last_;
};
bool status_is_seen();  // standard error is a terminal
std::size_t status_width();

// As many parts as fit into the columns, joined by commas; the first one always.
std::string line_of(std::span<const std::string> parts, std::size_t columns);

// Those of a terminal where standard output is one that wants them (NO_COLOR and TERM=dumb are
// respected).
Colours wanted_colours();

}  // namespace polymax::cli
