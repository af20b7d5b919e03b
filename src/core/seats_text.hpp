// One number for each seat, written: the shortest decimals that read back as the same floats.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/number.hpp"
#include "core/scores.hpp"

namespace polymax {

// "0.5 -1 0.25"
std::string seats_text(const Scores& scores, std::size_t players);

// [0.5,-1,0.25] as a value of a library (nlohmann's); null for what is no number.
template <class Json>
Json seats_json(const Scores& scores, std::size_t players) {
  Json out = Json::array();
  for (std::size_t p = 0; p < players; ++p) {
    const float value = scores.seats[p];
    const std::string text = shortest_text(value);
    double decimal = 0;
    std::from_chars(text.data(), text.data() + text.size(), decimal);
    if (!std::isfinite(value))
      out.push_back(nullptr);
    else if (decimal == std::floor(decimal) && std::abs(decimal) < 1e15)
      out.push_back(static_cast<std::int64_t>(decimal));
    else
      out.push_back(decimal);
  }
  return out;
}

}  // namespace polymax
