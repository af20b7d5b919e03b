// A program that we talk to by lines: started by the shell in a process group of its own, ended
// with everything it has started, never waited for without a limit. A guard in that group ends it
// when we are gone without having done so (SIGKILL). Linux and other POSIX systems.
#pragma once

#include <sys/types.h>

#include <optional>
#include <stop_token>
#include <string>

#include "core/deadline.hpp"

namespace polymax::protocol {

class Child {
 public:
  // cmd is what a shell would take. What it writes to its standard error goes to the end of the
  // file `log` (1 MiB of it; nowhere when empty). Throws Error (failed) when no process can be
  // made.
  // variable: NAME=VALUE, one more of its environment.
  Child(std::string cmd, std::string log, std::string variable = "");
  ~Child();  // end(0)
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  enum class Got { line, late, ended, flood, stopped };
  struct Answer {
    Got got = Got::ended;
    std::string line;
  };

  // The next line, without its end. `flood`: a line of more than 1 MiB, or more than 64 MiB since
  // the last call of calm().
  Answer read(Clock::time_point until, const std::stop_token& stop = {});
  void calm() { since_calm_ = 0; }

  // False when the program is gone or does not read.
  bool write(const std::string& line, Clock::time_point until);

  bool alive() const;
  // Closes its input, waits so long for it to go, then kills the whole group and takes its status.
  void end(double patience_seconds);
  // "exit code 3", "exit code 139 (signal 11, Segmentation fault)", "killed by us": after end().
  std::string how_it_ended() const;
  std::string last_error_line() const;  // of its standard error
  pid_t pid() const { return pid_; }

 private:
  void start();
  bool pump(int wait_ms);  // reads what is there; false at the end of its output
  bool pump_rest();
  void keep_errors(const char* bytes, std::size_t count);
  bool gone() const;
  void end_group();
  void close_all();

  std::string cmd_, log_, variable_;
  pid_t pid_ = -1, group_ = -1;  // the shell that became the program | its guard
  int in_ = -1, out_ = -1, err_ = -1, log_file_ = -1;
  int life_ = -1;  // all the guard knows of us
  std::string read_, errors_;
  std::size_t since_calm_ = 0, logged_ = 0;
  bool ended_ = false, killed_ = false;  // its output has ended | end() had to kill it
  int status_ = 0;
};

}  // namespace polymax::protocol
