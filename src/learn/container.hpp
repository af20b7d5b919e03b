// A file of our own for checkpoints and lessons: a line of JSON that says what it is, arrays of
// numbers, a checksum over all. Written to a new name, synced, renamed. Reading gives everything or
// an Error. Chosen: not .safetensors, whose reader (nn/net_file.hpp) knows the tensors of networks
// alone; runs of before could then not go on without this one beside it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace polymax::learn {

struct Container {
  std::string kind;                          // "checkpoint", "lesson"
  std::string header;                        // JSON, one line
  std::map<std::string, std::string> parts;  // raw bytes by name

  template <class T>
  void put(const std::string& name, const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    parts[name].assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

  // Throws Error when the part is missing or no whole number of T.
  template <class T>
  std::vector<T> get(const std::string& name) const {
    const std::string& bytes = part(name, sizeof(T));
    std::vector<T> out(bytes.size() / sizeof(T));
    bytes.copy(reinterpret_cast<char*>(out.data()), bytes.size());
    return out;
  }

  void save(const std::string& path) const;
  // Of the bytes of a file. Throws Error that names the file and what is wrong with it.
  static Container parse(const std::string& bytes, const std::string& path,
                         const std::string& kind);

 private:
  const std::string& part(const std::string& name, std::size_t unit) const;
};

}  // namespace polymax::learn
