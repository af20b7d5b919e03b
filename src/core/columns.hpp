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

// Whether the text stands where it is put, on one line: no control characters (those of Unicode
// too), no ends of lines or paragraphs, nothing that turns the direction of what follows.
inline bool is_plain(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t k) -> int {
      return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0;
    };
    if (byte(0) < ' ' || byte(0) == 127) return false;
    if (byte(0) == 0xc2 && byte(1) < 0xa0) return false;   // U+0080 to 009F
    if (byte(0) == 0xd8 && byte(1) == 0x9c) return false;  // U+061C
    if (byte(0) != 0xe2) continue;
    if (byte(1) == 0x80 && byte(2) >= 0xa8 && byte(2) <= 0xae) return false;    // U+2028 to 202E
    if (byte(1) == 0x80 && (byte(2) == 0x8e || byte(2) == 0x8f)) return false;  // U+200E, 200F
    if (byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9) return false;    // U+2066 to 2069
  }
  return true;
}

// The text up to its first end of a line: exceptions of torch have a backtrace below.
inline std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace polymax
