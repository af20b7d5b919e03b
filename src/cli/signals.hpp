// SIGINT, SIGTERM, SIGUSR1 and SIGHUP as a stop token: long work ends cleanly, what is done is
// kept, and the exit code tells a script that there is more to do. A SIGHUP that is ignored when
// the program starts (nohup) stays ignored.
#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace polymax::cli {

// Exit code after a signal (EX_TEMPFAIL).
inline constexpr int kUnfinished = 75;

// Made before any other thread. The first signal asks for the stop. A second Ctrl-C, half a
// second later or more, ends the process at once; SIGTERM, SIGUSR1 and SIGHUP do not, since a batch
// system may well send both, or one to every process and one by way of the job's script.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  const char* signal_name() const;  // null: none came

 private:
  void wait(const std::stop_token& over);

  std::stop_source stop_;
  std::atomic<int> signal_ = 0;
  std::jthread waiter_;
};

}  // namespace polymax::cli
