// Lists on the command line.
#pragma once

#include <string>
#include <vector>

namespace polymax::cli {

inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == separator)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

}  // namespace polymax::cli
