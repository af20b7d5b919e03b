// CPU kernels in plain C++: for machines without AVX2, and the reference that the others are compared with.
#include <algorithm>
#include <array>
#include <utility>

#include "nn/cpu_kernels.hpp"

namespace polymax::nn {
namespace {

using Element = float;
constexpr int kLanes = 8, kPair = 1, kMaxSegment = 4;
using Vector = std::array<float, kLanes>;

Vector load_bias(const float* from) {
  Vector out;
  std::copy_n(from, kLanes, out.begin());
  return out;
}
Vector load_weights(const float* from) {
  return load_bias(from);
}
float broadcast(const float* from) {
  return *from;
}
Vector multiply_add(Vector sum, float x, const Vector& w) {
  for (std::size_t i = 0; i < kLanes; ++i) sum[i] += x * w[i];
  return sum;
}
Vector add_skip(Vector sum, const float* skip) {
  for (std::size_t i = 0; i < kLanes; ++i) sum[i] += skip[i];
  return sum;
}
void store_relu(float* to, const Vector& sum) {
  for (std::size_t i = 0; i < kLanes; ++i) to[i] = std::max(0.0f, sum[i]);
}
float as_element(float x) {
  return x;
}

#include "nn/cpu_conv.inl"

}  // namespace

const Kernels kPlainKernels{"plain", sizeof(Element), kPair, 2 * kLanes, packed_bytes, pack, conv, enter, leave, burn};

}  // namespace polymax::nn
