// CPU kernels in plain C++: for machines without AVX2, and the reference that the others are compared with.
#include <algorithm>
#include <cstring>
#include <utility>

#include "nn/cpu_kernels.hpp"

namespace polymax::nn {
namespace {

using Element = float;
constexpr int kLanes = 8, kPair = 1, kMaxSegment = 4;
typedef float Vector
    __attribute__((vector_size(kLanes * sizeof(float))));  // of any compiler we support, for any processor

Vector load_bias(const float* from) {
  Vector out;
  std::memcpy(&out, from, sizeof out);
  return out;
}
Vector load_weights(const float* from) {
  return load_bias(from);
}
float broadcast(const float* from) {
  return *from;
}
Vector multiply_add(Vector sum, float x, Vector w) {
  return sum + x * w;
}
Vector add_skip(Vector sum, const float* skip) {
  return sum + load_bias(skip);
}
void store_relu(float* to, Vector sum) {
  for (int i = 0; i < kLanes; ++i) to[i] = std::max(0.0f, sum[i]);
}
float as_element(float x) {
  return x;
}

#include "nn/cpu_conv.inl"

}  // namespace

const Kernels kPlainKernels{"plain", sizeof(Element), kPair, 2 * kLanes, packed_bytes, pack, conv, enter, leave, burn};

}  // namespace polymax::nn
