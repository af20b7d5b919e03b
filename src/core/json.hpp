// JSON as a value: read, looked at, changed and written. One class for all that the program writes
// and reads, so that the library that parses (nlohmann-json) is compiled once, in json.cpp.
//   Json out{{"game", game.spec()}, {"seats", 4}, {"score", std::vector<double>{1, 0}}};
//   out["note"] = nullptr;
//   fmt::print("{}\n", out.dump());
// Braces make an object; a list is Json::array({...}) or any range. Members keep their order.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <ranges>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/error.hpp"

namespace polymax {

// A text that is no JSON, or a value of another kind than was wanted.
class JsonError : public Error {
 public:
  explicit JsonError(const std::string& message, std::size_t at_character = 0)
      : Error(message), at(at_character) {}
  std::size_t at;  // of a text that is no JSON: the character, counted from 1
};

class Json {
 public:
  struct Member;
  using List = std::vector<Json>;
  using Members = std::vector<Member>;
  enum class Comments { refused, allowed };
  enum class Twice { last_counts, refused };  // of a key that stands twice in an object

  Json();
  Json(std::nullptr_t);
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  Json(bool value);
  template <std::integral T>
  requires(!std::same_as<T, bool>) Json(T value) : Json(whole(value)) {}
  Json(double value);  // written as null when it is not finite
  Json(float value);   // with as few digits as tell it from other floats
  Json(const char* text);
  Json(std::string text);
  Json(std::string_view text);  // bytes that are no UTF-8 are written as U+FFFD
  Json(std::initializer_list<Member> members);
  template <std::ranges::input_range R>
  requires(!std::convertible_to<R, std::string_view> && !std::same_as<R, Json> &&
           std::constructible_from<Json, std::ranges::range_reference_t<R>>) Json(const R& values)
      : Json(array()) {
    for (const auto& value : values) push_back(Json(value));
  }

  static Json array();
  static Json array(std::initializer_list<Json> values);
  static Json object();

  // The whole text. Throws JsonError where it is no JSON, or nested more than 200 deep.
  static Json parse(std::string_view text, Comments comments = Comments::refused,
                    Twice twice = Twice::last_counts);
  // The same, but null for what is no JSON.
  static Json parse_or_null(std::string_view text);

  bool is_null() const;
  bool is_bool() const;
  bool is_string() const;
  bool is_array() const;
  bool is_object() const;
  bool is_number() const;
  bool is_integer() const;  // a whole number, written without a point
  bool is_count() const;    // one that is not negative

  std::size_t size() const;  // of a list or an object; 0 of anything else
  bool empty() const { return size() == 0; }

  // The value as a T: bool, a number, std::string, or a std::vector of them. Throws JsonError when
  // it is of another kind or does not fit.
  template <class T>
  T get() const;
  template <class T>
  void get_to(T& out) const {
    out = get<T>();
  }

  // Null where this is no object or has no such member.
  const Json* find(std::string_view key) const;
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  const Json& at(std::string_view key) const;  // throws JsonError
  const Json& at(std::size_t i) const;         // throws JsonError
  Json& operator[](std::string_view key);      // adds it when it is missing; null becomes an object
  const Json& operator[](std::string_view key) const { return at(key); }
  template <std::integral I>  // not std::size_t: 0 would be a text too
  const Json& operator[](I i) const {
    return at(static_cast<std::size_t>(i));
  }
  template <std::integral I>
  Json& operator[](I i) {
    at(static_cast<std::size_t>(i));
    return list()[static_cast<std::size_t>(i)];
  }
  // The member as a T. Throws JsonError that names the key.
  template <class T>
  T get(std::string_view key) const {
    const Json& member = at(key);
    try {
      return member.get<T>();
    } catch (const JsonError& error) {
      fail_of(key, error);
    }
  }
  template <class T>
  void get_to(std::string_view key, T& out) const {
    out = get<T>(key);
  }
  // The same, but `otherwise` where there is no such member.
  template <class T>
  T value(std::string_view key, const T& otherwise) const {
    return contains(key) ? get<T>(key) : otherwise;
  }
  std::string value(std::string_view key, const char* otherwise) const {
    return value(key, std::string(otherwise));
  }

  const Members& items() const;  // of an object; none of anything else
  const List& list() const;      // of a list; none of anything else
  List& list();                  // throws JsonError where this is no list
  List::const_iterator begin() const { return list().begin(); }
  List::const_iterator end() const { return list().end(); }

  void push_back(Json value);      // null becomes a list
  void update(const Json& other);  // takes over the members of another object
  void erase(std::string_view key);

  // Members in the order of their keys, at every depth.
  Json sorted() const;

  // On one line; with an indent over several.
  std::string dump(int indent = -1) const;

  // Members in any order.
  friend bool operator==(const Json& a, const Json& b);

 private:
  // A whole number of 64 bits, signed or not.
  struct Whole {
    std::uint64_t size = 0;
    bool negative = false;
    friend bool operator==(const Whole&, const Whole&) = default;
  };
  template <std::integral T>
  static Whole whole(T value) {
    if constexpr (std::signed_integral<T>)
      if (value < 0) return {~static_cast<std::uint64_t>(value) + 1, true};
    return {static_cast<std::uint64_t>(value)};
  }
  explicit Json(Whole value);

  [[noreturn]] static void fail_of(std::string_view key, const JsonError& error);
  bool as_bool() const;
  double as_real() const;
  float as_float() const;
  std::int64_t as_signed(std::int64_t min, std::int64_t max) const;
  std::uint64_t as_count(std::uint64_t max) const;
  const std::string& as_text() const;
  void write(std::string& out, int indent, std::size_t depth) const;

  std::variant<std::nullptr_t, bool, Whole, double, std::string, List, Members> value_;

  friend class JsonBuilder;
};

struct Json::Member {
  std::string key;
  Json value;
};

namespace detail {
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
}  // namespace detail

template <class T>
T Json::get() const {
  if constexpr (std::same_as<T, bool>) {
    return as_bool();
  } else if constexpr (std::same_as<T, float>) {
    return as_float();
  } else if constexpr (std::same_as<T, double>) {
    return as_real();
  } else if constexpr (std::signed_integral<T>) {
    return static_cast<T>(as_signed(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  } else if constexpr (std::unsigned_integral<T>) {
    return static_cast<T>(as_count(std::numeric_limits<T>::max()));
  } else if constexpr (std::same_as<T, std::string>) {
    return as_text();
  } else {
    static_assert(detail::is_vector<T>);
    if (!is_array()) throw JsonError("a list is wanted");
    T out;
    for (const Json& item : list()) out.push_back(item.get<typename T::value_type>());
    return out;
  }
}

// A number that every reader keeps: as text where a double would lose it (2^53 and more).
Json exact_number(std::uint64_t value);
// Throws Error with the key.
std::uint64_t read_exact(const Json& json, const std::string& key);

}  // namespace polymax
