// CPU kernels for AVX-512 with bf16 dot products: pairs of bf16 values, fp32 sums. Twice the fp32
// rate on cores whose dot product runs at full speed (Zen 4 and later), half of it on others; the
// engine measures before it chooses.
#include "nn/bf16.hpp"
#include "nn/cpu_kernels.hpp"

#if defined(__AVX512F__) && defined(__AVX512BF16__) && defined(__AVX512BW__)
#include <immintrin.h>

#include <cstring>
#include <utility>

namespace polymax::nn {
namespace {

using Element = std::uint16_t;  // bf16 bits
using Vector = __m512;
constexpr int kLanes = 16, kPair = 2, kMaxSegment = 14;

Vector load(const float* from) {
  return _mm512_loadu_ps(from);
}
__m512bh load_weights(const Element* from) {
  return reinterpret_cast<__m512bh>(_mm512_loadu_si512(from));
}
__m512bh broadcast(const Element* from) {
  int pair = 0;
  std::memcpy(&pair, from, sizeof pair);
  return reinterpret_cast<__m512bh>(_mm512_set1_epi32(pair));
}
Vector multiply_add(Vector sum, __m512bh x, __m512bh w) {
  return _mm512_dpbf16_ps(sum, x, w);
}
Vector load(const Element* from) {
  const __m512i wide =
      _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
  return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
}
void store(Element* to, Vector values) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                      reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(values)));
}
void store_relu(Element* to, Vector sum) {
  store(to, _mm512_max_ps(sum, _mm512_setzero_ps()));
}
void store(float* to, Vector values) {
  _mm512_storeu_ps(to, values);
}
Element as_element(float x) {
  return to_bf16(x);
}

#include "nn/cpu_conv.inl"
#include "nn/cpu_winograd.inl"

}  // namespace

const Kernels kAvx512Bf16Kernels{sizeof(Element), kLanes, 2 * kLanes, packed_bytes, pack,
                                 scratch_bytes,   conv,   enter,      leave,        burn};

}  // namespace polymax::nn
#else
#error "compile this file with -mavx512f -mavx512bw -mavx512bf16"
#endif
