// What this processor can do, and the floating-point mode of a computing thread.
#pragma once

#include "nn/cpu_engine.hpp"

namespace polymax {

// The first of available_isas() by speed; where a bf16 dot product competes with fp32, both are measured once.
Isa fastest_isa();

// Sums on denormal numbers are many times slower than others: while this lives they count as zero in this thread.
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
