// Bit planes to bf16 NHWC on the GPU: a position travels packed, one thread unpacks eight channels
// of a cell. And the last layer of the second head: only places that are asked for are computed,
// eight threads for each.
#include <cuda_bf16.h>

#include <cstdint>

namespace polymax::torch_nn {

namespace {

__global__ void unpack(const std::uint64_t* __restrict__ words, uint4* __restrict__ out, int total,
                       int planes, int words_per_plane, int cells, int groups) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= total) return;
  const int group = i % groups, cell = i / groups % cells, position = i / groups / cells;
  const std::uint64_t* plane =
      words + (static_cast<std::size_t>(position) * planes + group * 8) * words_per_plane +
      cell / 64;
  constexpr std::uint32_t kOne = 0x3f80;  // 1.0 in bf16
  std::uint32_t packed[4] = {0, 0, 0, 0};
#pragma unroll
  for (int k = 0; k < 8; ++k)
    if (group * 8 + k < planes && (plane[k * words_per_plane] >> (cell % 64) & 1))
      packed[k / 2] |= kOne << (k % 2 * 16);
  out[i] = make_uint4(packed[0], packed[1], packed[2], packed[3]);
}

// Sum of the products of eight bf16 numbers of each, in fp32.
__device__ float product(const uint4& a, const uint4& b) {
  const auto* x = reinterpret_cast<const __nv_bfloat162*>(&a);
  const auto* y = reinterpret_cast<const __nv_bfloat162*>(&b);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float2 u = __bfloat1622float2(x[k]), v = __bfloat1622float2(y[k]);
    sum = fmaf(u.x, v.x, fmaf(u.y, v.y, sum));
  }
  return sum;
}

constexpr unsigned kTeam = 8;  // threads that share a place

// count_and_asked: how many places are asked for, then these.
__global__ void logits_at(const uint4* __restrict__ cells_seen, const uint4* __restrict__ weights,
                          const __nv_bfloat16* __restrict__ bias,
                          const std::uint32_t* __restrict__ count_and_asked,
                          float* __restrict__ out, std::uint32_t cells, std::uint32_t planes,
                          std::uint32_t eighths) {
  const std::uint32_t count = count_and_asked[0], thread = threadIdx.x % kTeam,
                      teams = gridDim.x * (blockDim.x / kTeam);
  const unsigned mates = 0xffu << (threadIdx.x % 32 / kTeam * kTeam);
  for (std::uint32_t i = blockIdx.x * (blockDim.x / kTeam) + threadIdx.x / kTeam; i < count;
       i += teams) {
    const std::uint32_t asked = count_and_asked[1 + i], place = asked % (planes * cells);
    const std::uint32_t position = asked / (planes * cells), plane = place / cells;
    const uint4* seen =
        cells_seen + (static_cast<std::size_t>(position) * cells + place % cells) * eighths;
    const uint4* weight = weights + static_cast<std::size_t>(plane) * eighths;
    float sum = 0;
    for (std::uint32_t c = thread; c < eighths; c += kTeam) sum += product(seen[c], weight[c]);
    for (unsigned step = kTeam / 2; step > 0; step /= 2) sum += __shfl_xor_sync(mates, sum, step);
    if (thread == 0) out[i] = sum + __bfloat162float(bias[plane]);
  }
}

}  // namespace

// channels: planes rounded up to a multiple of 8.
void unpack_planes(const std::uint64_t* words, void* out, int positions, int planes,
                   int words_per_plane, int cells, int channels, cudaStream_t stream) {
  const int groups = channels / 8, total = positions * cells * groups;
  constexpr int kThreads = 256;
  unpack<<<(total + kThreads - 1) / kThreads, kThreads, 0, stream>>>(
      words, static_cast<uint4*>(out), total, planes, words_per_plane, cells, groups);
}

// seen: bf16 NHWC with `channels` numbers a cell, a multiple of 8; weights: as many for each plane.
// An asked place is position * planes * cells + plane * cells + cell.
void compute_logits(const void* seen, const void* weights, const void* bias,
                    const std::uint32_t* count_and_asked, float* out, int cells, int planes,
                    int channels, cudaStream_t stream) {
  constexpr int kThreads = 256, kBlocks = 1056;  // eight for each multiprocessor of an H200
  logits_at<<<kBlocks, kThreads, 0, stream>>>(
      static_cast<const uint4*>(seen), static_cast<const uint4*>(weights),
      static_cast<const __nv_bfloat16*>(bias), count_and_asked, out,
      static_cast<std::uint32_t>(cells), static_cast<std::uint32_t>(planes),
      static_cast<std::uint32_t>(channels / 8));
}

}  // namespace polymax::torch_nn
