// What the CPU engine asks of an instruction set. Each cpu_<isa>.cpp is compiled with its own flags
// and offers one table; what is inline here is always inlined, so that no AVX-512 copy of a
// function ends up on an AVX2 machine.
//
// Activations of a chunk of boards are one stream of cells (NHWC): rows of width + 1 cells, the
// last one zero; height + 1 rows a board, the last one zero; so every cell has its eight neighbours
// at fixed distances and borders cost little.
#pragma once

#include <cstddef>
#include <cstdint>

namespace polymax::nn {

struct Stream {
  int boards, height, width;

  [[gnu::always_inline]] std::ptrdiff_t row_cells() const { return width + 1; }
  [[gnu::always_inline]] std::ptrdiff_t board_cells() const { return (height + 1) * row_cells(); }
  [[gnu::always_inline]] std::ptrdiff_t cells() const { return boards * board_cells(); }
  // Zero cells before the first and behind the last one, so that neighbours and whole blocks can be
  // read and written.
  [[gnu::always_inline]] std::ptrdiff_t lead_cells() const { return width + 2; }
  [[gnu::always_inline]] std::ptrdiff_t tail_cells() const { return width + 2 + 48; }
};

// One convolution with bias, optional skip connection and ReLU over a whole stream. Border cells of
// `out` stay zero. in, skip and out point to the first real cell; channels are the stored ones
// (padded with zeros).
struct ConvLayer {
  int in_channels, out_channels;
  bool is_3x3;          // else 1x1
  const void* weights;  // packed by `pack`
  const float* bias;    // out_channels
};

struct Kernels {
  int element_bytes;  // of activations: 4 = fp32, 2 = bf16
  int in_multiple;    // channels of the input planes are padded to this
  int out_multiple;   // channels of hidden layers are padded to this
  std::size_t (*packed_bytes)(int in_channels, int out_channels, bool is_3x3);
  // weights: [out][in][rows][columns] fp32, unpadded sizes given beside the stored ones.
  void (*pack)(const float* weights, int in, int out, int in_channels, int out_channels,
               bool is_3x3, void* packed);
  // Bytes that a conv needs for itself, best on a cache line; what they hold does not matter.
  std::size_t (*scratch_bytes)(int in_channels, bool is_3x3);
  void (*conv)(const ConvLayer& layer, const Stream& stream, const void* in, const void* skip,
               void* out, void* scratch);
  // Once in every thread that computes, before the first conv; undone by leave.
  void (*enter)();
  void (*leave)();
  // Multiplies and adds in registers alone, `rounds` times; returns the number of operations: the
  // machine's own peak.
  double (*burn)(long rounds);
};

extern const Kernels kPlainKernels, kAvx2Kernels, kAvx512Kernels, kAvx512Bf16Kernels, kAmxKernels;

}  // namespace polymax::nn
