// Specs: the one grammar that names a configured thing everywhere (shell, JSON, Python, web,
// records).
//   spec  = name [ '(' key '=' spec { ',' key '=' spec } ')' ]        hex3(side=5)
//   unbounded_maxn(eval=network(file="a b")) name  = characters other than ( ) , = " and blanks, or
//   a text in double quotes (\" and \\ inside)
// Settings are aggregates with fields(): one line per setting gives its key, help, bounds, parser
// and printer.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace polymax {

struct SpecArgument;

struct Spec {
  std::string name;
  std::vector<SpecArgument> arguments;
  std::size_t at = 0;  // where the name begins in *source
  std::shared_ptr<const std::string>
      source;  // the whole text, for error messages; null when made by a program

  // Throws Error that names the mistake and the character.
  static Spec parse(std::string_view text);

  // Canonical text: parse(text()) gives the same spec.
  std::string text() const;

  // Same names, keys and values, wherever they were written.
  friend bool operator==(const Spec& a, const Spec& b);
};

struct SpecArgument {
  std::string key;
  std::size_t at = 0;  // where the key begins
  Spec value;
  friend bool operator==(const SpecArgument& a, const SpecArgument& b) {
    return a.key == b.key && a.value == b.value;
  }
};

// Takes the argument `key` out of the spec.
std::optional<SpecArgument> take_argument(Spec& spec, std::string_view key);

// Throws an Error about the character `at` of the text in which `spec` was written.
[[noreturn]] void fail_at(const Spec& spec, std::size_t at, const std::string& message);

// ---- settings
// -------------------------------------------------------------------------------------------------------

template <class Owner>
struct IntField {
  std::string_view key;
  int Owner::*member;
  std::string_view help;
  int min, max, step = 1;  // allowed: min, min+step, ... max
};
template <class Owner>
struct RealField {
  std::string_view key;
  double Owner::*member;
  std::string_view help;
  double min, max;
};
template <class Owner>
struct SwitchField {  // on | off
  std::string_view key;
  bool Owner::*member;
  std::string_view help;
};
template <class Owner, class Enum, std::size_t kCount>
struct ChoiceField {  // names in the order of the enumerators, which count from 0
  std::string_view key;
  Enum Owner::*member;
  std::string_view help;
  std::array<std::string_view, kCount> names;
};
template <class Owner>
struct TextField {
  std::string_view key;
  std::string Owner::*member;
  std::string_view help;
  std::string_view allowed;                   // in words
  bool (*valid)(std::string_view) = nullptr;  // null: everything is
};
template <class Owner>
struct SpecField {
  std::string_view key;
  Spec Owner::*member;
  std::string_view help;
  std::string_view kind;  // what the spec names: "evaluator"
};

template <class O>
constexpr auto field(std::string_view key, int O::*m, std::string_view help, int min, int max,
                     int step = 1) {
  return IntField<O>{key, m, help, min, max, step};
}
template <class O>
constexpr auto field(std::string_view key, double O::*m, std::string_view help, double min,
                     double max) {
  return RealField<O>{key, m, help, min, max};
}
template <class O>
constexpr auto field(std::string_view key, bool O::*m, std::string_view help) {
  return SwitchField<O>{key, m, help};
}
template <class O, class E, std::size_t kCount>
requires std::is_enum_v<E>
constexpr auto field(std::string_view key, E O::*m, std::string_view help,
                     const std::array<std::string_view, kCount>& names) {
  return ChoiceField<O, E, kCount>{key, m, help, names};
}
template <class O>
constexpr auto field(std::string_view key, std::string O::*m, std::string_view help,
                     std::string_view allowed = "a text",
                     bool (*valid)(std::string_view) = nullptr) {
  return TextField<O>{key, m, help, allowed, valid};
}
template <class O>
constexpr auto field(std::string_view key, Spec O::*m, std::string_view help,
                     std::string_view kind) {
  return SpecField<O>{key, m, help, kind};
}

// An aggregate with defaults that lists its settings: static auto fields() { return
// std::tuple{field(...), ...}; }
template <class T>
concept Described = std::is_default_constructible_v<T> && requires {
  std::tuple_size<decltype(T::fields())>::value;
};

struct NoSettings {
  static auto fields() { return std::tuple<>{}; }
  friend bool operator==(const NoSettings&, const NoSettings&) = default;
};

// One setting in words, for help, lists and the web page.
struct SettingInfo {
  std::string key, help, allowed, preset;
  friend bool operator==(const SettingInfo&, const SettingInfo&) = default;
};

namespace detail {

int read_int(const Spec& value, const std::string& key, int min, int max, int step);
double read_real(const Spec& value, const std::string& key, double min, double max);
std::size_t read_choice(const Spec& value, const std::string& key, const std::string_view* names,
                        std::size_t count);
std::string read_text(const Spec& value, const std::string& key, std::string_view allowed,
                      bool (*valid)(std::string_view));
[[noreturn]] void unknown_key(const Spec& spec, const SpecArgument& argument,
                              const std::vector<std::string>& known);
std::string int_range(int min, int max, int step);
std::string real_text(double value);
std::string real_range(double min, double max);
std::string one_of(const std::string_view* names, std::size_t count);
inline constexpr std::array<std::string_view, 2> kSwitchNames{"off", "on"};

template <class O>
void assign(const IntField<O>& f, O& to, const Spec& value) {
  to.*f.member = read_int(value, std::string(f.key), f.min, f.max, f.step);
}
template <class O>
void assign(const RealField<O>& f, O& to, const Spec& value) {
  to.*f.member = read_real(value, std::string(f.key), f.min, f.max);
}
template <class O>
void assign(const SwitchField<O>& f, O& to, const Spec& value) {
  to.*f.member =
      read_choice(value, std::string(f.key), kSwitchNames.data(), kSwitchNames.size()) == 1;
}
template <class O, class E, std::size_t kCount>
void assign(const ChoiceField<O, E, kCount>& f, O& to, const Spec& value) {
  to.*f.member = static_cast<E>(read_choice(value, std::string(f.key), f.names.data(), kCount));
}
template <class O>
void assign(const TextField<O>& f, O& to, const Spec& value) {
  to.*f.member = read_text(value, std::string(f.key), f.allowed, f.valid);
}
template <class O>
void assign(const SpecField<O>& f, O& to, const Spec& value) {
  to.*f.member = value;
}

inline Spec word(std::string name) {
  Spec out;
  out.name = std::move(name);
  return out;
}
template <class O>
Spec value_of(const IntField<O>& f, const O& from) {
  return word(std::to_string(from.*f.member));
}
template <class O>
Spec value_of(const RealField<O>& f, const O& from) {
  return word(real_text(from.*f.member));
}
template <class O>
Spec value_of(const SwitchField<O>& f, const O& from) {
  return word(std::string(kSwitchNames[from.*f.member ? 1 : 0]));
}
template <class O, class E, std::size_t kCount>
Spec value_of(const ChoiceField<O, E, kCount>& f, const O& from) {
  return word(std::string(f.names[static_cast<std::size_t>(from.*f.member)]));
}
template <class O>
Spec value_of(const TextField<O>& f, const O& from) {
  return word(from.*f.member);
}
template <class O>
Spec value_of(const SpecField<O>& f, const O& from) {
  return from.*f.member;
}

template <class O>
std::string allowed(const IntField<O>& f) {
  return int_range(f.min, f.max, f.step);
}
template <class O>
std::string allowed(const RealField<O>& f) {
  return real_range(f.min, f.max);
}
template <class O>
std::string allowed(const SwitchField<O>&) {
  return one_of(kSwitchNames.data(), kSwitchNames.size());
}
template <class O, class E, std::size_t kCount>
std::string allowed(const ChoiceField<O, E, kCount>& f) {
  return one_of(f.names.data(), kCount);
}
template <class O>
std::string allowed(const TextField<O>& f) {
  return std::string(f.allowed);
}
template <class O>
std::string allowed(const SpecField<O>& f) {
  return "a spec of kind " + std::string(f.kind);
}

template <Described T, class F>
void each_field(F f) {
  std::apply([&](const auto&... fields) { (f(fields), ...); }, T::fields());
}

}  // namespace detail

// The settings written in `spec`, the others at their defaults. Throws Error for an unknown key or
// a bad value. also_known: keys that were taken out of the spec before, named in the error.
template <Described T>
T read_settings(const Spec& spec, const std::vector<std::string>& also_known = {}) {
  T out{};
  for (const auto& argument : spec.arguments) {
    bool found = false;
    detail::each_field<T>([&](const auto& f) {
      if (f.key != argument.key) return;
      found = true;
      detail::assign(f, out, argument.value);
    });
    if (found) continue;
    std::vector<std::string> known;
    detail::each_field<T>([&](const auto& f) { known.emplace_back(f.key); });
    known.insert(known.end(), also_known.begin(), also_known.end());
    detail::unknown_key(spec, argument, known);
  }
  return out;
}

// The spec `name(...)` with the settings that differ from the defaults.
template <Described T>
Spec write_settings(std::string name, const T& settings) {
  Spec out = detail::word(std::move(name));
  const T preset{};
  detail::each_field<T>([&](const auto& f) {
    const Spec value = detail::value_of(f, settings);
    if (value != detail::value_of(f, preset))
      out.arguments.push_back({std::string(f.key), 0, value});
  });
  return out;
}

template <Described T>
std::vector<SettingInfo> describe_settings() {
  std::vector<SettingInfo> out;
  const T preset{};
  detail::each_field<T>([&](const auto& f) {
    out.push_back({std::string(f.key), std::string(f.help), detail::allowed(f),
                   detail::value_of(f, preset).text()});
  });
  return out;
}

}  // namespace polymax
