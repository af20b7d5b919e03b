// Writes the chosen ones of a list of 16-bit numbers side by side, without a branch for each: eight
// at a time by a byte shuffle where the processor has it (SSSE3), else one after the other.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SSSE3__)
#include <tmmintrin.h>
#endif

namespace polymax {

// How far behind the end pick_numbers may write.
inline constexpr std::size_t kPickSlack = 8;

#if defined(__SSSE3__)
// Where the bytes of a shuffle come from, for each choice among eight numbers.
inline constexpr auto kPickBytes = [] {
  std::array<std::array<std::uint8_t, 16>, 256> out{};
  for (std::size_t chosen = 0; chosen < 256; ++chosen)
    for (std::size_t i = 0, n = 0; i < 8; ++i)
      if (chosen >> i & 1)
        for (const std::size_t byte : {2 * i, 2 * i + 1})
          out[chosen][n++] = static_cast<std::uint8_t>(byte);
  return out;
}();
#endif

// T{numbers[i] + add} for every set bit i of `chosen`, in order; numbers has 64 entries. Returns
// the end.
template <class T>
T* pick_numbers(const std::uint16_t* numbers, std::uint64_t chosen, std::uint16_t add, T* to) {
#if defined(__SSSE3__)
  static_assert(sizeof(T) == sizeof add);
  const __m128i all_add = _mm_set1_epi16(static_cast<short>(add));
  if (chosen == 0) return to;
  for (std::size_t i = 0; i < 8; ++i) {
    const std::size_t eight = chosen >> (8 * i) & 255;
    const __m128i from = _mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers + 8 * i));
    const __m128i bytes =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(kPickBytes[eight].data()));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                     _mm_shuffle_epi8(_mm_add_epi16(from, all_add), bytes));
    to += std::popcount(eight);
  }
#else
  for (; chosen != 0; chosen &= chosen - 1)
    *to++ = T{static_cast<std::uint16_t>(numbers[std::countr_zero(chosen)] + add)};
#endif
  return to;
}

}  // namespace polymax
