#include "cli/signals.hpp"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <ctime>

#include "cli/terminal.hpp"
#include "core/thread.hpp"

namespace polymax::cli {

namespace {

// timeout(1) and some shells send a signal to the process and again to its group.
constexpr auto kOnePress = std::chrono::milliseconds(500);

// As nohup(1) leaves it to us: one that is waited for would come all the same.
bool is_ignored(int signal) {
  struct sigaction now {};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

sigset_t our_signals() {
  sigset_t out;
  sigemptyset(&out);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaddset(&out, signal);
  if (!is_ignored(SIGHUP)) sigaddset(&out, SIGHUP);
  return out;
}

}  // namespace

StopOnSignal::StopOnSignal() {
  const sigset_t set = our_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  waiter_ = start_thread([this](const std::stop_token& over) { wait(over); });
}

StopOnSignal::~StopOnSignal() {
  waiter_.request_stop();
  pthread_kill(waiter_.native_handle(), SIGUSR1);  // it need not wait for its moment to pass
  waiter_.join();
  const sigset_t set = our_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

const char* StopOnSignal::signal_name() const {
  switch (signal_.load()) {
    case 0:
      return nullptr;
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP";
    default:
      return "SIGUSR1";
  }
}

void StopOnSignal::wait(const std::stop_token& over) {
  using Clock = std::chrono::steady_clock;
  const sigset_t set = our_signals();
  Clock::time_point asked;
  while (!over.stop_requested()) {
    const timespec moment{0, 50'000'000};
    const int signal = sigtimedwait(&set, nullptr, &moment);
    if (signal <= 0 || over.stop_requested()) continue;
    int none = 0;
    if (signal_.compare_exchange_strong(none, signal)) {
      asked = Clock::now();
      stop_.request_stop();
    } else if (signal == SIGINT && Clock::now() - asked > kOnePress) {
      give_terminal_back();
      ::_exit(kUnfinished);
    }
  }
}

}  // namespace polymax::cli
