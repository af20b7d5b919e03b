#include "core/seats_text.hpp"

#include <cmath>
#include <cstdint>

#include "core/number.hpp"

namespace polymax {

std::string seats_text(const Scores& scores, std::size_t players, std::optional<int> digits) {
  std::string out;
  for (std::size_t p = 0; p < players; ++p)
    out += (p == 0 ? "" : " ") +
           (digits ? short_text(scores.seats[p], *digits) : shortest_text(scores.seats[p]));
  return out;
}

Json seats_json(const Scores& scores, std::size_t players) {
  Json out = Json::array();
  for (std::size_t p = 0; p < players; ++p) {
    const float value = scores.seats[p];
    const bool whole = value == std::floor(value) && std::abs(value) < 1e15F;
    out.push_back(whole ? Json(static_cast<std::int64_t>(value)) : Json(value));
  }
  return out;
}

}  // namespace polymax
