// Numbers in texts of others.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace polymax {

// The whole text as a number; nothing when it is another thing or does not fit.
template <class T>
std::optional<T> number_of(std::string_view text) {
  T out{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  if (error != std::errc{} || stop != end || text.empty()) return std::nullopt;
  return out;
}

}  // namespace polymax
