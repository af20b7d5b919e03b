#include "core/fields.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "core/lists.hpp"
#include "core/number.hpp"

namespace polymax {

namespace {

using Kind = Field::Kind;

constexpr std::array<std::string_view, 2> kSwitchNames{"off", "on"};

[[noreturn]] void not_allowed(const Spec& value, std::string_view key, const std::string& allowed) {
  const std::string name(key);
  fail_at(value, value.at,
          name + "=" + window(value.text(), 0) + " is not allowed: " + name + " takes " + allowed);
}

template <class Number>
std::optional<Number> number_in(const Spec& value) {
  return value.arguments.empty() ? number_of<Number>(value.name) : std::nullopt;
}

std::string int_range(const Field& field) {
  const std::string range = std::to_string(field.min) + " to " + std::to_string(field.max);
  if (field.step == 1) return "a whole number from " + range;
  if (field.step == 2)
    return (field.min % 2 == 0 ? "an even number from " : "an odd number from ") + range;
  return "a whole number from " + range + " in steps of " + std::to_string(field.step);
}

std::string count_range(const Field& field) {
  const bool all = field.most == std::numeric_limits<std::uint64_t>::max();
  return "a whole number from " + std::to_string(field.least) + " to " +
         (all ? "2^64-1" : std::to_string(field.most));
}

std::string real_range(double min, double max) {
  const auto bound = [](double value) {  // 1000000, not 1e+06
    const bool whole = std::abs(value) < 1e15 && value == std::floor(value);
    return whole ? std::to_string(static_cast<std::int64_t>(value)) : shortest_text(value);
  };
  if (std::isinf(max) && std::isinf(min)) return "a number";
  if (std::isinf(max)) return "a number of at least " + bound(min);
  return "a number from " + bound(min) + " to " + bound(max);
}

int read_int(const Field& field, const Spec& value) {
  const auto out = number_in<int>(value);
  if (!out || *out < field.min || *out > field.max ||
      (std::int64_t{*out} - field.min) % field.step != 0)
    not_allowed(value, field.key, int_range(field));
  return *out;
}

std::uint64_t read_count(const Field& field, const Spec& value) {
  const auto out = number_in<std::uint64_t>(value);
  if (!out || *out < field.least || *out > field.most)
    not_allowed(value, field.key, count_range(field));
  return *out;
}

std::size_t read_choice(const Field& field, std::span<const std::string_view> names,
                        const Spec& value) {
  const auto found = std::ranges::find(names, value.name);
  if (found == names.end() || !value.arguments.empty())
    not_allowed(value, field.key, one_of(names));
  return static_cast<std::size_t>(found - names.begin());
}

std::string read_text(const Field& field, const Spec& value) {
  if (!value.arguments.empty() || (field.valid && !field.valid(value.name)))
    not_allowed(value, field.key, std::string(field.wanted));
  return value.name;
}

std::string without_blanks_around(const std::string& text) {
  constexpr const char* kBlanks = " \t\r\n";
  const auto first = text.find_first_not_of(kBlanks);
  return first == std::string::npos
             ? ""
             : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

std::vector<std::string> read_texts(const Field& field, const Spec& value) {
  std::vector<std::string> out(1);
  bool quoted = false, escaped = false;  // a separator between double quotes is none, as in specs
  for (const char c : value.name) {
    if (c == '"' && !escaped) quoted = !quoted;
    escaped = quoted && c == '\\' && !escaped;
    if (c == field.separator && !quoted)
      out.emplace_back();
    else
      out.back() += c;
  }
  for (auto& text : out) text = without_blanks_around(text);
  if (!value.arguments.empty() || std::ranges::count(out, "") > 0)
    not_allowed(value, field.key,
                std::string("texts joined by '") + field.separator + "', none of them empty");
  return out;
}

std::vector<int> read_ints(const Field& field, const Spec& value) {
  std::vector<int> out;
  for (auto& text : read_texts(field, value)) out.push_back(read_int(field, word(std::move(text))));
  return out;
}

std::string numbers_text(const std::vector<int>& numbers) {
  std::vector<std::string> texts;
  for (const int number : numbers) texts.push_back(std::to_string(number));
  return joined(texts, ",");
}

template <class T>
T& member(const Field& field, void* owner) {
  return *reinterpret_cast<T*>(static_cast<char*>(owner) + field.offset);
}
template <class T>
const T& member(const Field& field, const void* owner) {
  return *reinterpret_cast<const T*>(static_cast<const char*>(owner) + field.offset);
}

// An enumeration of the size of an int.
void put_choice(const Field& field, void* owner, std::size_t chosen) {
  const int number = static_cast<int>(chosen);
  std::memcpy(static_cast<char*>(owner) + field.offset, &number, sizeof number);
}
std::size_t choice(const Field& field, const void* owner) {
  int number = 0;
  std::memcpy(&number, static_cast<const char*>(owner) + field.offset, sizeof number);
  return static_cast<std::size_t>(number);
}

[[noreturn]] void unknown_key(const Spec& spec, const SpecArgument& argument, const Fields& fields,
                              const std::vector<std::string>& also_known) {
  std::vector<std::string> known;
  for (const Field& field : fields) known.emplace_back(field.key);
  known.insert(known.end(), also_known.begin(), also_known.end());
  std::string message = "'" + spec.name + "' has no setting '" + argument.key + "'; ";
  message += known.empty() ? "it has none" : "it has " + joined(known, ", ");
  fail_at(argument.value, argument.at, message);
}

}  // namespace

Fields with(Fields fields, const Fields& more) {
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

std::string one_of(std::span<const std::string_view> names) {
  return joined(names, " | ");
}

double read_real(const Spec& value, std::string_view key, double min, double max) {
  const auto out = number_in<double>(value);
  if (!out || !(*out >= min && *out <= max)) not_allowed(value, key, real_range(min, max));
  return *out;
}

void assign(const Field& field, void* owner, const Spec& value) {
  switch (field.kind) {
    case Kind::integer:
      member<int>(field, owner) = read_int(field, value);
      return;
    case Kind::count:
      member<std::uint64_t>(field, owner) = read_count(field, value);
      return;
    case Kind::real:
      member<double>(field, owner) = read_real(value, field.key, field.low, field.high);
      return;
    case Kind::on_off:
      member<bool>(field, owner) = read_choice(field, kSwitchNames, value) == 1;
      return;
    case Kind::choice:
      return put_choice(field, owner, read_choice(field, field.names, value));
    case Kind::text:
      member<std::string>(field, owner) = read_text(field, value);
      return;
    case Kind::texts:
      member<std::vector<std::string>>(field, owner) = read_texts(field, value);
      return;
    case Kind::integers:
      member<std::vector<int>>(field, owner) = read_ints(field, value);
      return;
    case Kind::spec:
      member<Spec>(field, owner) = value;
      return;
  }
}

void append(const Field& field, void* owner, const Spec& value) {
  const auto behind = [](auto& list, const auto& more) {
    list.insert(list.end(), more.begin(), more.end());
  };
  assert(field.kind == Kind::texts || field.kind == Kind::integers);
  if (field.kind == Kind::texts)
    behind(member<std::vector<std::string>>(field, owner), read_texts(field, value));
  else
    behind(member<std::vector<int>>(field, owner), read_ints(field, value));
}

Spec value_of(const Field& field, const void* owner) {
  switch (field.kind) {
    case Kind::integer:
      return word(std::to_string(member<int>(field, owner)));
    case Kind::count:
      return word(std::to_string(member<std::uint64_t>(field, owner)));
    case Kind::real:
      return word(shortest_text(member<double>(field, owner)));
    case Kind::on_off:
      return word(std::string(kSwitchNames[member<bool>(field, owner) ? 1 : 0]));
    case Kind::choice:
      return word(std::string(field.names[choice(field, owner)]));
    case Kind::text:
      return word(member<std::string>(field, owner));
    case Kind::texts:
      return word(joined(member<std::vector<std::string>>(field, owner),
                         std::string_view(&field.separator, 1)));
    case Kind::integers:
      return word(numbers_text(member<std::vector<int>>(field, owner)));
    case Kind::spec:
      break;
  }
  return member<Spec>(field, owner);
}

std::string allowed(const Field& field) {
  switch (field.kind) {
    case Kind::integer:
      return int_range(field);
    case Kind::count:
      return count_range(field);
    case Kind::real:
      return real_range(field.low, field.high);
    case Kind::on_off:
      return one_of(kSwitchNames);
    case Kind::choice:
      return one_of(field.names);
    case Kind::texts:
      return std::string("texts joined by '") + field.separator + "'";
    case Kind::integers:
      return int_range(field) + ", or several joined by ','";
    case Kind::text:
    case Kind::spec:
      break;
  }
  return std::string(field.wanted);
}

void read_settings(const Fields& fields, void* owner, const Spec& spec,
                   const std::vector<std::string>& also_known) {
  for (const auto& argument : spec.arguments) {
    const auto found = std::ranges::find(fields, argument.key, &Field::key);
    if (found == fields.end()) unknown_key(spec, argument, fields, also_known);
    assign(*found, owner, argument.value);
  }
}

Spec write_settings(std::string name, const Fields& fields, const void* owner, const void* preset) {
  Spec out = word(std::move(name));
  for (const Field& field : fields) {
    Spec value = value_of(field, owner);
    if (value != value_of(field, preset))
      out.arguments.push_back({std::string(field.key), 0, std::move(value)});
  }
  return out;
}

std::vector<SettingInfo> describe_settings(const Fields& fields, const void* preset) {
  std::vector<SettingInfo> out;
  for (const Field& field : fields)
    out.push_back({std::string(field.key), std::string(field.help), allowed(field),
                   value_of(field, preset).text()});
  return out;
}

}  // namespace polymax
