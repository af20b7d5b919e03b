// CPU kernels for AVX2 and FMA: 6 cells x 2 vectors of 8 channels in registers.
#include "nn/cpu_kernels.hpp"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

#include <utility>

namespace polymax::nn {
namespace {

using Element = float;
using Vector = __m256;
constexpr int kLanes = 8, kPair = 1, kMaxSegment = 6;

Vector load(const float* from) {
  return _mm256_loadu_ps(from);
}
Vector load_weights(const float* from) {
  return _mm256_loadu_ps(from);
}
Vector broadcast(const float* from) {
  return _mm256_broadcast_ss(from);
}
Vector multiply_add(Vector sum, Vector x, Vector w) {
  return _mm256_fmadd_ps(x, w, sum);
}
void store(float* to, Vector values) {
  _mm256_storeu_ps(to, values);
}
void store_relu(float* to, Vector sum) {
  store(to, _mm256_max_ps(sum, _mm256_setzero_ps()));
}
float as_element(float x) {
  return x;
}

#include "nn/cpu_conv.inl"
#include "nn/cpu_winograd.inl"

}  // namespace

const Kernels kAvx2Kernels{sizeof(Element), kLanes, 2 * kLanes, packed_bytes, pack,
                           scratch_bytes,   conv,   enter,      leave,        burn};

}  // namespace polymax::nn
#else
#error "compile this file with -mavx2 -mfma"
#endif
