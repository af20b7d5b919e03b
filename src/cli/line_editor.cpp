#include "cli/line_editor.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cli/typed_move.hpp"

namespace polymax::cli {

namespace {

bool can_edit() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1 && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

void write_out(const std::string& text) {
  fmt::print("{}", text);
  std::fflush(stdout);
}

}  // namespace

LineEditor::LineEditor(bool plain) : plain_(plain), edits_(!plain && can_edit()) {
  if (edits_) single_.emplace();
}

std::optional<std::string> LineEditor::next(const Prompt& prompt, const Complete& complete,
                                            const std::stop_token& stop) {
  if (edits_) return edited(prompt, complete, stop);
  if (!plain_) write_out(prompt.text);
  return lines_.next(stop);
}

bool LineEditor::ask(const std::string& question, const std::stop_token& stop) {
  const auto answer = next({question, question.size()}, {}, stop);
  return answer && (*answer == "y" || *answer == "yes");
}

void LineEditor::draw(const Prompt& prompt) const {
  const std::size_t width = terminal_width();
  const auto view =
      line_.view(std::max<std::size_t>(width - std::min(width, prompt.columns), 8) - 1);
  write_out(
      fmt::format("\r{}{}\x1b[K\r\x1b[{}C", prompt.text, view.text, prompt.columns + view.column));
}

void LineEditor::offer(const Completion& completion) const {
  constexpr std::size_t kMost = 200;
  write_out(completion.words.size() > kMost
                ? fmt::format("\n{} ways to go on\n", completion.words.size())
                : "\n" + in_columns(completion.words, terminal_width()));
}

std::optional<Key> LineEditor::next_key() {
  constexpr int kMilliseconds = 50;
  if (auto key = keys_.next()) return key;
  if (ended_) return std::nullopt;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (::poll(&input, 1, kMilliseconds) <= 0) {
    keys_.settle();
    return Key{};
  }
  char buffer[256];
  const ssize_t n = ::read(STDIN_FILENO, buffer, sizeof buffer);
  if (n > 0)
    keys_.add({buffer, static_cast<std::size_t>(n)});
  else if (n == 0 || errno != EINTR)
    ended_ = true;
  return Key{};
}

std::optional<std::string> LineEditor::edited(const Prompt& prompt, const Complete& complete,
                                              const std::stop_token& stop) {
  single_->again();
  draw(prompt);
  std::size_t width = terminal_width();
  while (!stop.stop_requested()) {
    const auto key = next_key();
    if (!key || (key->kind == Key::Kind::input_end && line_.text().empty())) break;
    switch (key->kind) {
      case Key::Kind::enter: {
        line_.take({Key::Kind::end});
        draw(prompt);
        write_out("\n");
        return line_.finish();
      }
      case Key::Kind::tab: {
        const auto found = complete ? complete(line_.before_cursor()) : Completion{};
        if (!line_.complete(found)) offer(found);
        break;
      }
      case Key::Kind::clear_screen:
        write_out("\x1b[H\x1b[2J");
        break;
      case Key::Kind::none:
        if (!single_->again() && width == terminal_width()) continue;
        width = terminal_width();
        break;
      default:
        line_.take(*key);
    }
    draw(prompt);
  }
  write_out("\n");
  return std::nullopt;
}

}  // namespace polymax::cli
