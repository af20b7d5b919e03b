// Lists of texts as one text, and back.
#pragma once

#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polymax {

// The texts with `between` between two of them.
template <std::ranges::input_range Texts>
std::string joined(const Texts& texts, std::string_view between) {
  std::string out;
  bool first = true;
  for (const auto& text : texts) {
    if (!std::exchange(first, false)) out += between;
    out += text;
  }
  return out;
}

// The texts between the separators: one more than there are of these.
inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out(1);
  for (const char c : text)
    if (c == separator)
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

}  // namespace polymax
