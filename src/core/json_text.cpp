#include "core/json_text.hpp"

#include <cmath>
#include <cstddef>

namespace polymax {

namespace {

// Bytes of the well-formed UTF-8 character at the beginning of the text; 0 when there is none.
std::size_t character_bytes(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return i < text.size() && at(i) >= low && at(i) <= high;
  };
  const unsigned first = at(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool second = follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF);
    return second && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool second = follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

void add_control(std::string& out, char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(c);
  out += "\\u00";
  out += kDigits[code >> 4];
  out += kDigits[code & 15];
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    const char c = text[0];
    if (bytes == 0)
      out += "\xEF\xBF\xBD";
    else if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (bytes == 1 && (c < ' ' || c == 127))
      add_control(out, c);
    else
      out += text.substr(0, bytes);
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return out + '"';
}

template <std::floating_point T>
std::string number_text(T value) {
  if (!std::isfinite(value)) return "null";
  std::string out = shortest_text(value);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";  // still a real number
  return out;
}

}  // namespace

JsonValue::JsonValue(double value) : text_(number_text(value)) {}
JsonValue::JsonValue(float value) : text_(number_text(value)) {}

JsonValue::JsonValue(std::string_view text) : text_(quoted(text)) {}

JsonObject& JsonObject::add(std::string_view key, const JsonValue& value) {
  members_ += (members_.empty() ? "" : ",") + quoted(key) + ":" + value.text();
  return *this;
}

}  // namespace polymax
