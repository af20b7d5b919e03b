// The AMX convolution of src/nn/cpu_amx.inl with its tile instructions emulated, for machines that
// have AVX-512 with bf16 but no AMX. As Intel's manual defines TDPBF16PS: even and odd products are
// summed apart, each sum rounded to nearest even; denormal numbers are zero. Compiled with flags of
// its own: uses nothing inline of other files.
#include <immintrin.h>

#include <cstring>
#include <vector>

#include "nn/bf16.hpp"
#include "nn/cpu_kernels.hpp"

namespace polymax::nn {
namespace {

#include "nn/cpu_amx.inl"

struct Tile {
  unsigned char bytes[16][64];
};
thread_local Tile tiles[8];

float flushed(float x) {
  return x > -1.17549435e-38f && x < 1.17549435e-38f ? 0.0f : x;
}

float bf16_at(const unsigned char* row, int i) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, row + 2 * i, sizeof bits);
  const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
  float out = 0;
  std::memcpy(&out, &wide, sizeof out);
  return flushed(out);
}

struct EmulatedTiles {
  template <int kTo>
  static void load(const void* from, std::ptrdiff_t stride) {
    for (int row = 0; row < 16; ++row)
      std::memcpy(tiles[kTo].bytes[row], static_cast<const char*>(from) + row * stride, 64);
  }

  template <int kTo, int kA, int kB>
  static void multiply_add() {
    for (int m = 0; m < 16; ++m)
      for (int n = 0; n < 16; ++n) {
        float even = 0, odd = 0, sum = 0;
        for (int k = 0; k < 16; ++k) {
          even = flushed(even +
                         bf16_at(tiles[kA].bytes[m], 2 * k) * bf16_at(tiles[kB].bytes[k], 2 * n));
          odd = flushed(odd + bf16_at(tiles[kA].bytes[m], 2 * k + 1) *
                                  bf16_at(tiles[kB].bytes[k], 2 * n + 1));
        }
        std::memcpy(&sum, tiles[kTo].bytes[m] + 4 * n, sizeof sum);
        sum = flushed(flushed(sum) + flushed(even + odd));
        std::memcpy(tiles[kTo].bytes[m] + 4 * n, &sum, sizeof sum);
      }
  }

  template <int kFrom>
  static void store(float* to) {
    std::memcpy(to, tiles[kFrom].bytes, sizeof tiles[kFrom].bytes);
  }
};

void nothing() {}
double no_burn(long) {
  return 0;
}

}  // namespace

extern const Kernels kEmulatedAmxKernels;
const Kernels kEmulatedAmxKernels{
    sizeof(Element),     16,      kChannels, packed_bytes, pack, no_scratch,
    conv<EmulatedTiles>, nothing, nothing,   no_burn};

}  // namespace polymax::nn
