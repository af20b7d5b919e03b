// Numbers in texts: those of others read, our own written.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
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

// The shortest decimals that read back as the same number.
template <std::floating_point T>
std::string shortest_text(T value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

// With at most so many digits that count.
template <std::floating_point T>
std::string short_text(T value, int digits) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::general, digits)
                       .ptr;
  return {buffer.data(), end};
}

// 16 digits.
inline std::string hex_text(std::uint64_t value) {
  std::string out(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) out[i] = "0123456789abcdef"[value & 15];
  return out;
}

}  // namespace polymax
