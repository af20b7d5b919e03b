// Packs chosen bits of a word side by side: one instruction where the processor has it (BMI2), else
// a loop.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace polymax {

// The bits of `word` at the set bits of `mask`, lowest first.
inline std::uint64_t gather_bits(std::uint64_t word, std::uint64_t mask) {
#if defined(__BMI2__)
  return _pext_u64(word, mask);
#else
  std::uint64_t out = 0;
  for (int i = 0; mask != 0; mask &= mask - 1, ++i)
    out |= (word >> std::countr_zero(mask) & 1) << i;
  return out;
#endif
}

}  // namespace polymax
