// Settings: aggregates that list their members by fields(), one line for each: key, help, what may
// be written. The same line serves specs, the command line, lists and Python.
//
//   struct Options {
//     int side = 7;
//     static Fields fields() { return {field("side", &Options::side, "cells of a side", 2, 13)}; }
//   };
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/spec.hpp"

namespace polymax {

// One setting: what it is called, what may be written, and where it lies in its owner.
struct Field {
  enum class Kind : std::uint8_t {
    integer,   // int, from min to max in steps
    count,     // std::uint64_t: seeds, numbers of matches
    real,      // double
    on_off,    // bool
    choice,    // an enumeration; names in the order of the enumerators, which count from 0
    text,      // std::string
    texts,     // std::vector<std::string>, joined by a separator
    integers,  // std::vector<int>, joined by commas, each from min to max
    spec       // Spec
  };

  std::string_view key, help;
  Kind kind{};
  std::size_t offset = 0;  // of the member, in bytes from the beginning of its owner
  int min = 0, max = 0, step = 1;
  std::uint64_t least = 0, most = 0;  // of a count
  double low = 0, high = 0;           // of a real
  std::vector<std::string_view> names{};
  std::string_view wanted{};                  // text, spec: what is allowed, in words
  bool (*valid)(std::string_view) = nullptr;  // of a text; null: everything is
  char separator = ',';
};

using Fields = std::vector<Field>;

namespace detail {

template <class O, class T>
Field member(Field::Kind kind, std::string_view key, T O::*m, std::string_view help) {
  static const O owner{};
  Field out{key, help, kind};
  out.offset = static_cast<std::size_t>(reinterpret_cast<const char*>(&(owner.*m)) -
                                        reinterpret_cast<const char*>(&owner));
  return out;
}

}  // namespace detail

template <class O>
Field field(std::string_view key, int O::*m, std::string_view help, int min, int max,
            int step = 1) {
  Field out = detail::member(Field::Kind::integer, key, m, help);
  out.min = min;
  out.max = max;
  out.step = step;
  return out;
}
template <class O>
Field field(std::string_view key, std::uint64_t O::*m, std::string_view help, std::uint64_t min = 0,
            std::uint64_t max = std::numeric_limits<std::uint64_t>::max()) {
  Field out = detail::member(Field::Kind::count, key, m, help);
  out.least = min;
  out.most = max;
  return out;
}
template <class O>
Field field(std::string_view key, double O::*m, std::string_view help, double min, double max) {
  Field out = detail::member(Field::Kind::real, key, m, help);
  out.low = min;
  out.high = max;
  return out;
}
template <class O>
Field field(std::string_view key, bool O::*m, std::string_view help) {
  return detail::member(Field::Kind::on_off, key, m, help);
}
template <class O, class E, std::size_t kCount>
requires std::is_enum_v<E> Field field(std::string_view key, E O::*m, std::string_view help,
                                       const std::array<std::string_view, kCount>& names) {
  static_assert(sizeof(E) == sizeof(int));
  Field out = detail::member(Field::Kind::choice, key, m, help);
  out.names.assign(names.begin(), names.end());
  return out;
}
template <class O>
Field field(std::string_view key, std::string O::*m, std::string_view help,
            std::string_view allowed = "a text", bool (*valid)(std::string_view) = nullptr) {
  Field out = detail::member(Field::Kind::text, key, m, help);
  out.wanted = allowed;
  out.valid = valid;
  return out;
}
template <class O>
Field field(std::string_view key, std::vector<std::string> O::*m, std::string_view help,
            char separator = ',') {
  Field out = detail::member(Field::Kind::texts, key, m, help);
  out.separator = separator;
  return out;
}
template <class O>
Field field(std::string_view key, std::vector<int> O::*m, std::string_view help, int min, int max) {
  Field out = detail::member(Field::Kind::integers, key, m, help);
  out.min = min;
  out.max = max;
  return out;
}
template <class O>
Field field(std::string_view key, Spec O::*m, std::string_view help, std::string_view allowed) {
  Field out = detail::member(Field::Kind::spec, key, m, help);
  out.wanted = allowed;
  return out;
}

// The fields of one aggregate and those that it has besides.
Fields with(Fields fields, const Fields& more);

// Reads a value into the owner's member; throws Error when it may not be written.
void assign(const Field& field, void* owner, const Spec& value);

// Of a list: reads values behind those that it has.
void append(const Field& field, void* owner, const Spec& value);

// The member as it would be written.
Spec value_of(const Field& field, const void* owner);

// What may be written, in words: "a whole number from 2 to 13".
std::string allowed(const Field& field);

// "plain | avx2 | amx"
std::string one_of(std::span<const std::string_view> names);

// A number out of a text that names no field; `key` is for the error.
double read_real(const Spec& value, std::string_view key, double min, double max);

// ---- aggregates with fields

template <class T>
concept Described = std::is_default_constructible_v<T> && requires {
  { T::fields() } -> std::convertible_to<Fields>;
};

struct NoSettings {
  static Fields fields() { return {}; }
  friend bool operator==(const NoSettings&, const NoSettings&) = default;
};

// One setting in words, for help, lists and the web page.
struct SettingInfo {
  std::string key, help, allowed, preset;
  friend bool operator==(const SettingInfo&, const SettingInfo&) = default;
};

void read_settings(const Fields& fields, void* owner, const Spec& spec,
                   const std::vector<std::string>& also_known);
Spec write_settings(std::string name, const Fields& fields, const void* owner, const void* preset);
std::vector<SettingInfo> describe_settings(const Fields& fields, const void* preset);

// The settings written in `spec`, the others at their defaults. Throws Error for an unknown key or
// a bad value. also_known: keys that were taken out of the spec before, named in the error.
template <Described T>
T read_settings(const Spec& spec, const std::vector<std::string>& also_known = {}) {
  T out{};
  read_settings(T::fields(), &out, spec, also_known);
  return out;
}

// The spec `name(...)` with the settings that differ from the defaults.
template <Described T>
Spec write_settings(std::string name, const T& settings) {
  const T preset{};
  return write_settings(std::move(name), T::fields(), &settings, &preset);
}

template <Described T>
std::vector<SettingInfo> describe_settings() {
  const T preset{};
  return describe_settings(T::fields(), &preset);
}

}  // namespace polymax
