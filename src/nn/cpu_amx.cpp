// CPU kernels for AMX: bf16 tiles of 16 x 32, fp32 sums. The instructions are written out: the
// compiler's own macros do not say which memory they read.
#include "nn/bf16.hpp"
#include "nn/cpu_kernels.hpp"

#if defined(__AMX_TILE__) && defined(__AMX_BF16__) && defined(__AVX512BF16__)
#include <immintrin.h>

#include <cstring>
#include <vector>

namespace polymax::nn {
namespace {

#include "nn/cpu_amx.inl"

struct TileUnit {
  template <int kTo>
  static void load(const void* from, std::ptrdiff_t stride) {
    asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(from), "r"(stride), "i"(kTo));
  }
  template <int kTo, int kA, int kB>
  static void multiply_add() {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(kTo), "i"(kA), "i"(kB));
  }
  template <int kFrom>
  static void store(float* to) {
    asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(to), "r"(std::ptrdiff_t{64}), "i"(kFrom)
                 : "memory");
  }
};

struct alignas(64) TileConfig {
  std::uint8_t palette, start_row, reserved[14];
  std::uint16_t row_bytes[16];
  std::uint8_t rows[16];
};

void enter() {
  TileConfig config{1, 0, {}, {}, {}};
  for (int i = 0; i < 8; ++i) {
    config.row_bytes[i] = 64;
    config.rows[i] = 16;
  }
  asm volatile("ldtilecfg %0" ::"m"(config));
}

void leave() {
  asm volatile("tilerelease");
}

double burn(long rounds) {
  alignas(64) Element data[2 * kTile];
  for (std::size_t i = 0; i < 2 * kTile; ++i)
    data[i] = as_element(0.5f + 0.01f * static_cast<float>(i * 7 % 31));
  alignas(64) const float zeros[16] = {};
  enter();
  memory_barrier();
  TileUnit::load<0>(zeros, 0);
  TileUnit::load<1>(zeros, 0);
  TileUnit::load<2>(zeros, 0);
  TileUnit::load<3>(zeros, 0);
  TileUnit::load<4>(data, 64);
  TileUnit::load<5>(data + kTile / 2, 64);
  TileUnit::load<6>(data, 64);
  TileUnit::load<7>(data + kTile, 64);
  for (long i = 0; i < rounds; ++i) {
    TileUnit::multiply_add<0, 4, 6>();
    TileUnit::multiply_add<1, 4, 7>();
    TileUnit::multiply_add<2, 5, 6>();
    TileUnit::multiply_add<3, 5, 7>();
  }
  leave();
  return 4.0 * 2 * 16 * 16 * 32 * static_cast<double>(rounds);
}

}  // namespace

const Kernels kAmxKernels{sizeof(Element), 16,    kChannels, packed_bytes, pack, no_scratch,
                          conv<TileUnit>,  enter, leave,     burn};

}  // namespace polymax::nn
#else
#error "compile this file with -mamx-tile -mamx-bf16 -mavx512f -mavx512bw -mavx512vl -mavx512bf16"
#endif
