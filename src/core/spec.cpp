#include "core/spec.hpp"

#include <algorithm>
#include <utility>

#include "core/columns.hpp"

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

Spec::Spec() = default;
Spec::Spec(const Spec&) = default;
Spec::Spec(Spec&&) noexcept = default;
Spec& Spec::operator=(const Spec&) = default;
Spec& Spec::operator=(Spec&&) noexcept = default;
Spec::~Spec() = default;

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

const SpecArgument* find_argument(const Spec& spec, std::string_view key) {
  const auto found = std::ranges::find(spec.arguments, key, &SpecArgument::key);
  return found == spec.arguments.end() ? nullptr : &*found;
}

std::optional<SpecArgument> take_argument(Spec& spec, std::string_view key) {
  const SpecArgument* found = find_argument(spec, key);
  if (found == nullptr) return std::nullopt;
  SpecArgument out = *found;
  spec.arguments.erase(spec.arguments.begin() + (found - spec.arguments.data()));
  return out;
}

std::string window(const std::string& text, std::size_t at) {
  constexpr std::size_t kShown = 100;
  if (text.size() <= kShown) return text;
  const std::size_t begin = std::min(at - std::min(at, kShown / 2), text.size() - kShown);
  return (begin > 0 ? "..." : "") + text.substr(begin, kShown) +
         (begin + kShown < text.size() ? "..." : "");
}

void fail_at(const Spec& spec, std::size_t at, const std::string& message) {
  std::string text = message;
  if (spec.source)
    text += " (character " + std::to_string(at + 1) + " of '" + window(*spec.source, at) + "')";
  throw Error(one_line(text));
}

Spec word(std::string name) {
  Spec out;
  out.name = std::move(name);
  return out;
}

}  // namespace polymax
