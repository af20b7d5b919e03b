// Specs: the one grammar that names a configured thing everywhere (shell, JSON, Python, web,
// records).
// A spec is a name, or a name with arguments in brackets, `name(key=spec,key=spec)`:
// hex3(side=5), unbounded_maxn(eval=network(file="a b")).
// A name is characters other than ( ) , = " and blanks, or a text in double quotes, in which a
// backslash makes a quote or a backslash part of the text.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace polymax {

struct SpecArgument;

struct Spec {
  // Defined in spec.cpp: many files copy specs, and the compiler would write each copy out.
  Spec();
  Spec(const Spec& other);
  Spec(Spec&& other) noexcept;
  Spec& operator=(const Spec& other);
  Spec& operator=(Spec&& other) noexcept;
  ~Spec();

  std::string name;
  std::vector<SpecArgument> arguments;
  std::size_t at = 0;  // where the name begins in *source
  // The whole text, for error messages; null when made by a program.
  std::shared_ptr<const std::string> source;

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

// Null where there is none.
const SpecArgument* find_argument(const Spec& spec, std::string_view key);

// Takes the argument `key` out of the spec.
std::optional<SpecArgument> take_argument(Spec& spec, std::string_view key);

// Throws an Error about the character `at` of the text in which `spec` was written.
[[noreturn]] void fail_at(const Spec& spec, std::size_t at, const std::string& message);

// The part of a text around the character `at`, for messages.
std::string window(const std::string& text, std::size_t at);

// A name without arguments.
Spec word(std::string name);

}  // namespace polymax
