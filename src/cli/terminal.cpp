#include "cli/terminal.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "core/columns.hpp"
#include "core/error.hpp"

namespace polymax::cli {

void tell(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

std::string short_line(std::string message) {
  constexpr std::size_t kLongest = 400;
  if (message.size() > kLongest) message = message.substr(0, kLongest) + "...";
  return one_line(std::move(message));
}

std::optional<std::string> Lines::next(const std::stop_token& stop) {
  constexpr int kMilliseconds = 50;
  for (;;) {
    if (const auto end = rest_.find('\n'); end != std::string::npos) {
      std::string line = rest_.substr(0, end);
      rest_.erase(0, end + 1);
      return line;
    }
    if (ended_ && !rest_.empty()) return std::exchange(rest_, "");
    if (ended_ || stop.stop_requested()) return std::nullopt;
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, kMilliseconds) == 0) continue;
    char buffer[4096];
    const ssize_t n = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (n > 0)
      rest_.append(buffer, static_cast<std::size_t>(n));
    else if (n == 0 || errno != EINTR)
      ended_ = true;
  }
}

namespace {

termios before_single_keys, with_single_keys;
std::atomic<bool> single_keys = false;

}  // namespace

SingleKeys::SingleKeys() {
  if (::tcgetattr(STDIN_FILENO, &before_single_keys) != 0) return;
  with_single_keys = before_single_keys;
  with_single_keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | IEXTEN);
  with_single_keys.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL);
  with_single_keys.c_cc[VMIN] = 1;
  with_single_keys.c_cc[VTIME] = 0;
  single_keys = ::tcsetattr(STDIN_FILENO, TCSADRAIN, &with_single_keys) == 0;
}

SingleKeys::~SingleKeys() {
  give_terminal_back();
}

bool SingleKeys::again() const {
  termios now{};
  if (!single_keys || ::tcgetattr(STDIN_FILENO, &now) != 0 ||
      now.c_lflag == with_single_keys.c_lflag)
    return false;
  return ::tcsetattr(STDIN_FILENO, TCSADRAIN, &with_single_keys) == 0;
}

void give_terminal_back() {
  if (single_keys.exchange(false)) ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before_single_keys);
}

void StdoutLines::operator()(const std::string& line) {
  if (failed_) return;
  failed_ = std::fwrite(line.data(), 1, line.size(), stdout) != line.size() ||
            std::fputc('\n', stdout) == EOF || std::fflush(stdout) != 0;
}

void StdoutLines::check() const {
  if (failed_) throw Error("cannot write to standard output", Error::Kind::failed);
}

namespace {

std::size_t width_of(int file) {
  winsize size{};
  if (::ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

constexpr const char* kBegin = "\r\x1b[K";

}  // namespace

std::size_t terminal_width() {
  return width_of(STDOUT_FILENO);
}

std::size_t status_width() {
  return width_of(STDERR_FILENO);
}

bool status_is_seen() {
  return ::isatty(STDERR_FILENO) == 1;
}

std::string line_of(std::span<const std::string> parts, std::size_t columns) {
  std::string out;
  for (const auto& part : parts) {
    if (part.empty()) continue;
    const std::string longer = out.empty() ? part : out + ", " + part;
    if (!out.empty() && columns_of(longer) > columns) break;
    out = longer;
  }
  return cut_to(out, columns);
}

bool StatusLine::due() {
  const auto now = std::chrono::steady_clock::now();
  const auto pause = std::chrono::milliseconds(status_is_seen() ? 500 : 30'000);
  if (last_ && now - *last_ < pause) return false;
  last_ = now;
  return true;
}

void StatusLine::show(std::span<const std::string> parts) {
  const bool seen = status_is_seen();
  const std::string line = line_of(parts, status_width() - 1);  // the last column would wrap
  tell(fmt::format("{}{}{}", seen ? kBegin : "", line, seen ? "" : "\n"));
  std::fflush(stderr);
}

void StatusLine::clear() {
  if (status_is_seen()) tell(fmt::format("{}", kBegin));
}

Colours wanted_colours() {
  const char* terminal = std::getenv("TERM");
  const bool wanted = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr &&
                      terminal != nullptr && std::string(terminal) != "dumb";
  return wanted ? Colours::terminal : Colours::none;
}

}  // namespace polymax::cli
