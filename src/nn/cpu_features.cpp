#include "nn/cpu_features.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "core/clock.hpp"

#ifdef POLYMAX_X86
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xmmintrin.h>
#endif

namespace polymax {

namespace {

#ifdef POLYMAX_X86

// The kernel must allow tile data once a process.
bool amx_allowed() {
  constexpr int kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

bool has_amx() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  constexpr unsigned kBf16 = 1u << 22, kTile = 1u << 24;
  return (d & kBf16) && (d & kTile) && amx_allowed();
}

bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl");
}

#endif

// Seconds for a small convolution, the best of a few.
double time_of(const nn::Kernels& kernels, int wanted) {
  const int channels =
      (wanted + kernels.out_multiple - 1) / kernels.out_multiple * kernels.out_multiple;
  const auto stored = static_cast<std::size_t>(channels);
  const nn::Stream stream{1, 14, 14};
  const auto cells =
      static_cast<std::size_t>(stream.lead_cells() + stream.cells() + stream.tail_cells());
  std::vector<float> weights(stored * stored * 9, 0.01f), bias(stored, 0.0f);
  std::vector<float> packed(kernels.packed_bytes(channels, channels, true) / sizeof(float));
  std::vector<float> in(cells * stored, 0.0f), out(cells * stored, 0.0f);
  kernels.pack(weights.data(), channels, channels, channels, channels, true, packed.data());
  const nn::ConvLayer layer{channels, channels, true, packed.data(), bias.data()};
  std::vector<char> scratch(kernels.scratch_bytes(channels, true));
  const auto lead =
      static_cast<std::ptrdiff_t>(stream.lead_cells() * channels * kernels.element_bytes);
  double best = 1e9;
  kernels.enter();
  for (int i = 0; i < 6; ++i) {
    const double begin = thread_cpu_seconds();
    for (int j = 0; j < 2; ++j)
      kernels.conv(layer, stream, reinterpret_cast<char*>(in.data()) + lead, nullptr,
                   reinterpret_cast<char*>(out.data()) + lead, scratch.data());
    best = std::min(best, thread_cpu_seconds() - begin);
  }
  kernels.leave();
  return best;
}

std::vector<Isa> find_isas() {
  std::vector<Isa> out{Isa::plain};
#ifdef POLYMAX_X86
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) out.push_back(Isa::avx2);
  if (has_avx512()) out.push_back(Isa::avx512);
  if (has_avx512() && __builtin_cpu_supports("avx512bf16")) out.push_back(Isa::avx512bf16);
  // its vector work rounds to bf16 by itself
  if (has_avx512() && __builtin_cpu_supports("avx512bf16") && has_amx()) out.push_back(Isa::amx);
#endif
  return out;
}

Isa find_fastest(int channels) {
  constexpr double kMuch = 1.25;
  Isa best = available_isas().back();
  if (best == Isa::amx) return best;
  double least = time_of(*kernels_of(best), channels) / kMuch;
  for (const Isa isa : available_isas()) {
    if (isa == available_isas().back()) break;
    const double seconds = time_of(*kernels_of(isa), channels);
    if (seconds < least) best = isa;
    least = std::min(least, seconds);
  }
  return best;
}

}  // namespace

const nn::Kernels* kernels_of(Isa isa) {
  switch (isa) {
    case Isa::plain:
      return &nn::kPlainKernels;
#ifdef POLYMAX_X86
    case Isa::avx2:
      return &nn::kAvx2Kernels;
    case Isa::avx512:
      return &nn::kAvx512Kernels;
    case Isa::avx512bf16:
      return &nn::kAvx512Bf16Kernels;
    case Isa::amx:
      return &nn::kAmxKernels;
#endif
    default:
      return nullptr;
  }
}

std::vector<Isa> available_isas() {
  static const std::vector<Isa> all = find_isas();
  return all;
}

Isa fastest_isa(int channels) {
  constexpr int kMost = 64;  // as for wider ones
  static std::mutex mutex;
  static std::map<int, Isa> known;
  const std::lock_guard lock(mutex);
  const int asked = std::min(channels, kMost);
  if (!known.contains(asked)) known[asked] = find_fastest(asked);
  return known[asked];
}

#ifdef POLYMAX_X86
FlushDenormals::FlushDenormals() : before_(_mm_getcsr()) {
  constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040;
  _mm_setcsr(before_ | kFlushToZero | kDenormalsAreZero);
}
FlushDenormals::~FlushDenormals() {
  _mm_setcsr(before_);
}
#else
FlushDenormals::FlushDenormals() = default;
FlushDenormals::~FlushDenormals() = default;
#endif

}  // namespace polymax
