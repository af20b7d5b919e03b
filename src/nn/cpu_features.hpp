// What this processor can do, and the floating-point mode of a computing thread.
#pragma once

#include "nn/cpu_engine.hpp"
#include "nn/cpu_kernels.hpp"

namespace polymax {

// Null for those that are not compiled in.
const nn::Kernels* kernels_of(Isa isa);

// The instruction set for networks of so many channels: AMX where there is one, else the widest,
// unless another is much faster in a short measurement with so many channels, 64 at most: narrow
// networks fit narrow vectors better. Much, so that the choice, and with it the last digits of
// values, does not change from one start to the next.
Isa fastest_isa(int channels);

// Sums on denormal numbers are many times slower than others: while this lives they count as zero
// in this thread.
class FlushDenormals {
 public:
  FlushDenormals();
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  unsigned before_ = 0;
};

}  // namespace polymax
