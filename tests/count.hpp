// How often a text has another in it.
#pragma once

#include <cstddef>
#include <string>

namespace polymax {

inline std::size_t count(const std::string& text, const std::string& what) {
  std::size_t out = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++out;
  return out;
}

}  // namespace polymax
