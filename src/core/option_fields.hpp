// More kinds of fields (core/spec.hpp), for the options of commands: 64-bit numbers and lists.
// Apart, because games and searches do not need them.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/spec.hpp"

namespace polymax {

template <class Owner>
struct CountField {  // seeds, numbers of matches
  std::string_view key;
  std::uint64_t Owner::*member;
  std::string_view help;
  std::uint64_t min, max;
};
template <class Owner>
struct TextsField {  // texts joined by a separator
  std::string_view key;
  std::vector<std::string> Owner::*member;
  std::string_view help;
  char separator;
};
template <class Owner>
struct IntsField {  // whole numbers joined by commas, each from min to max
  std::string_view key;
  std::vector<int> Owner::*member;
  std::string_view help;
  int min, max;
};

template <class O>
constexpr auto field(std::string_view key, std::uint64_t O::*m, std::string_view help,
                     std::uint64_t min = 0,
                     std::uint64_t max = std::numeric_limits<std::uint64_t>::max()) {
  return CountField<O>{key, m, help, min, max};
}
template <class O>
constexpr auto field(std::string_view key, std::vector<std::string> O::*m, std::string_view help,
                     char separator = ',') {
  return TextsField<O>{key, m, help, separator};
}
template <class O>
constexpr auto field(std::string_view key, std::vector<int> O::*m, std::string_view help, int min,
                     int max) {
  return IntsField<O>{key, m, help, min, max};
}

namespace detail {

std::uint64_t read_count(const Spec& value, const std::string& key, std::uint64_t min,
                         std::uint64_t max);
std::vector<std::string> read_texts(const Spec& value, const std::string& key, char separator);
std::vector<int> read_ints(const Spec& value, const std::string& key, int min, int max);
std::string joined(const std::vector<std::string>& texts, char separator);
std::string joined(const std::vector<int>& numbers);
std::string count_range(std::uint64_t min, std::uint64_t max);

template <class O>
void assign(const CountField<O>& f, O& to, const Spec& value) {
  to.*f.member = read_count(value, std::string(f.key), f.min, f.max);
}
template <class O>
void assign(const TextsField<O>& f, O& to, const Spec& value) {
  to.*f.member = read_texts(value, std::string(f.key), f.separator);
}
template <class O>
void assign(const IntsField<O>& f, O& to, const Spec& value) {
  to.*f.member = read_ints(value, std::string(f.key), f.min, f.max);
}

template <class O>
Spec value_of(const CountField<O>& f, const O& from) {
  return word(std::to_string(from.*f.member));
}
template <class O>
Spec value_of(const TextsField<O>& f, const O& from) {
  return word(joined(from.*f.member, f.separator));
}
template <class O>
Spec value_of(const IntsField<O>& f, const O& from) {
  return word(joined(from.*f.member));
}

template <class O>
std::string allowed(const CountField<O>& f) {
  return count_range(f.min, f.max);
}
template <class O>
std::string allowed(const TextsField<O>& f) {
  return std::string("texts joined by '") + f.separator + "'";
}
template <class O>
std::string allowed(const IntsField<O>& f) {
  return int_range(f.min, f.max, 1) + ", or several joined by ','";
}

}  // namespace detail

}  // namespace polymax
