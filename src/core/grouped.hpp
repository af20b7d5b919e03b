// A whole number for people: "12,345".
#pragma once

#include <cstdint>
#include <string>

namespace polymax {

inline std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

}  // namespace polymax
