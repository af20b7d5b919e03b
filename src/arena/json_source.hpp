// A JSON file written by people: comments are allowed, a key may stand only once, and every
// complaint names the file, the line and the key.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.hpp"

namespace polymax::arena {

class JsonSource;

// One value in the file. Readers throw Error that says where it stands and what was wanted.
class JsonPlace {
 public:
  const Json& json() const { return *json_; }
  const std::string& path() const { return path_; }

  bool has(const std::string& key) const { return json_->contains(key); }
  JsonPlace at(const std::string& key) const;              // the object must have it
  std::vector<JsonPlace> items() const;                    // must be a list that is not empty
  void allow(const std::vector<std::string>& keys) const;  // must be an object with no other key

  std::string text() const;
  std::int64_t integer(std::int64_t min, std::int64_t max) const;

  [[noreturn]] void fail(const std::string& message) const;

 private:
  friend class JsonSource;
  JsonPlace(const JsonSource* source, const Json* json, std::string path)
      : source_(source), json_(json), path_(std::move(path)) {}
  JsonPlace below(const std::string& step, const Json& json) const;

  const JsonSource* source_;
  const Json* json_;
  std::string path_;  // keys and places in lists, joined by '/'
};

class JsonSource {
 public:
  JsonSource(std::string name, std::string_view text);  // throws Error on a syntax error
  JsonSource(const JsonSource&) = delete;
  JsonSource& operator=(const JsonSource&) = delete;

  const Json& json() const { return json_; }
  JsonPlace root() const { return {this, &json_, ""}; }
  [[noreturn]] void fail(const std::string& path, const std::string& message) const;

 private:
  std::string name_;
  Json json_;
  std::map<std::string, int> lines_;  // of every path
};

}  // namespace polymax::arena
