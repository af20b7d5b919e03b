#include "core/seats_text.hpp"

#include <array>

namespace polymax {

std::string shortest_text(float value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

std::string seats_text(const Scores& scores, std::size_t players) {
  std::string out;
  for (std::size_t p = 0; p < players; ++p)
    out += (p == 0 ? "" : " ") + shortest_text(scores.seats[p]);
  return out;
}

}  // namespace polymax
