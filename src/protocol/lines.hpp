// Lines of a stream that anybody may write: none grows beyond what a command may have.
#pragma once

#include <istream>
#include <string>

#include "protocol/words.hpp"

namespace polymax::protocol {

// False at the end. Of a line that is too long one character more than allowed is kept, enough for
// the loops to refuse it.
inline bool read_line(std::istream& from, std::string& line) {
  line.clear();
  auto* source = from.rdbuf();
  bool any = false;
  for (int c = source->sbumpc(); c != std::char_traits<char>::eof(); c = source->sbumpc()) {
    any = true;
    if (c == '\n') return true;
    if (line.size() <= kLongestLine) line += static_cast<char>(c);
  }
  return any;
}

}  // namespace polymax::protocol
