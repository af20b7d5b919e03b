// Lines of text as both protocols read them: words between blanks, and a line of anybody's text
// that is safe to repeat.
#pragma once

#include <cstddef>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "core/lists.hpp"

namespace polymax::protocol {

// A line longer than this is nobody's command.
inline constexpr std::size_t kLongestLine = 1 << 20;

inline std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> out;
  bool inside = false;
  for (const char c : line) {
    const bool blank = static_cast<unsigned char>(c) <= ' ' || c == 127;
    if (!blank && !inside) out.emplace_back();
    if (!blank) out.back() += c;
    inside = !blank;
  }
  return out;
}

inline std::string joined(const std::vector<std::string>& words, std::size_t from = 0,
                          const char* between = " ") {
  return polymax::joined(words | std::views::drop(from), between);
}

// For messages: one printable line, not too long.
inline std::string shown(std::string_view text, std::size_t most = 120) {
  std::string out;
  for (const char c : text.substr(0, most))
    out += static_cast<unsigned char>(c) < ' ' || c == 127 ? '?' : c;
  return text.size() > most ? out + "..." : out;
}

}  // namespace polymax::protocol
