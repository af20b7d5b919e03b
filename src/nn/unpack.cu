// Bit planes to bf16 NHWC on the GPU: a position travels packed, one thread unpacks eight channels of a cell.
#include <cuda_bf16.h>

#include <cstdint>

namespace polymax::torch_nn {

namespace {

__global__ void unpack(const std::uint64_t* __restrict__ words, uint4* __restrict__ out, int total, int planes,
                       int words_per_plane, int cells, int groups) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= total) return;
  const int group = i % groups, cell = i / groups % cells, position = i / groups / cells;
  const std::uint64_t* plane = words + (static_cast<std::size_t>(position) * planes + group * 8) * words_per_plane + cell / 64;
  constexpr std::uint32_t kOne = 0x3f80;  // 1.0 in bf16
  std::uint32_t packed[4] = {0, 0, 0, 0};
#pragma unroll
  for (int k = 0; k < 8; ++k)
    if (group * 8 + k < planes && (plane[k * words_per_plane] >> (cell % 64) & 1)) packed[k / 2] |= kOne << (k % 2 * 16);
  out[i] = make_uint4(packed[0], packed[1], packed[2], packed[3]);
}

}  // namespace

// channels: planes rounded up to a multiple of 8.
void unpack_planes(const std::uint64_t* words, void* out, int positions, int planes, int words_per_plane, int cells,
                   int channels, cudaStream_t stream) {
  const int groups = channels / 8, total = positions * cells * groups;
  constexpr int kThreads = 256;
  unpack<<<(total + kThreads - 1) / kThreads, kThreads, 0, stream>>>(words, static_cast<uint4*>(out), total, planes,
                                                                     words_per_plane, cells, groups);
}

}  // namespace polymax::torch_nn
