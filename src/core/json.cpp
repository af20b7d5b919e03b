#include "core/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "core/number.hpp"

namespace polymax {

namespace {

constexpr std::size_t kDeepest = 200;
constexpr std::uint64_t kMostNegative = std::uint64_t{1} << 63;  // its size

[[noreturn]] void wanted(const char* what) {
  throw JsonError(std::string(what) + " is wanted");
}

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

void write_text(std::string& out, std::string_view text) {
  constexpr std::string_view kShort = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
  out += '"';
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    const char c = text[0];
    if (bytes == 0)
      out += "\xEF\xBF\xBD";
    else if (const auto at = kShort.find(c); at != std::string_view::npos)
      (out += '\\') += kLetters[at];
    else if (bytes == 1 && (c < ' ' || c == 127))
      add_control(out, c);
    else
      out += text.substr(0, bytes);
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  out += '"';
}

// The shortest digits that read back as the same number, and the place of the point in them: the
// value is 0.DIGITS x 10^point.
struct Digits {
  std::string digits;
  int point = 0;
};

Digits digits_of(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific)
                       .ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const auto e = text.find('e');
  Digits out;
  for (const char c : text.substr(0, e))
    if (c != '.') out.digits += c;
  const auto exponent = text.substr(e + (text[e + 1] == '+' ? 2 : 1));
  out.point = number_of<int>(exponent).value_or(0) + 1;
  return out;
}

// A real number always has a point or an exponent, so that it is read as one.
void write_real(std::string& out, double value) {
  if (!std::isfinite(value)) return void(out += "null");
  if (std::signbit(value)) out += '-';
  auto [digits, point] = digits_of(std::abs(value));
  const int size = static_cast<int>(digits.size());
  if (value == 0) return void(out += "0.0");
  if (size <= point && point <= 15) {
    out += digits + std::string(static_cast<std::size_t>(point - size), '0') + ".0";
  } else if (0 < point && point <= 15) {
    out += digits.insert(static_cast<std::size_t>(point), ".");
  } else if (-4 < point && point <= 0) {
    out += "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  } else {
    if (size > 1) digits.insert(1, ".");
    const std::string exponent = std::to_string(std::abs(point - 1));
    out += digits + (point > 0 ? "e+" : "e-") + (exponent.size() < 2 ? "0" : "") + exponent;
  }
}

void write_break(std::string& out, int indent, std::size_t depth) {
  if (indent < 0) return;
  out += '\n';
  out.append(static_cast<std::size_t>(indent) * depth, ' ');
}

template <class Each>
void write_all(std::string& out, int indent, std::size_t depth, std::size_t size, char open,
               char close, Each each) {
  out += open;
  for (std::size_t i = 0; i < size; ++i) {
    if (i > 0) out += ',';
    write_break(out, indent, depth + 1);
    each(i);
  }
  if (size > 0) write_break(out, indent, depth);
  out += close;
}

}  // namespace

// What the library's parser tells, put together.
class JsonBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Json out;
  std::size_t bad_at = 0;  // character of the mistake, counted from 1
  bool too_deep = false;
  bool keys_once = false;
  std::string twice;  // a key that stands twice, where that is refused

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override {
    return keep_last(std::get<Json::Members>(open_.back().value_)) && close();
  }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    std::get<Json::Members>(open_.back().value_).push_back({std::move(name), nullptr});
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    bad_at = std::max<std::size_t>(position, 1);
    return false;
  }

 private:
  bool add(Json value) {
    if (open_.empty()) {
      out = std::move(value);
    } else if (auto* members = std::get_if<Json::Members>(&open_.back().value_)) {
      members->back().value = std::move(value);
    } else {
      std::get<Json::List>(open_.back().value_).push_back(std::move(value));
    }
    return true;
  }
  bool open(Json value) {
    too_deep = open_.size() >= kDeepest;
    open_.push_back(std::move(value));
    return !too_deep;
  }
  bool close() {
    Json value = std::move(open_.back());
    open_.pop_back();
    return add(std::move(value));
  }

  // Of members with the same key the last one stays, at the place of the first. False: there are
  // some, and they are refused.
  bool keep_last(Json::Members& members) {
    std::map<std::string_view, std::size_t> first;
    std::vector<bool> gone(members.size(), false);
    for (std::size_t i = 0; i < members.size(); ++i) {
      const auto [at, fresh] = first.try_emplace(members[i].key, i);
      if (fresh) continue;
      if (keys_once) {
        twice = members[i].key;
        return false;
      }
      members[at->second].value = std::move(members[i].value);
      gone[i] = true;
    }
    if (first.size() == members.size()) return true;
    std::size_t i = 0;
    std::erase_if(members, [&](const Json::Member&) { return gone[i++]; });
    return true;
  }

  std::vector<Json> open_;  // lists and objects that are being read, the innermost last
};

Json::Json() : value_(nullptr) {}
Json::Json(std::nullptr_t) : value_(nullptr) {}
Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;
Json::Json(bool value) : value_(value) {}
Json::Json(double value) : value_(value) {}
Json::Json(float value)
    : value_(std::isfinite(value) ? number_of<double>(shortest_text(value)).value_or(value)
                                  : static_cast<double>(value)) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(Whole value) : value_(value) {}
Json::Json(std::initializer_list<Member> members) : value_(Members(members)) {}

Json Json::array() {
  Json out;
  out.value_ = List();
  return out;
}

Json Json::array(std::initializer_list<Json> values) {
  Json out;
  out.value_ = List(values);
  return out;
}

Json Json::object() {
  Json out;
  out.value_ = Members();
  return out;
}

Json Json::parse(std::string_view text, Comments comments, Twice twice) {
  JsonBuilder builder;
  builder.keys_once = twice == Twice::refused;
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder,
                                nlohmann::json::input_format_t::json, true,
                                comments == Comments::allowed))
    return std::move(builder.out);
  if (!builder.twice.empty()) throw JsonError("the key '" + builder.twice + "' stands twice");
  if (builder.too_deep)
    throw JsonError("nested more than " + std::to_string(kDeepest) + " deep", 1);
  throw JsonError("no JSON at character " + std::to_string(builder.bad_at), builder.bad_at);
}

Json Json::parse_or_null(std::string_view text) {
  try {
    return parse(text);
  } catch (const JsonError&) {
    return nullptr;
  }
}

bool Json::is_null() const {
  return std::holds_alternative<std::nullptr_t>(value_);
}
bool Json::is_bool() const {
  return std::holds_alternative<bool>(value_);
}
bool Json::is_string() const {
  return std::holds_alternative<std::string>(value_);
}
bool Json::is_array() const {
  return std::holds_alternative<List>(value_);
}
bool Json::is_object() const {
  return std::holds_alternative<Members>(value_);
}
bool Json::is_integer() const {
  return std::holds_alternative<Whole>(value_);
}
bool Json::is_number() const {
  return is_integer() || std::holds_alternative<double>(value_);
}
bool Json::is_count() const {
  const auto* number = std::get_if<Whole>(&value_);
  return number && !number->negative;
}

std::size_t Json::size() const {
  return is_object() ? items().size() : list().size();
}

const Json* Json::find(std::string_view key) const {
  const auto found = std::ranges::find(items(), key, &Member::key);
  return found == items().end() ? nullptr : &found->value;
}

const Json& Json::at(std::string_view key) const {
  if (const Json* found = find(key)) return *found;
  throw JsonError("'" + std::string(key) + "' is missing");
}

const Json& Json::at(std::size_t i) const {
  if (i >= list().size()) throw JsonError("a longer list is wanted");
  return list()[i];
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = Members();
  auto* members = std::get_if<Members>(&value_);
  if (!members) wanted("an object");
  const auto found = std::ranges::find(*members, key, &Member::key);
  if (found != members->end()) return found->value;
  members->push_back({std::string(key), nullptr});
  return members->back().value;
}

const Json::Members& Json::items() const {
  static const Members none;
  const auto* members = std::get_if<Members>(&value_);
  return members ? *members : none;
}

const Json::List& Json::list() const {
  static const List none;
  const auto* values = std::get_if<List>(&value_);
  return values ? *values : none;
}

Json::List& Json::list() {
  auto* values = std::get_if<List>(&value_);
  if (!values) wanted("a list");
  return *values;
}

void Json::push_back(Json value) {
  if (is_null()) value_ = List();
  list().push_back(std::move(value));
}

void Json::update(const Json& other) {
  for (const auto& [key, value] : other.items()) (*this)[key] = value;
}

void Json::erase(std::string_view key) {
  if (auto* members = std::get_if<Members>(&value_))
    std::erase_if(*members, [&](const Member& member) { return member.key == key; });
}

Json Json::sorted() const {
  Json out = *this;
  if (auto* values = std::get_if<List>(&out.value_))
    for (Json& value : *values) value = value.sorted();
  if (auto* members = std::get_if<Members>(&out.value_)) {
    std::ranges::sort(*members, {}, &Member::key);
    for (Member& member : *members) member.value = member.value.sorted();
  }
  return out;
}

std::string Json::dump(int indent) const {
  std::string out;
  write(out, indent, 0);
  return out;
}

void Json::write(std::string& out, int indent, std::size_t depth) const {
  if (is_null())
    out += "null";
  else if (is_bool())
    out += as_bool() ? "true" : "false";
  else if (const auto* number = std::get_if<Whole>(&value_))
    out += (number->negative ? "-" : "") + std::to_string(number->size);
  else if (const auto* real = std::get_if<double>(&value_))
    write_real(out, *real);
  else if (is_string())
    write_text(out, as_text());
  else if (is_array())
    write_all(out, indent, depth, size(), '[', ']',
              [&](std::size_t i) { list()[i].write(out, indent, depth + 1); });
  else
    write_all(out, indent, depth, size(), '{', '}', [&](std::size_t i) {
      write_text(out, items()[i].key);
      out += indent < 0 ? ":" : ": ";
      items()[i].value.write(out, indent, depth + 1);
    });
}

bool operator==(const Json& a, const Json& b) {
  if (a.is_object() && b.is_object())
    return a.size() == b.size() && std::ranges::all_of(a.items(), [&](const Json::Member& member) {
             const Json* other = b.find(member.key);
             return other && *other == member.value;
           });
  if (a.is_array() && b.is_array()) return a.list() == b.list();
  if (a.is_number() && b.is_number() && a.is_integer() != b.is_integer())
    return a.get<double>() == b.get<double>();
  if (a.value_.index() != b.value_.index()) return false;
  if (const auto* number = std::get_if<Json::Whole>(&a.value_))
    return *number == std::get<Json::Whole>(b.value_);
  if (a.is_number()) return a.get<double>() == b.get<double>();
  if (a.is_bool()) return a.get<bool>() == b.get<bool>();
  return a.is_null() || a.as_text() == b.as_text();
}

void Json::fail_of(std::string_view key, const JsonError& error) {
  throw JsonError("'" + std::string(key) + "': " + error.what());
}

bool Json::as_bool() const {
  const auto* value = std::get_if<bool>(&value_);
  if (!value) wanted("true or false");
  return *value;
}

double Json::as_real() const {
  if (const auto* real = std::get_if<double>(&value_)) return *real;
  const auto* number = std::get_if<Whole>(&value_);
  if (!number) wanted("a number");
  const auto size = static_cast<double>(number->size);
  return number->negative ? -size : size;
}

float Json::as_float() const {
  const double real = as_real();
  if (std::isfinite(real) && std::abs(real) > std::numeric_limits<float>::max())
    wanted("a number of another size");
  return static_cast<float>(real);
}

std::int64_t Json::as_signed(std::int64_t min, std::int64_t max) const {
  const auto* number = std::get_if<Whole>(&value_);
  if (!number) wanted("a whole number");
  const bool fits = number->negative ? number->size <= kMostNegative &&
                                           static_cast<std::int64_t>(~number->size + 1) >= min
                                     : number->size <= static_cast<std::uint64_t>(max);
  if (!fits) wanted("a number of another size");
  return static_cast<std::int64_t>(number->negative ? ~number->size + 1 : number->size);
}

std::uint64_t Json::as_count(std::uint64_t max) const {
  if (!is_count()) wanted("a whole number from 0");
  const auto size = std::get<Whole>(value_).size;
  if (size > max) wanted("a number of another size");
  return size;
}

const std::string& Json::as_text() const {
  const auto* text = std::get_if<std::string>(&value_);
  if (!text) wanted("a text");
  return *text;
}

Json exact_number(std::uint64_t value) {
  if (value < std::uint64_t{1} << 53) return value;
  return std::to_string(value);
}

std::uint64_t read_exact(const Json& json, const std::string& key) {
  if (json.is_count()) return json.get<std::uint64_t>();
  const auto out = number_of<std::uint64_t>(json.is_string() ? json.get<std::string>() : "");
  if (!out) throw Error("'" + key + "' is no whole number of 64 bits");
  return *out;
}

}  // namespace polymax
