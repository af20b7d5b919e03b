// One number for each seat, written: the shortest decimals that read back as the same floats.
#pragma once

#include <cstddef>
#include <string>

#include "core/json.hpp"
#include "core/scores.hpp"

namespace polymax {

// "0.5 -1 0.25"
std::string seats_text(const Scores& scores, std::size_t players);

// [0.5,-1,0.25]; null for what is no number.
Json seats_json(const Scores& scores, std::size_t players);

}  // namespace polymax
