// Bit planes to bf16 NHWC on the GPU: a position travels packed, one thread unpacks eight channels of a cell. And back:
// of the logits of all places only those that are asked for travel, one thread for each.
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

// What lies behind the moves of this batch may be anything an earlier batch asked for.
__global__ void gather(const __nv_bfloat16* __restrict__ logits, const std::uint32_t* __restrict__ asked,
                       float* __restrict__ out, int count, std::uint32_t positions, std::uint32_t cells,
                       std::uint32_t planes, std::uint32_t stored_planes) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const std::uint32_t place = asked[i] % (planes * cells), position = asked[i] / (planes * cells);
  if (position >= positions) return;
  const std::size_t cell = static_cast<std::size_t>(position) * cells + place % cells;
  out[i] = __bfloat162float(logits[cell * stored_planes + place / cells]);
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

// logits: bf16 NHWC, stored_planes numbers a cell. asked: position * planes * cells + plane * cells + cell.
void gather_logits(const void* logits, const std::uint32_t* asked, float* out, int count, int positions, int cells,
                   int planes, int stored_planes, cudaStream_t stream) {
  constexpr int kThreads = 256;
  gather<<<(count + kThreads - 1) / kThreads, kThreads, 0, stream>>>(
      static_cast<const __nv_bfloat16*>(logits), asked, out, count, static_cast<std::uint32_t>(positions),
      static_cast<std::uint32_t>(cells), static_cast<std::uint32_t>(planes), static_cast<std::uint32_t>(stored_planes));
}

}  // namespace polymax::torch_nn
