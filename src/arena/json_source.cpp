#include "arena/json_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/columns.hpp"
#include "core/error.hpp"

namespace polymax::arena {

namespace {

// Walks a text that the parser has accepted and notes on which line every value stands.
class Walker {
 public:
  Walker(std::string_view text, std::map<std::string, int>& lines) : text_(text), lines_(lines) {}

  void value(const std::string& path) {
    if (std::ranges::count(path, '/') > kDeepest) throw Error("the JSON is nested too deeply");
    skip();
    lines_.emplace(path, line_);
    if (text_[at_] == '{') return members(path);
    if (text_[at_] == '[') return elements(path);
    if (text_[at_] == '"') return void(string());
    while (at_ < text_.size() &&
           std::string_view(",]} \t\r\n/").find(text_[at_]) == std::string_view::npos)
      ++at_;
  }

  std::string twice;  // path of the first key that stands a second time
  int twice_line = 0;

 private:
  static constexpr int kDeepest = 50;
  static constexpr std::string_view kLineEnds{"\n\r\0", 3};  // those of the parser

  void step() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }

  // Blanks and comments.
  void skip() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
        step();
      } else if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find_first_of(kLineEnds, at_), text_.size());
        if (at_ < text_.size()) step();
      } else if (text_.substr(at_, 2) == "/*") {
        at_ += 2;
        while (text_.substr(at_, 2) != "*/") step();
        at_ += 2;
      } else {
        return;
      }
    }
  }

  std::string string() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    ++at_;
    return Json::parse(text_.substr(begin, at_ - begin)).get<std::string>();
  }

  void members(const std::string& path) {
    ++at_;
    for (skip(); text_[at_] != '}'; skip()) {
      if (text_[at_] == ',') {
        ++at_;
        skip();
      }
      const int line = line_;
      const std::string below = (path.empty() ? "" : path + "/") + string();
      if (lines_.contains(below) && twice.empty()) {
        twice = below;
        twice_line = line;
      }
      lines_[below] = line;  // a complaint names the line of the key
      skip();
      ++at_;  // the colon
      value(below);
    }
    ++at_;
  }

  void elements(const std::string& path) {
    ++at_;
    std::size_t index = 0;
    for (skip(); text_[at_] != ']'; skip()) {
      if (text_[at_] == ',') {
        ++at_;
        skip();
      }
      value((path.empty() ? "" : path + "/") + std::to_string(index++));
    }
    ++at_;
  }

  std::string_view text_;
  std::map<std::string, int>& lines_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

JsonSource::JsonSource(std::string name, std::string_view text) : name_(std::move(name)) {
  try {
    json_ = Json::parse(text, Json::Comments::allowed);
  } catch (const JsonError& error) {
    const auto seen = std::min(error.at > 0 ? error.at - 1 : 0, text.size());
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(seen), '\n');
    const std::string near(text.substr(seen - std::min<std::size_t>(seen, 10), 20));
    throw Error(
        one_line(fmt::format("'{}' line {}: this is not JSON, near '{}'", name_, line, near)));
  }
  Walker walker(text, lines_);
  walker.value("");
  if (!walker.twice.empty())
    throw Error(fmt::format("'{}' line {}: the key '{}' stands there a second time", name_,
                            walker.twice_line, walker.twice));
}

void JsonSource::fail(const std::string& path, const std::string& message) const {
  const auto found = lines_.find(path);
  const std::string key = path.empty() ? "" : ", key '" + path + "'";
  throw Error(one_line(fmt::format("'{}' line {}{}: {}", name_,
                                   found == lines_.end() ? 1 : found->second, key, message)));
}

void JsonPlace::fail(const std::string& message) const {
  source_->fail(path_, message);
}

JsonPlace JsonPlace::below(const std::string& step, const Json& json) const {
  return {source_, &json, path_.empty() ? step : path_ + "/" + step};
}

JsonPlace JsonPlace::at(const std::string& key) const {
  if (!json_->is_object()) fail("an object {...} is wanted here");
  if (!json_->contains(key)) fail("the key '" + key + "' is missing");
  return below(key, json_->at(key));
}

std::vector<JsonPlace> JsonPlace::items() const {
  if (!json_->is_array() || json_->empty()) fail("a list with at least one item is wanted here");
  std::vector<JsonPlace> out;
  for (std::size_t i = 0; i < json_->size(); ++i)
    out.push_back(below(std::to_string(i), (*json_)[i]));
  return out;
}

void JsonPlace::allow(const std::vector<std::string>& keys) const {
  if (!json_->is_object()) fail("an object {...} is wanted here");
  for (const auto& [key, value] : json_->items())
    if (std::ranges::find(keys, key) == keys.end())
      below(key, value).fail(fmt::format("unknown key; known here: {}", fmt::join(keys, ", ")));
}

std::string JsonPlace::text() const {
  if (!json_->is_string()) fail("a text is wanted here, not " + json_->dump());
  return json_->get<std::string>();
}

std::int64_t JsonPlace::integer(std::int64_t min, std::int64_t max) const {
  const auto wrong = [&] {
    fail(fmt::format("a whole number from {} to {} is wanted here, not {}", min, max,
                     json_->dump()));
  };
  std::int64_t out = 0;
  try {
    json_->get_to(out);
  } catch (const JsonError&) {
    wrong();
  }
  if (out < min || out > max) wrong();
  return out;
}

}  // namespace polymax::arena
