// A program at a terminal of ours: keys are typed, the screen is read.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <utility>

namespace polymax {

class PseudoTerminal {
 public:
  // command: for a shell, which it replaces.
  explicit PseudoTerminal(const std::string& command, unsigned short columns = 80) {
    winsize size{40, columns, 0, 0};
    pid_ = ::forkpty(&file_, nullptr, nullptr, &size);
    if (pid_ != 0) {
      ::fcntl(file_, F_SETFD, FD_CLOEXEC);  // or the next program would hold it open
      return;
    }
    ::setenv("TERM", "xterm", 1);
    ::unsetenv("NO_COLOR");
    ::execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ~PseudoTerminal() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(file_);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  void type(const std::string& keys) {
    if (::write(file_, keys.data(), keys.size()) < 0) std::abort();
  }

  void signal(int number) const { ::kill(pid_, number); }

  // The window is closed; returns when the program has ended.
  void hang_up() {
    ::close(std::exchange(file_, -1));
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

  // Reads on until the text stands behind what was asked for last; false: the program ended, or
  // nothing came for minutes.
  bool shows(const std::string& text) {
    for (;;) {
      if (const auto at = screen_.find(text, seen_); at != std::string::npos) {
        seen_ = at + text.size();
        return true;
      }
      if (!read_more()) return false;
    }
  }

  // After its end.
  int exit_code() {
    while (read_more()) {
    }
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  const std::string& screen() const { return screen_; }

 private:
  bool read_more() {
    constexpr int kMinutes = 3 * 60'000;
    pollfd ready{file_, POLLIN, 0};
    if (::poll(&ready, 1, kMinutes) <= 0) return false;
    char buffer[4096];
    const ssize_t n = ::read(file_, buffer, sizeof buffer);
    if (n <= 0) return false;
    screen_.append(buffer, static_cast<std::size_t>(n));
    return true;
  }

  int file_ = -1;
  pid_t pid_ = -1;
  std::string screen_;
  std::size_t seen_ = 0;
};

}  // namespace polymax
