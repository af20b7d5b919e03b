// bf16 numbers as their 16 bits: the upper half of a float. Always inlined: files that are compiled
// for other instruction sets include this, and none of their functions may serve the others.
#pragma once

#include <bit>
#include <cstdint>

namespace polymax {

// The nearest bf16 number, ties to even.
[[gnu::always_inline]] inline std::uint16_t to_bf16(float x) {
  if (x != x) return 0x7fc0;
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

[[gnu::always_inline]] inline float from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace polymax
