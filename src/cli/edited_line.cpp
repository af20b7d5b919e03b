#include "cli/edited_line.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/columns.hpp"

namespace polymax::cli {

namespace {

using Kind = Key::Kind;

Kind control(char byte) {
  switch (byte) {
    case '\r':
    case '\n':
      return Kind::enter;
    case '\t':
      return Kind::tab;
    case 1:  // Ctrl-A
      return Kind::home;
    case 2:  // Ctrl-B
      return Kind::left;
    case 4:  // Ctrl-D
      return Kind::input_end;
    case 5:  // Ctrl-E
      return Kind::end;
    case 6:  // Ctrl-F
      return Kind::right;
    case 8:  // Ctrl-H
    case 127:
      return Kind::erase;
    case 11:  // Ctrl-K
      return Kind::cut_end;
    case 12:  // Ctrl-L
      return Kind::clear_screen;
    case 14:  // Ctrl-N
      return Kind::after;
    case 16:  // Ctrl-P
      return Kind::before;
    case 21:  // Ctrl-U
      return Kind::cut_begin;
    case 23:  // Ctrl-W
      return Kind::erase_word;
    case 25:  // Ctrl-Y
      return Kind::paste;
    default:
      return Kind::none;
  }
}

// What follows ESC [ or ESC O: parameters and a last letter.
Kind sequence(std::string_view parameters, char last) {
  const bool with_control = parameters.find(';') != std::string_view::npos;
  switch (last) {
    case 'A':
      return Kind::before;
    case 'B':
      return Kind::after;
    case 'C':
      return with_control ? Kind::word_right : Kind::right;
    case 'D':
      return with_control ? Kind::word_left : Kind::left;
    case 'H':
      return Kind::home;
    case 'F':
      return Kind::end;
    case '~':
      if (parameters == "1" || parameters == "7") return Kind::home;
      if (parameters == "4" || parameters == "8") return Kind::end;
      return parameters == "3" ? Kind::erase_next : Kind::none;
    default:
      return Kind::none;
  }
}

Kind with_alt(char byte) {
  switch (byte) {
    case 'b':
      return Kind::word_left;
    case 'f':
      return Kind::word_right;
    case 8:
    case 127:
      return Kind::erase_word;
    default:
      return Kind::none;
  }
}

// Bytes of the character that begins so; 0: none does.
std::size_t length_of(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte < 0x80) return 1;
  if (byte >= 0xc2 && byte < 0xe0) return 2;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  return byte >= 0xf0 && byte < 0xf5 ? 4 : 0;
}

bool is_word(char c) {
  return !begins_character(c) || static_cast<unsigned char>(c) >= 0x80 ||
         std::isalnum(static_cast<unsigned char>(c)) != 0;
}

}  // namespace

std::optional<Key> Keys::next() {
  if (bytes_.empty()) return std::nullopt;
  const char first = bytes_[0];
  if (first == '\x1b') return escape();
  const std::size_t length = length_of(first);
  if ((first >= 0 && first < ' ') || first == 127 || length == 0) {
    bytes_.erase(0, 1);
    return Key{length == 0 ? Kind::none : control(first)};
  }
  const auto end = std::find_if(bytes_.begin() + 1, bytes_.end(), begins_character);
  const auto there = static_cast<std::size_t>(end - bytes_.begin());
  if (there < length && end == bytes_.end()) return std::nullopt;
  std::string text = bytes_.substr(0, std::min(there, length));
  bytes_.erase(0, text.size());
  return text.size() == length ? Key{Kind::text, std::move(text)} : Key{};
}

std::optional<Key> Keys::escape() {
  if (bytes_.size() < 2) return std::nullopt;
  if (bytes_[1] != '[' && bytes_[1] != 'O') {
    const Kind kind = with_alt(bytes_[1]);
    bytes_.erase(0, bytes_[1] == '\x1b' ? 1 : 2);
    return Key{kind};
  }
  const auto last = std::find_if(bytes_.begin() + 2, bytes_.end(),
                                 [](char c) { return c < ' ' || (c >= '@' && c <= '~'); });
  if (last == bytes_.end()) return std::nullopt;
  const auto size = static_cast<std::size_t>(last - bytes_.begin());
  const Kind kind = sequence(std::string_view(bytes_).substr(2, size - 2), *last);
  bytes_.erase(0, size + 1);
  return Key{kind};
}

void Keys::settle() {
  if (bytes_.starts_with('\x1b')) bytes_.clear();
}

std::size_t EditedLine::left_of(std::size_t at) const {
  if (at == 0) return 0;
  do --at;
  while (at > 0 && !begins_character(text_[at]));
  return at;
}

std::size_t EditedLine::right_of(std::size_t at) const {
  if (at == text_.size()) return at;
  do ++at;
  while (at < text_.size() && !begins_character(text_[at]));
  return at;
}

std::size_t EditedLine::word_left() const {
  std::size_t at = cursor_;
  while (at > 0 && !is_word(text_[at - 1])) --at;
  while (at > 0 && is_word(text_[at - 1])) --at;
  return at;
}

std::size_t EditedLine::word_right() const {
  std::size_t at = cursor_;
  while (at < text_.size() && !is_word(text_[at])) ++at;
  while (at < text_.size() && is_word(text_[at])) ++at;
  return at;
}

void EditedLine::erase(std::size_t from, std::size_t to) {
  text_.erase(from, to - from);
  cursor_ = from;
}

void EditedLine::cut(std::size_t from, std::size_t to) {
  if (from == to) return;
  cut_ = text_.substr(from, to - from);
  erase(from, to);
}

void EditedLine::show_history(std::size_t at) {
  if (at > history_.size() || at == shown_) return;
  if (shown_ == history_.size()) now_ = text_;
  shown_ = at;
  text_ = at == history_.size() ? now_ : history_[at];
  cursor_ = text_.size();
}

void EditedLine::take(const Key& key) {
  switch (key.kind) {
    case Kind::text:
      text_.insert(cursor_, key.text);
      cursor_ += key.text.size();
      break;
    case Kind::paste:
      text_.insert(cursor_, cut_);
      cursor_ += cut_.size();
      break;
    case Kind::left:
      cursor_ = left_of(cursor_);
      break;
    case Kind::right:
      cursor_ = right_of(cursor_);
      break;
    case Kind::word_left:
      cursor_ = word_left();
      break;
    case Kind::word_right:
      cursor_ = word_right();
      break;
    case Kind::home:
      cursor_ = 0;
      break;
    case Kind::end:
      cursor_ = text_.size();
      break;
    case Kind::before:
      if (shown_ > 0) show_history(shown_ - 1);
      break;
    case Kind::after:
      show_history(shown_ + 1);
      break;
    case Kind::erase:
      erase(left_of(cursor_), cursor_);
      break;
    case Kind::erase_next:
    case Kind::input_end:
      erase(cursor_, right_of(cursor_));
      break;
    case Kind::erase_word:
      cut(word_left(), cursor_);
      break;
    case Kind::cut_begin:
      cut(0, cursor_);
      break;
    case Kind::cut_end:
      cut(cursor_, text_.size());
      break;
    case Kind::enter:
    case Kind::tab:
    case Kind::clear_screen:
    case Kind::none:
      break;
  }
}

bool EditedLine::complete(const Completion& completion) {
  const auto& words = completion.words;
  if (words.empty()) return true;
  std::string common = words[0];
  for (const auto& word : words) {
    const auto differ = std::ranges::mismatch(common, word);
    common.erase(differ.in1, common.end());
  }
  const bool more = completion.from + common.size() > cursor_ || words.size() == 1;
  if (more) {
    text_.replace(completion.from, cursor_ - completion.from, common);
    cursor_ = completion.from + common.size();
  }
  return more;
}

std::string EditedLine::finish() {
  if (text_.find_first_not_of(" \t") != std::string::npos &&
      (history_.empty() || history_.back() != text_))
    history_.push_back(text_);
  shown_ = history_.size();
  cursor_ = 0;
  now_.clear();
  return std::exchange(text_, "");
}

EditedLine::View EditedLine::view(std::size_t columns) const {
  std::size_t begin = 0;
  while (columns_of(std::string_view(text_).substr(begin, cursor_ - begin)) >= columns)
    begin = right_of(begin);
  std::size_t end = begin;
  for (std::size_t n = 0; n < columns && end < text_.size(); ++n) end = right_of(end);
  return {text_.substr(begin, end - begin),
          columns_of(std::string_view(text_).substr(begin, cursor_ - begin))};
}

}  // namespace polymax::cli
