#include "core/seats_text.hpp"

namespace polymax {

std::string seats_text(const Scores& scores, std::size_t players) {
  std::string out;
  for (std::size_t p = 0; p < players; ++p)
    out += (p == 0 ? "" : " ") + shortest_text(scores.seats[p]);
  return out;
}

}  // namespace polymax
