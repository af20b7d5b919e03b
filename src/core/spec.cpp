#include "core/spec.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "core/option_fields.hpp"

namespace polymax {

namespace {

constexpr std::string_view kSpecial = "(),=\" \t\r\n";
constexpr int kMaxNesting = 16;

class Parser {
 public:
  explicit Parser(std::string_view text) : source_(std::make_shared<const std::string>(text)) {}

  Spec whole() {
    Spec out = spec(0);
    skip_blanks();
    if (at_ < source_->size())
      fail("unexpected '" + std::string(1, (*source_)[at_]) + "' after the end of the spec");
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& message) {
    Spec here;
    here.source = source_;
    fail_at(here, at_, message);
  }

  char peek() const { return at_ < source_->size() ? (*source_)[at_] : '\0'; }
  bool at_end() const { return at_ >= source_->size(); }

  void skip_blanks() {
    while (!at_end() && std::string_view(" \t\r\n").find(peek()) != std::string_view::npos) ++at_;
  }

  bool take(char c) {
    skip_blanks();
    if (at_end() || peek() != c) return false;
    ++at_;
    return true;
  }

  std::string quoted() {
    std::string out;
    for (++at_; peek() != '"'; ++at_) {
      if (peek() == '\\') ++at_;
      if (at_end()) fail("missing closing \"");
      out += peek();
    }
    ++at_;
    return out;
  }

  std::string name(const std::string& what) {
    if (peek() == '"') return quoted();
    const std::size_t begin = at_;
    while (!at_end() && kSpecial.find(peek()) == std::string_view::npos) ++at_;
    if (at_ == begin)
      fail(at_end() ? "the text ends where " + what + " should stand"
                    : what + " should stand here");
    return source_->substr(begin, at_ - begin);
  }

  Spec spec(int nesting) {
    if (nesting > kMaxNesting) fail("specs are nested too deeply");
    skip_blanks();
    Spec out;
    out.source = source_;
    out.at = at_;
    out.name = name(nesting == 0 ? "a name" : "a value");
    if (!take('(')) return out;
    if (take(')')) return out;
    do {
      out.arguments.push_back(argument(out, nesting));
    } while (take(','));
    if (!take(')')) fail("expected , or ) here");
    return out;
  }

  SpecArgument argument(const Spec& owner, int nesting) {
    skip_blanks();
    SpecArgument out;
    out.at = at_;
    out.key = name("a key");
    for (const auto& other : owner.arguments)
      if (other.key == out.key) fail_at(owner, out.at, "the key '" + out.key + "' is given twice");
    if (!take('=')) fail("expected = after the key '" + out.key + "'");
    out.value = spec(nesting + 1);
    return out;
  }

  std::shared_ptr<const std::string> source_;
  std::size_t at_ = 0;
};

std::string quote_if_needed(const std::string& name) {
  if (!name.empty() && name.find_first_of(kSpecial) == std::string::npos) return name;
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace

Spec Spec::parse(std::string_view text) {
  return Parser(text).whole();
}

std::string Spec::text() const {
  std::string out = quote_if_needed(name);
  if (arguments.empty()) return out;
  char separator = '(';
  for (const auto& [key, at_key, value] : arguments) {
    out += separator + quote_if_needed(key) + '=' + value.text();
    separator = ',';
  }
  return out + ')';
}

bool operator==(const Spec& a, const Spec& b) {
  return a.name == b.name && a.arguments == b.arguments;
}

std::optional<SpecArgument> take_argument(Spec& spec, std::string_view key) {
  const auto found = std::ranges::find(spec.arguments, key, &SpecArgument::key);
  if (found == spec.arguments.end()) return std::nullopt;
  SpecArgument out = *found;
  spec.arguments.erase(found);
  return out;
}

namespace {

constexpr std::size_t kShown = 100;  // characters of what was written, in a message

// The text, or the part of it around the character `at`.
std::string window(const std::string& text, std::size_t at) {
  if (text.size() <= kShown) return text;
  const std::size_t begin = std::min(at - std::min(at, kShown / 2), text.size() - kShown);
  return (begin > 0 ? "..." : "") + text.substr(begin, kShown) +
         (begin + kShown < text.size() ? "..." : "");
}

}  // namespace

void fail_at(const Spec& spec, std::size_t at, const std::string& message) {
  std::string text = message;
  if (spec.source)
    text += " (character " + std::to_string(at + 1) + " of '" + window(*spec.source, at) + "')";
  const auto is_control = [](char c) { return (c >= 0 && c < ' ') || c == 127; };
  std::ranges::replace_if(text, is_control, ' ');  // a message is one line
  throw Error(text);
}

namespace detail {

namespace {

[[noreturn]] void not_allowed(const Spec& value, const std::string& key,
                              const std::string& allowed) {
  fail_at(value, value.at,
          key + "=" + window(value.text(), 0) + " is not allowed: " + key + " takes " + allowed);
}

template <class Number>
bool whole_number(const Spec& value, Number& out) {
  const char* end = value.name.data() + value.name.size();
  const auto [stop, error] = std::from_chars(value.name.data(), end, out);
  return error == std::errc() && stop == end && value.arguments.empty();
}

}  // namespace

int read_int(const Spec& value, const std::string& key, int min, int max, int step) {
  int out = 0;
  if (!whole_number(value, out) || out < min || out > max || (std::int64_t{out} - min) % step != 0)
    not_allowed(value, key, int_range(min, max, step));
  return out;
}

std::uint64_t read_count(const Spec& value, const std::string& key, std::uint64_t min,
                         std::uint64_t max) {
  std::uint64_t out = 0;
  if (!whole_number(value, out) || out < min || out > max)
    not_allowed(value, key, count_range(min, max));
  return out;
}

std::vector<std::string> read_texts(const Spec& value, const std::string& key, char separator) {
  std::vector<std::string> out(1);
  bool quoted = false, escaped = false;  // a separator between double quotes is none, as in specs
  for (const char c : value.name) {
    if (c == '"' && !escaped) quoted = !quoted;
    escaped = quoted && c == '\\' && !escaped;
    if (c == separator && !quoted)
      out.emplace_back();
    else
      out.back() += c;
  }
  if (!value.arguments.empty() || std::ranges::count(out, "") > 0)
    not_allowed(value, key, std::string("texts joined by '") + separator + "', none of them empty");
  return out;
}

std::vector<int> read_ints(const Spec& value, const std::string& key, int min, int max) {
  std::vector<int> out;
  for (const auto& text : read_texts(value, key, ',')) {
    Spec one;
    one.name = text;
    out.push_back(read_int(one, key, min, max, 1));
  }
  return out;
}

double read_real(const Spec& value, const std::string& key, double min, double max) {
  double out = 0;
  if (!whole_number(value, out) || !(out >= min && out <= max))
    not_allowed(value, key, real_range(min, max));
  return out;
}

std::size_t read_choice(const Spec& value, const std::string& key, const std::string_view* names,
                        std::size_t count) {
  const auto* found = std::find(names, names + count, value.name);
  if (found == names + count || !value.arguments.empty())
    not_allowed(value, key, one_of(names, count));
  return static_cast<std::size_t>(found - names);
}

std::string read_text(const Spec& value, const std::string& key, std::string_view allowed,
                      bool (*valid)(std::string_view)) {
  if (!value.arguments.empty() || (valid && !valid(value.name)))
    not_allowed(value, key, std::string(allowed));
  return value.name;
}

void unknown_key(const Spec& spec, const SpecArgument& argument,
                 const std::vector<std::string>& known) {
  std::string message = "'" + spec.name + "' has no setting '" + argument.key + "'; ";
  message += known.empty() ? "it has none" : "it has ";
  for (std::size_t i = 0; i < known.size(); ++i) message += (i == 0 ? "" : ", ") + known[i];
  fail_at(argument.value, argument.at, message);
}

std::string int_range(int min, int max, int step) {
  const std::string range = std::to_string(min) + " to " + std::to_string(max);
  if (step == 1) return "a whole number from " + range;
  if (step == 2) return (min % 2 == 0 ? "an even number from " : "an odd number from ") + range;
  return "a whole number from " + range + " in steps of " + std::to_string(step);
}

std::string count_range(std::uint64_t min, std::uint64_t max) {
  const bool all = max == std::numeric_limits<std::uint64_t>::max();
  return "a whole number from " + std::to_string(min) + " to " +
         (all ? "2^64-1" : std::to_string(max));
}

std::string joined(const std::vector<std::string>& texts, char separator) {
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i)
    out += (i == 0 ? "" : std::string(1, separator)) + texts[i];
  return out;
}

std::string joined(const std::vector<int>& numbers) {
  std::vector<std::string> texts;
  for (const int number : numbers) texts.push_back(std::to_string(number));
  return joined(texts, ',');
}

std::string real_text(double value) {
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return std::string(buffer.data(), end);
}

std::string real_range(double min, double max) {
  const auto bound = [](double value) {  // 1000000, not 1e+06
    const bool whole = std::abs(value) < 1e15 && value == std::floor(value);
    return whole ? std::to_string(static_cast<std::int64_t>(value)) : real_text(value);
  };
  if (std::isinf(max) && std::isinf(min)) return "a number";
  if (std::isinf(max)) return "a number of at least " + bound(min);
  return "a number from " + bound(min) + " to " + bound(max);
}

std::string one_of(const std::string_view* names, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += (i == 0 ? "" : " | ") + std::string(names[i]);
  return out;
}

}  // namespace detail

}  // namespace polymax
