#include "protocol/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "protocol/words.hpp"

extern char** environ;

namespace polymax::protocol {

namespace {

constexpr std::size_t kMostOutput = 64 << 20, kMostLogged = 1 << 20;
constexpr int kSlice = 20;  // milliseconds between two looks at a stop token

[[noreturn]] void fail(const std::string& what, int error) {
  throw Error(what + ": " + std::strerror(error), Error::Kind::failed);
}

struct Pipe {
  std::array<int, 2> ends{-1, -1};  // read, write

  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot make a pipe", errno);
  }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  // The end that we keep.
  int take(std::size_t i) {
    ::fcntl(ends[i], F_SETFL, ::fcntl(ends[i], F_GETFL) | O_NONBLOCK);
    return std::exchange(ends[i], -1);
  }
};

// What a new process begins with: these files (-1: nowhere) and no others, no signal blocked or
// ignored, a process group (0: a new one, of which it is the first).
class Start {
 public:
  Start(int in, int out, int err, pid_t group) {
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawnattr_init(&attributes_);
    for (int to = 0; const int from : {in, out, err}) {
      if (from >= 0)
        ::posix_spawn_file_actions_adddup2(&files_, from, to);
      else
        ::posix_spawn_file_actions_addopen(&files_, to, "/dev/null", O_RDWR, 0);
      ++to;
    }
    ::posix_spawn_file_actions_addclosefrom_np(&files_, 3);
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (const int s : {SIGINT, SIGTERM, SIGPIPE, SIGUSR1, SIGHUP, SIGCHLD}) sigaddset(&usual, s);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &usual);
    ::posix_spawnattr_setpgroup(&attributes_, group);
    ::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~Start() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  pid_t run(const std::string& cmd, std::string variable) {
    std::string shell = "/bin/sh", option = "-c", command = cmd;
    std::array<char*, 4> words{shell.data(), option.data(), command.data(), nullptr};
    std::vector<char*> variables;
    for (char** one = environ; *one != nullptr; ++one) variables.push_back(*one);
    if (!variable.empty()) variables.push_back(variable.data());
    variables.push_back(nullptr);
    pid_t out = -1;
    const int error =
        ::posix_spawn(&out, "/bin/sh", &files_, &attributes_, words.data(), variables.data());
    if (error != 0) fail("cannot start '" + shown(cmd) + "'", error);
    return out;
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

// The first of the engine's group: waits until nobody holds the other end of its input any more,
// that is until we are gone, in whatever way, and takes the group with it. Reading is all it does.
constexpr const char* kGuard = "while read -r _; do :; done; kill -KILL 0";

// A write that answers EPIPE instead of ending us, whatever the process does with SIGPIPE.
ssize_t quiet_write(int file, const char* bytes, std::size_t count) {
  sigset_t pipe, before, pending;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigpending(&pending);
  const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
  const ssize_t out = ::write(file, bytes, count);
  const int error = errno;
  if (out < 0 && error == EPIPE && !was_pending) {
    const timespec now{};
    while (::sigtimedwait(&pipe, nullptr, &now) < 0 && errno == EINTR) {
    }
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return out;
}

void take_status(pid_t& pid, int* status) {
  while (pid > 0 && ::waitpid(pid, status, 0) < 0 && errno == EINTR) {
  }
  pid = -1;
}

}  // namespace

Child::Child(std::string cmd, std::string log, std::string variable)
    : cmd_(std::move(cmd)), log_(std::move(log)), variable_(std::move(variable)) {
  start();
}

Child::~Child() {
  end(0);
}

void Child::start() {
  if (!log_.empty()) {
    log_file_ = ::open(log_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (log_file_ < 0) fail("cannot write the log '" + log_ + "'", errno);
  }
  try {
    Pipe to, from, errors, life;
    group_ = Start(life.ends[0], -1, -1, 0).run(kGuard, "");
    pid_ = Start(to.ends[0], from.ends[1], errors.ends[1], group_).run(cmd_, variable_);
    in_ = to.take(1);
    out_ = from.take(0);
    err_ = errors.take(0);
    life_ = life.take(1);
  } catch (...) {
    end_group();
    close_all();
    throw;
  }
}

void Child::keep_errors(const char* bytes, std::size_t count) {
  errors_.append(bytes, count);
  if (errors_.size() > 4096) errors_.erase(0, errors_.size() - 4096);
  const std::size_t more = std::min(count, kMostLogged - logged_);
  if (log_file_ < 0 || more == 0) return;
  if (::write(log_file_, bytes, more) > 0) logged_ += more;
}

bool Child::pump(int wait_ms) {
  std::array<pollfd, 2> files{{{out_, POLLIN, 0}, {err_, POLLIN, 0}}};
  if (::poll(files.data(), files.size(), wait_ms) <= 0) return !ended_;
  std::array<char, 65536> bytes;
  if (err_ >= 0 && files[1].revents != 0) {
    const ssize_t count = ::read(err_, bytes.data(), bytes.size());
    if (count > 0) keep_errors(bytes.data(), static_cast<std::size_t>(count));
    if (count == 0) ::close(std::exchange(err_, -1));
  }
  if (out_ >= 0 && files[0].revents != 0) {
    const ssize_t count = ::read(out_, bytes.data(), bytes.size());
    if (count > 0) {
      read_.append(bytes.data(), static_cast<std::size_t>(count));
      since_calm_ += static_cast<std::size_t>(count);
    }
    if (count == 0) {
      ::close(std::exchange(out_, -1));
      ended_ = true;
    }
  }
  return !ended_;
}

Child::Answer Child::read(Clock::time_point until, const std::stop_token& stop) {
  for (;;) {
    if (const auto end = read_.find('\n'); end != std::string::npos && end <= kLongestLine) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      if (!line.empty() && line.back() == '\r') line.pop_back();
      return {Got::line, std::move(line)};
    }
    if (read_.size() > kLongestLine || since_calm_ > kMostOutput) return {Got::flood, {}};
    if (ended_) return {Got::ended, {}};
    if (stop.stop_requested()) return {Got::stopped, {}};
    const int wait = milliseconds_until(until, kSlice);
    if (wait == 0) return {Got::late, {}};
    // A program that has gone may have left somebody behind who holds its output open.
    if (pump(wait) && read_.find('\n') == std::string::npos && gone() && !pump_rest())
      ended_ = true;
  }
}

// What is still there of its output; false: nothing.
bool Child::pump_rest() {
  const std::size_t before = read_.size();
  pump(0);
  return read_.size() > before;
}

bool Child::write(const std::string& line, Clock::time_point until) {
  const std::string text = line + "\n";
  for (std::size_t done = 0; done < text.size();) {
    if (in_ < 0) return false;
    const ssize_t count = quiet_write(in_, text.data() + done, text.size() - done);
    if (count > 0) {
      done += static_cast<std::size_t>(count);
      continue;
    }
    if (errno != EAGAIN && errno != EINTR) return false;
    if (Clock::now() >= until) return false;
    pollfd file{in_, POLLOUT, 0};
    ::poll(&file, 1, milliseconds_until(until, 5));
    if (read_.size() <= kLongestLine) pump(0);  // it may wait for us to read
  }
  return true;
}

// Whether it has gone; its status is taken by end(), so that until then its number, and its
// group's, are nobody else's.
bool Child::gone() const {
  siginfo_t about{};
  int got = 0;
  while ((got = ::waitid(P_PID, static_cast<id_t>(pid_), &about, WEXITED | WNOHANG | WNOWAIT)) <
             0 &&
         errno == EINTR) {
  }
  return got < 0 || about.si_pid == pid_;
}

bool Child::alive() const {
  return pid_ > 0 && !ended_ && !gone();
}

void Child::end(double patience_seconds) {
  if (pid_ < 0) return;
  if (in_ >= 0) ::close(std::exchange(in_, -1));
  const auto until = after(patience_seconds);
  while (!gone() && Clock::now() < until) {
    read_.clear();
    pump(milliseconds_until(until, 2));
  }
  killed_ = !gone();
  if (err_ >= 0) pump(0);  // its last words
  end_group();
  close_all();
}

// Nobody of the group is left, nor of one that the program has made for itself. Their numbers are
// ours until their statuses are taken.
void Child::end_group() {
  if (group_ > 0) ::kill(-group_, SIGKILL);
  if (pid_ > 0) {
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
  }
  take_status(pid_, &status_);
  take_status(group_, nullptr);
}

void Child::close_all() {
  for (int* file : {&in_, &out_, &err_, &life_, &log_file_})
    if (*file >= 0) ::close(std::exchange(*file, -1));
}

std::string Child::how_it_ended() const {
  if (pid_ > 0) return "still running";
  if (killed_) return "killed by us";
  const auto named = [](int signal) {
    return "signal " + std::to_string(signal) + ", " + strsignal(signal);
  };
  if (!WIFEXITED(status_)) return named(WTERMSIG(status_));
  const int code = WEXITSTATUS(status_), signal = code - 128;  // the shell's way of saying it
  return "exit code " + std::to_string(code) +
         (signal > 0 && signal < 32 ? " (" + named(signal) + ")" : "");
}

std::string Child::last_error_line() const {
  auto end = errors_.find_last_not_of("\r\n");
  if (end == std::string::npos) return "";
  const auto begin = errors_.find_last_of('\n', end);
  return shown(errors_.substr(begin == std::string::npos ? 0 : begin + 1,
                              end - (begin == std::string::npos ? 0 : begin + 1) + 1));
}

}  // namespace polymax::protocol
