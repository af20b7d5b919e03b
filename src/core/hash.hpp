// Zobrist keys without tables: the key of (kind, index) is a fixed random-looking number, made when
// it is needed. A game's hash is the xor of the keys of all that decides the future; play() flips
// the keys that change.
#pragma once

#include <cstdint>

#include "core/rng.hpp"

namespace polymax {

// kind: what the index means in this game (stones of seat 0, arrows, seat to move, ...), chosen by
// the game.
constexpr std::uint64_t zobrist(unsigned kind, unsigned index) {
  return mix64((std::uint64_t{kind} << 32) | index);
}

}  // namespace polymax
