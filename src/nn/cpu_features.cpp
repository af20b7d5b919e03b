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

// A small convolution that can be timed.
class Trial {
 public:
  Trial(const nn::Kernels& kernels, int wanted)
      : kernels_(kernels),
        channels_((wanted + kernels.out_multiple - 1) / kernels.out_multiple *
                  kernels.out_multiple) {
    const auto stored = static_cast<std::size_t>(channels_);
    const auto cells =
        static_cast<std::size_t>(kStream.lead_cells() + kStream.cells() + kStream.tail_cells());
    const std::vector<float> weights(stored * stored * 9, 0.01f);
    bias_.resize(stored);
    in_.resize(cells * stored);
    out_.resize(cells * stored);
    packed_.resize(kernels.packed_bytes(channels_, channels_, kIs3x3) / sizeof(float));
    scratch_.resize(kernels.scratch_bytes(channels_, kIs3x3));
    kernels.pack(weights.data(), channels_, channels_, channels_, channels_, kIs3x3,
                 packed_.data());
  }

  void run() {
    const nn::ConvLayer layer{channels_, channels_, kIs3x3, packed_.data(), bias_.data()};
    const auto lead =
        static_cast<std::ptrdiff_t>(kStream.lead_cells() * channels_ * kernels_.element_bytes);
    kernels_.enter();
    const double begin = thread_cpu_seconds();
    for (int i = 0; i < 2; ++i)
      kernels_.conv(layer, kStream, reinterpret_cast<char*>(in_.data()) + lead, nullptr,
                    reinterpret_cast<char*>(out_.data()) + lead, scratch_.data());
    best_ = std::min(best_, thread_cpu_seconds() - begin);
    kernels_.leave();
  }

  double best() const { return best_; }  // seconds

 private:
  static constexpr nn::Stream kStream{1, 14, 14};
  static constexpr bool kIs3x3 = true;

  const nn::Kernels& kernels_;
  int channels_;
  std::vector<float> bias_, in_, out_, packed_;
  std::vector<char> scratch_;
  double best_ = 1e9;
};

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

// In turn, so that a moment in which the machine is slow strikes all alike: the choice must not
// depend on it, since instruction sets round differently.
Isa find_fastest(int channels) {
  constexpr double kMuch = 1.25;
  constexpr int kRounds = 12;
  const auto isas = available_isas();
  if (isas.back() == Isa::amx) return Isa::amx;
  std::vector<Trial> trials;
  for (const Isa isa : isas) trials.emplace_back(*kernels_of(isa), channels);
  for (int round = 0; round < kRounds; ++round)
    for (Trial& trial : trials) trial.run();
  std::size_t best = isas.size() - 1;
  double least = trials[best].best() / kMuch;
  for (std::size_t i = 0; i + 1 < isas.size(); ++i)
    if (trials[i].best() < least) {
      best = i;
      least = trials[i].best();
    }
  return isas[best];
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
