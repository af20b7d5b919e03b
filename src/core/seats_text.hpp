// One number for each seat, written: the shortest decimals that read back as the same floats.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/json.hpp"
#include "core/scores.hpp"

namespace polymax {

// "0.5 -1 0.25"; digits: at most so many for each, for people.
std::string seats_text(const Scores& scores, std::size_t players,
                       std::optional<int> digits = std::nullopt);

// [0.5,-1,0.25]; null for what is no number.
Json seats_json(const Scores& scores, std::size_t players);

}  // namespace polymax
