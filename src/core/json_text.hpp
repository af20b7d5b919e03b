// JSON written in order: what `--json` prints. A value is its text; nothing is read or changed.
//   JsonObject out{{"game", game.spec()}, {"seats", 4}, {"score", std::vector<double>{1, 0}}};
//   out.add("note", nullptr);
//   fmt::print("{}\n", out.text());
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/number.hpp"

namespace polymax {

class JsonObject;

class JsonValue {
 public:
  JsonValue(std::nullptr_t) : text_("null") {}
  JsonValue(bool value) : text_(value ? "true" : "false") {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) JsonValue(T value) : text_(std::to_string(value)) {}
  JsonValue(double value);  // null when it is not finite
  JsonValue(float value);   // with as few digits as tell it from other floats
  JsonValue(const char* text) : JsonValue(std::string_view(text)) {}
  JsonValue(const std::string& text) : JsonValue(std::string_view(text)) {}
  JsonValue(std::string_view text);  // bytes that are no UTF-8 become U+FFFD
  JsonValue(const JsonObject& object);
  template <std::ranges::input_range R>
  requires(!std::convertible_to<R, std::string_view>) JsonValue(const R& values) : text_("[") {
    for (const auto& value : values)
      text_ += (text_.size() == 1 ? "" : ",") + JsonValue(value).text();
    text_ += "]";
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class JsonObject {
 public:
  JsonObject() = default;
  JsonObject(std::initializer_list<std::pair<std::string_view, JsonValue>> members) {
    for (const auto& [key, value] : members) add(key, value);
  }

  // A key stands once: the caller sees to that.
  JsonObject& add(std::string_view key, const JsonValue& value);

  std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

// A number that every reader keeps: as text where a double would lose it (2^53 and more).
inline JsonValue exact_json(std::uint64_t value) {
  if (value < std::uint64_t{1} << 53) return value;
  return std::to_string(value);
}

// The same for values of a library (nlohmann's), and back.
template <class Json>
Json exact_number(std::uint64_t value) {
  if (value < std::uint64_t{1} << 53) return value;
  return std::to_string(value);
}

// Throws Error with the key.
template <class Json>
std::uint64_t read_exact(const Json& json, const std::string& key) {
  if (json.is_number_unsigned()) return json.template get<std::uint64_t>();
  const auto out =
      number_of<std::uint64_t>(json.is_string() ? json.template get<std::string>() : "");
  if (!out) throw Error("'" + key + "' is no whole number of 64 bits");
  return *out;
}

inline JsonValue::JsonValue(const JsonObject& object) : text_(object.text()) {}

}  // namespace polymax
