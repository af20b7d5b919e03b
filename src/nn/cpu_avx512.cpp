// CPU kernels for AVX-512 in fp32: 14 cells x 2 vectors of 16 channels in registers.
#include "nn/cpu_kernels.hpp"

#if defined(__AVX512F__)
#include <immintrin.h>

#include <utility>

namespace polymax::nn {
namespace {

using Element = float;
using Vector = __m512;
constexpr int kLanes = 16, kPair = 1, kMaxSegment = 14;

Vector load(const float* from) {
  return _mm512_loadu_ps(from);
}
Vector load_weights(const float* from) {
  return _mm512_loadu_ps(from);
}
Vector broadcast(const float* from) {
  return _mm512_set1_ps(*from);
}
Vector multiply_add(Vector sum, Vector x, Vector w) {
  return _mm512_fmadd_ps(x, w, sum);
}
void store(float* to, Vector values) {
  _mm512_storeu_ps(to, values);
}
void store_relu(float* to, Vector sum) {
  store(to, _mm512_max_ps(sum, _mm512_setzero_ps()));
}
float as_element(float x) {
  return x;
}

#include "nn/cpu_conv.inl"
#include "nn/cpu_winograd.inl"

}  // namespace

const Kernels kAvx512Kernels{sizeof(Element), kLanes, 2 * kLanes, packed_bytes, pack,
                             scratch_bytes,   conv,   enter,      leave,        burn};

}  // namespace polymax::nn
#else
#error "compile this file with -mavx512f"
#endif
