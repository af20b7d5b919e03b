// Text on a grid of columns, one for each character of UTF-8.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace polymax {

inline bool begins_character(char byte) {
  return (byte & 0xc0) != 0x80;
}

inline std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

// The text, or as much of its beginning as fits with an ellipsis.
inline std::string cut_to(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  std::size_t end = 0, seen = 0;
  for (; end < text.size(); ++end)
    if (begins_character(text[end]) && ++seen == columns) break;
  return columns == 0 ? "" : std::string(text.substr(0, end)) + "…";
}

// The text with a space for every control character: for errors that quote what they read.
inline std::string one_line(std::string text) {
  const auto control = [](char c) { return (c >= 0 && c < ' ') || c == 127; };
  std::replace_if(text.begin(), text.end(), control, ' ');
  return text;
}

// The text up to its first end of a line: exceptions of torch have a backtrace below.
inline std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace polymax
