// The moves of an expanded position, by columns: what a search knows of each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/scores.hpp"

namespace polymax {

// What is known of an edge or of a node besides its value. The low byte belongs to the search
// (completion c, two bits a seat).
namespace bits {
inline constexpr std::uint16_t kCompletion = 0x00ff;
inline constexpr std::uint16_t kResolved = 0x0100;  // r = 1: what c says is known for good
inline constexpr std::uint16_t kExact = 0x2000;     // resolved, and the value is that of best play
// Of edges alone.
inline constexpr std::uint16_t kLinked = 0x0200;   // link is a NodeIndex, not a hash
inline constexpr std::uint16_t kOver = 0x0400;     // leads to a finished position, never a node
inline constexpr std::uint16_t kPending = 0x0800;  // a thread is expanding the position behind
inline constexpr std::uint16_t kShared = 0x1000;   // linked; other edges lead to the same node too
inline constexpr std::uint16_t kUnseen = 0x4000;   // not valued yet, see widening.hpp
}  // namespace bits

// The edges of one node, by columns. Valid until the arena is swept.
struct Edges {
  std::uint64_t* link = nullptr;  // hash of the position behind; its NodeIndex once kLinked
  float* values = nullptr;        // all edges of seat 0, then of seat 1, ...
  std::uint32_t* visits = nullptr;
  std::uint16_t* bits = nullptr;
  std::uint32_t count = 0;
  int seats = 0;

  static constexpr std::size_t bytes(std::size_t count, int seats) {
    const std::size_t exact = count * (8 + 4 * static_cast<std::size_t>(seats) + 4 + 2);
    return (exact + 7) / 8 * 8;
  }

  const float* of_seat(int seat) const { return values + static_cast<std::size_t>(seat) * count; }

  Scores value(std::size_t i) const {
    Scores out;
    for (int p = 0; p < seats; ++p) out[p] = of_seat(p)[i];
    return out;
  }
  void set_value(std::size_t i, const Scores& value) const {
    for (int p = 0; p < seats; ++p) values[static_cast<std::size_t>(p) * count + i] = value[p];
  }
};

}  // namespace polymax
