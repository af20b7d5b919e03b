// CPU kernels for AMX: bf16 tiles of 16 x 32, fp32 sums. Blocks of 32 cells of the stream x 32 output channels (2 x 2
// tiles); blocks run across rows and boards, border cells are computed and then cleared, which wastes less than a tail
// in every row. A 3x3 window is three runs of 3 * in_channels contiguous values, taken 32 at a time.
#include "nn/cpu_kernels.hpp"

#if defined(__AMX_TILE__) && defined(__AMX_BF16__) && defined(__AVX512BF16__)
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace polymax::nn {
namespace {

using Element = std::uint16_t;                          // bf16 bits
constexpr int kCells = 32, kChannels = 32, kStep = 32;  // of a block; kStep values are multiplied at once
constexpr std::size_t kTile = 16 * 32;                  // elements of a weight tile

struct alignas(64) TileConfig {
  std::uint8_t palette = 1, start_row = 0;
  std::array<std::uint8_t, 14> reserved{};
  std::array<std::uint16_t, 16> row_bytes{};
  std::array<std::uint8_t, 16> rows{};
};

void enter() {
  TileConfig config;
  for (std::size_t i = 0; i < 8; ++i) {
    config.row_bytes[i] = 64;
    config.rows[i] = 16;
  }
  _tile_loadconfig(&config);
}

void leave() {
  _tile_release();
}

// Values of a run, rounded up to whole steps; what is read beyond meets zero weights.
int run_steps(int in_channels, bool three) {
  return ((three ? 3 : 1) * in_channels + kStep - 1) / kStep;
}

std::size_t packed_bytes(int in_channels, int out_channels, bool three) {
  const auto steps = static_cast<std::size_t>((three ? 3 : 1) * run_steps(in_channels, three));
  return sizeof(Element) * steps * 2 * kTile * static_cast<std::size_t>(out_channels / kChannels);
}

Element as_element(float x) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return static_cast<Element>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// [block of 32 outputs][run][step][2 tiles]; a tile holds 16 rows of 16 outputs x 2 neighbouring inputs.
void pack(const float* weights, int in, int out, int in_channels, int out_channels, bool three, void* packed) {
  const int side = three ? 3 : 1, steps = run_steps(in_channels, three);
  auto* to = static_cast<Element*>(packed);
  for (int first = 0; first < out_channels; first += kChannels)
    for (int row = 0; row < side; ++row)
      for (int step = 0; step < steps; ++step)
        for (int tile = 0; tile < 2; ++tile)
          for (int pair = 0; pair < 16; ++pair)
            for (int lane = 0; lane < 16; ++lane)
              for (int half = 0; half < 2; ++half) {
                const int k = step * kStep + 2 * pair + half, o = first + 16 * tile + lane;
                const int column = k / in_channels, i = k % in_channels;
                const bool real = column < side && i < in && o < out;
                const std::ptrdiff_t at = ((std::ptrdiff_t{o} * in + i) * side + row) * side + column;
                *to++ = as_element(real ? weights[at] : 0.0f);
              }
}

// Sums of one block of 32 cells x 32 channels, in two halves of 16 channels.
struct Sums {
  alignas(64) float values[2][kCells][16];
};

void multiply(const Element* in, std::ptrdiff_t run_stride, int runs, int steps, std::ptrdiff_t cell_stride,
              const Element* weights, const float* bias, Sums& sums) {
  // all rows of a tile begin with the bias: stride 0
  _tile_loadd(0, bias, 0);
  _tile_loadd(1, bias + 16, 0);
  _tile_loadd(2, bias, 0);
  _tile_loadd(3, bias + 16, 0);
  const auto stride = static_cast<long>(cell_stride * static_cast<std::ptrdiff_t>(sizeof(Element)));
  for (int run = 0; run < runs; ++run) {
    const Element* cells = in + run * run_stride;
    for (int step = 0; step < steps; ++step, cells += kStep, weights += 2 * kTile) {
      _tile_loadd(4, cells, stride);
      _tile_loadd(6, weights, 64);
      _tile_dpbf16ps(0, 4, 6);
      _tile_loadd(7, weights + kTile, 64);
      _tile_dpbf16ps(1, 4, 7);
      _tile_loadd(5, cells + 16 * cell_stride, stride);
      _tile_dpbf16ps(2, 5, 6);
      _tile_dpbf16ps(3, 5, 7);
    }
  }
  _tile_stored(0, sums.values[0][0], 64);
  _tile_stored(1, sums.values[1][0], 64);
  _tile_stored(2, sums.values[0][16], 64);
  _tile_stored(3, sums.values[1][16], 64);
  asm volatile("" ::: "memory");  // the tile stores are no memory writes to this compiler
}

__m512 widen(const Element* from) {
  const __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
  return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
}

// Skip connection, ReLU, rounding; border cells become zero. `real` has a bit for each cell of the block.
void finish(const Sums& sums, std::uint32_t real, const Element* skip, Element* out, std::ptrdiff_t out_stride) {
  for (int cell = 0; cell < kCells; ++cell, out += out_stride) {
    __m512 low = _mm512_load_ps(sums.values[0][cell]), high = _mm512_load_ps(sums.values[1][cell]);
    if (skip) {
      low = _mm512_add_ps(low, widen(skip));
      high = _mm512_add_ps(high, widen(skip + 16));
      skip += out_stride;
    }
    const __mmask16 keep = (real >> cell & 1) ? 0xffff : 0;
    low = _mm512_maskz_max_ps(keep, low, _mm512_setzero_ps());
    high = _mm512_maskz_max_ps(keep, high, _mm512_setzero_ps());
    _mm512_storeu_si512(out, reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(high, low)));
  }
}

// For each block of 32 cells of a stream, which of them are real ones.
const std::vector<std::uint32_t>& real_cells(const Stream& stream) {
  thread_local std::vector<std::uint32_t> masks;
  thread_local Stream known{0, 0, 0};
  if (known.boards == stream.boards && known.height == stream.height && known.width == stream.width) return masks;
  known = stream;
  masks.assign(static_cast<std::size_t>((stream.cells() + kCells - 1) / kCells), 0);
  for (int board = 0; board < stream.boards; ++board)
    for (int row = 0; row < stream.height; ++row)
      for (int column = 0; column < stream.width; ++column) {
        const auto cell = static_cast<std::size_t>(board * stream.board_cells() + row * stream.row_cells() + column);
        masks[cell / kCells] |= 1u << (cell % kCells);
      }
  return masks;
}

void conv(const ConvLayer& layer, const Stream& stream, const void* in, const void* skip, void* out) {
  const int runs = layer.three ? 3 : 1, steps = run_steps(layer.in_channels, layer.three);
  const std::ptrdiff_t window = layer.three ? stream.row_cells() + 1 : 0;
  const auto& real = real_cells(stream);
  const auto* weights = static_cast<const Element*>(layer.weights);
  Sums sums;
  for (int first = 0; first < layer.out_channels; first += kChannels) {
    for (std::ptrdiff_t cell = 0; cell < stream.cells(); cell += kCells) {
      asm volatile("" ::: "memory");  // nor are the tile loads reads
      multiply(static_cast<const Element*>(in) + (cell - window) * layer.in_channels,
               stream.row_cells() * layer.in_channels, runs, steps, layer.in_channels, weights, layer.bias + first,
               sums);
      const std::ptrdiff_t at = cell * layer.out_channels + first;
      finish(sums, real[static_cast<std::size_t>(cell / kCells)],
             skip ? static_cast<const Element*>(skip) + at : nullptr, static_cast<Element*>(out) + at,
             layer.out_channels);
    }
    weights += static_cast<std::size_t>(runs * steps) * 2 * kTile;
  }
}

double burn(long rounds) {
  alignas(64) std::array<Element, 2 * kTile> data;
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = as_element(0.5f + 0.01f * static_cast<float>(i * 7 % 31));
  enter();
  asm volatile("" ::: "memory");
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_loadd(4, data.data(), 64);
  _tile_loadd(5, data.data() + kTile / 2, 64);
  _tile_loadd(6, data.data(), 64);
  _tile_loadd(7, data.data() + kTile, 64);
  for (long i = 0; i < rounds; ++i) {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  leave();
  return 4.0 * 2 * 16 * 16 * 32 * static_cast<double>(rounds);
}

}  // namespace

const Kernels kAmxKernels{"amx", sizeof(Element), 16, kChannels, packed_bytes, pack, conv, enter, leave, burn};

}  // namespace polymax::nn
#else
#error "compile this file with -mamx-tile -mamx-bf16 -mavx512f -mavx512bw -mavx512vl -mavx512bf16"
#endif
