// CPU kernels in plain C++: for machines without AVX2, and the reference that the others are
// compared with.
#include <algorithm>
#include <cstring>
#include <utility>

#include "nn/cpu_kernels.hpp"

namespace polymax::nn {
namespace {

using Element = float;
constexpr int kLanes = 8, kPair = 1, kMaxSegment = 4;
// Of any compiler we support, for any processor.
typedef float Vector __attribute__((vector_size(kLanes * sizeof(float))));

Vector load(const float* from) {
  Vector out;
  std::memcpy(&out, from, sizeof out);
  return out;
}
Vector load_weights(const float* from) {
  return load(from);
}
float broadcast(const float* from) {
  return *from;
}
Vector multiply_add(Vector sum, float x, Vector w) {
  return sum + x * w;
}
void store_relu(float* to, Vector sum) {
  for (int i = 0; i < kLanes; ++i) to[i] = std::max(0.0f, sum[i]);
}
float as_element(float x) {
  return x;
}

#include "nn/cpu_conv.inl"

std::size_t no_scratch(int, bool) {
  return 0;
}

}  // namespace

const Kernels kPlainKernels{sizeof(Element), kPair,       2 * kLanes, direct_bytes, pack_direct,
                            no_scratch,      conv_direct, enter,      leave,        burn};

}  // namespace polymax::nn
