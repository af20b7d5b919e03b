// One convolution of every instruction set of this machine, and of the AMX code with emulated
// tiles, against plain loops in double precision over the same rounded numbers: all real cells, and
// zeros everywhere else.
#include "nn/cpu_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/rng.hpp"
#include "nn/bf16.hpp"
#include "nn/cpu_features.hpp"
#include "nn/net_file.hpp"

namespace polymax {

#ifdef __x86_64__
namespace nn {
extern const Kernels kEmulatedAmxKernels;
}
#endif

namespace {

using nn::Kernels;

struct NamedKernels {
  std::string_view name;
  const Kernels* kernels;
};

std::vector<NamedKernels> kernels_here() {
  std::vector<NamedKernels> out;
  for (const Isa isa : available_isas()) {
    out.push_back({kIsaNames[static_cast<std::size_t>(isa)], kernels_of(isa)});
#ifdef __x86_64__
    if (isa == Isa::avx512bf16) out.push_back({"emulated amx", &nn::kEmulatedAmxKernels});
#endif
  }
  return out;
}

struct Case {
  nn::Stream stream;
  int in, out;
  bool is_3x3, skip, in_place;
};

int round_up(int n, int multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

// Activations of a stream as the kernels hold them.
class Activations {
 public:
  Activations(const Kernels& kernels, const nn::Stream& stream, int channels)
      : bf16_(kernels.element_bytes == 2),
        stream_(stream),
        channels_(channels),
        bytes_(
            static_cast<std::size_t>((stream.lead_cells() + stream.cells() + stream.tail_cells()) *
                                     channels * kernels.element_bytes)) {}

  char* first() { return bytes_.data() + at(0, 0); }
  double get(std::ptrdiff_t cell, int channel) const {
    float x = 0;
    std::uint16_t bits = 0;
    if (!bf16_) std::memcpy(&x, bytes_.data() + at(cell, channel), 4);
    if (bf16_) std::memcpy(&bits, bytes_.data() + at(cell, channel), 2);
    return static_cast<double>(bf16_ ? from_bf16(bits) : x);
  }
  void set(std::ptrdiff_t cell, int channel, float x) {
    const std::uint16_t bits = to_bf16(x);
    bf16_ ? std::memcpy(bytes_.data() + at(cell, channel), &bits, 2)
          : std::memcpy(bytes_.data() + at(cell, channel), &x, 4);
  }
  // Random numbers in the real cells.
  void fill(Rng& rng, int channels) {
    for (std::ptrdiff_t cell = 0; cell < stream_.cells(); ++cell)
      for (int c = 0; c < channels && is_real(cell); ++c)
        set(cell, c, static_cast<float>(rng.uniform() - 0.4));
  }
  bool is_real(std::ptrdiff_t cell) const {
    const std::ptrdiff_t in_board = cell % stream_.board_cells();
    return cell >= 0 && cell < stream_.cells() && in_board / stream_.row_cells() < stream_.height &&
           in_board % stream_.row_cells() < stream_.width;
  }

 private:
  std::size_t at(std::ptrdiff_t cell, int channel) const {
    return static_cast<std::size_t>(((stream_.lead_cells() + cell) * channels_ + channel) *
                                    (bf16_ ? 2 : 4));
  }
  bool bf16_;
  nn::Stream stream_;
  int channels_;
  std::vector<char> bytes_;
};

class Checked {
 public:
  Checked(const Kernels& kernels, const Case& c, std::uint64_t seed)
      : kernels_(kernels),
        case_(c),
        stored_in_(round_up(c.in, kernels.in_multiple)),
        stored_out_(round_up(c.out, kernels.out_multiple)),
        in_(kernels, c.stream, stored_in_),
        skip_(kernels, c.stream, stored_out_),
        out_(kernels, c.stream, stored_out_) {
    Rng rng(seed);
    in_.fill(rng, c.in);
    skip_.fill(rng, c.out);
    if (!c.in_place) out_.fill(rng, c.out);  // what was there before does not matter
    const int side = c.is_3x3 ? 3 : 1;
    weights_.resize(static_cast<std::size_t>(c.out * c.in * side * side));
    for (auto& x : weights_) {
      x = static_cast<float>((rng.uniform() - 0.5) / std::sqrt(c.in * side));
      if (kernels.element_bytes == 2) x = from_bf16(to_bf16(x));
    }
    bias_.resize(static_cast<std::size_t>(stored_out_));
    for (int o = 0; o < c.out; ++o)
      bias_[static_cast<std::size_t>(o)] = static_cast<float>(rng.uniform() - 0.5);
  }

  void run() {
    std::vector<char> packed(kernels_.packed_bytes(stored_in_, stored_out_, case_.is_3x3));
    kernels_.pack(weights_.data(), case_.in, case_.out, stored_in_, stored_out_, case_.is_3x3,
                  packed.data());
    const nn::ConvLayer layer{stored_in_, stored_out_, case_.is_3x3, packed.data(), bias_.data()};
    if (case_.in_place) out_ = skip_;
    char* skip = case_.in_place ? out_.first() : skip_.first();
    std::vector<char> scratch(kernels_.scratch_bytes(stored_in_, case_.is_3x3));
    kernels_.enter();
    kernels_.conv(layer, case_.stream, in_.first(), case_.skip ? skip : nullptr, out_.first(),
                  scratch.data());
    kernels_.leave();
  }

  // Largest error of a real cell; infinite when a border cell or a padded channel is not zero.
  double error() const {
    const auto& s = case_.stream;
    std::vector<double> in;
    for (std::ptrdiff_t cell = -s.lead_cells(); cell < s.cells() + s.tail_cells(); ++cell)
      for (int i = 0; i < case_.in; ++i) in.push_back(in_.get(cell, i));
    double largest = 0;
    for (std::ptrdiff_t cell = -s.lead_cells(); cell < s.cells() + s.tail_cells(); ++cell)
      for (int o = 0; o < stored_out_; ++o) {
        const double got = out_.get(cell, o);
        if (o < case_.out && out_.is_real(cell))
          largest = std::max(largest, std::abs(got - expected(in, cell, o)));
        else if (got != 0)
          return INFINITY;
      }
    return largest;
  }

 private:
  double expected(const std::vector<double>& in, std::ptrdiff_t cell, int o) const {
    const int side = case_.is_3x3 ? 3 : 1;
    const auto& s = case_.stream;
    double sum = static_cast<double>(bias_[static_cast<std::size_t>(o)]);
    for (int dy = 0; dy < side; ++dy)
      for (int dx = 0; dx < side; ++dx) {
        const std::ptrdiff_t from =
            s.lead_cells() + cell + (dy - side / 2) * s.row_cells() + dx - side / 2;
        const double* x = in.data() + from * case_.in;
        const float* w = weights_.data() + (o * case_.in * side + dy) * side + dx;
        for (int i = 0; i < case_.in; ++i) sum += static_cast<double>(w[i * side * side]) * x[i];
      }
    if (case_.skip) sum += skip_.get(cell, o);
    return std::max(0.0, sum);
  }

  const Kernels& kernels_;
  Case case_;
  int stored_in_, stored_out_;
  Activations in_, skip_, out_;
  std::vector<float> weights_, bias_;
};

void check(const Case& c, std::uint64_t seed) {
  for (const auto& [name, kernels] : kernels_here()) {
    Checked checked(*kernels, c, seed);
    checked.run();
    EXPECT_LT(checked.error(), kernels->element_bytes == 2 ? 2e-2 : 1e-5)
        << name << ": " << c.stream.boards << " of " << c.stream.height << "x" << c.stream.width
        << ", " << c.in << " to " << c.out << (c.is_3x3 ? " 3x3" : " 1x1")
        << (c.skip ? " skip" : "") << (c.in_place ? " in place" : "");
  }
}

// All numbers of steps in which the AMX code spreads the work on the block before, and streams of
// one block and more.
TEST(cpu_kernels, ConvolutionsAreRight) {
  std::uint64_t seed = 0;
  for (const bool is_3x3 : {true, false})
    for (const int in : {3, 32, 64, 128})
      for (const auto& stream : {nn::Stream{1, 2, 3}, nn::Stream{1, 7, 8}, nn::Stream{3, 5, 6}})
        for (const int kind : {0, 1, 2})
          check({stream, in, ++seed % 2 == 0 ? 32 : 40, is_3x3, kind > 0, kind == 2}, seed);
}

TEST(cpu_kernels, BoardsInUseAreRight) {
  for (const auto& stream : {nn::Stream{2, 8, 11}, nn::Stream{1, 14, 14}, nn::Stream{1, 20, 20}})
    check({stream, 24, 64, true, true, true}, 7);
  check({{3, 13, 13}, 64, 64, true, true, true}, 8);
}

}  // namespace
}  // namespace polymax
