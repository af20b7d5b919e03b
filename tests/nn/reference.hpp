// The network in double precision, written from its definition: plain loops over unpacked planes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/rng.hpp"
#include "nn/net.hpp"

namespace polymax {

using Maps = std::vector<std::vector<double>>;  // [channel][cell]

inline Maps reference_conv(const Net& net, const std::string& name, const Maps& in,
                           const Maps* skip, bool relu = true) {
  const Tensor &weight = net.tensor(name + ".weight"), &bias = net.tensor(name + ".bias");
  const int height = net.shape.input.height, width = net.shape.input.width,
            side = static_cast<int>(weight.dims[2]);
  Maps out(static_cast<std::size_t>(weight.dims[0]),
           std::vector<double>(static_cast<std::size_t>(height * width)));
  for (std::size_t o = 0; o < out.size(); ++o)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        double sum = static_cast<double>(bias.values[o]);
        for (std::size_t i = 0; i < in.size(); ++i)
          for (int dy = 0; dy < side; ++dy)
            for (int dx = 0; dx < side; ++dx) {
              const int r = y + dy - side / 2, c = x + dx - side / 2;
              if (r < 0 || c < 0 || r >= height || c >= width) continue;
              const std::size_t at = ((o * in.size() + i) * static_cast<std::size_t>(side) +
                                      static_cast<std::size_t>(dy)) *
                                         static_cast<std::size_t>(side) +
                                     static_cast<std::size_t>(dx);
              sum += static_cast<double>(weight.values[at]) *
                     in[i][static_cast<std::size_t>(r * width + c)];
            }
        const auto cell = static_cast<std::size_t>(y * width + x);
        if (skip) sum += (*skip)[o][cell];
        out[o][cell] = relu ? std::max(0.0, sum) : sum;
      }
  return out;
}

inline std::vector<double> reference_dense(const Net& net, const std::string& name,
                                           const std::vector<double>& in, bool relu) {
  const Tensor &weight = net.tensor(name + ".weight"), &bias = net.tensor(name + ".bias");
  std::vector<double> out;
  for (std::size_t o = 0; o < static_cast<std::size_t>(weight.dims[0]); ++o) {
    double sum = static_cast<double>(bias.values[o]);
    for (std::size_t i = 0; i < in.size(); ++i)
      sum += static_cast<double>(weight.values[o * in.size() + i]) * in[i];
    out.push_back(relu ? std::max(0.0, sum) : sum);
  }
  return out;
}

// The planes behind the last block; planes: one position.
inline Maps reference_trunk(const Net& net, const std::uint64_t* planes) {
  const PlaneShape& input = net.shape.input;
  Maps maps(static_cast<std::size_t>(input.planes),
            std::vector<double>(static_cast<std::size_t>(input.cells())));
  const auto words = static_cast<std::size_t>(input.words_per_plane());
  for (std::size_t k = 0; k < maps.size(); ++k)
    for (std::size_t i = 0; i < maps[k].size(); ++i)
      maps[k][i] = static_cast<double>(planes[k * words + i / 64] >> (i % 64) & 1);
  Maps x = reference_conv(net, "stem", maps, nullptr);
  for (int b = 0; b < net.shape.blocks; ++b) {
    const std::string block = "block" + std::to_string(b);
    x = reference_conv(net, block + ".conv2", reference_conv(net, block + ".conv1", x, nullptr),
                       &x);
  }
  return x;
}

inline std::vector<double> reference_values(const Net& net, const std::uint64_t* planes) {
  const Maps x = reference_conv(net, "head", reference_trunk(net, planes), nullptr);
  std::vector<double> pooled;
  for (const auto& map : x) {
    double sum = 0;
    for (const double v : map) sum += v;
    pooled.push_back(sum);
  }
  auto out = reference_dense(net, "dense2", reference_dense(net, "dense1", pooled, true), false);
  for (auto& v : out) v *= static_cast<double>(net.scale);
  return out;
}

// [move plane][cell]
inline Maps reference_logits(const Net& net, const std::uint64_t* planes) {
  const Maps hidden = reference_conv(net, "prior1", reference_trunk(net, planes), nullptr);
  return reference_conv(net, "prior2", hidden, nullptr, false);
}

// A net whose outputs are of the size of one and differ between positions, biases included.
inline Net random_net(const NetShape& shape, std::uint64_t seed) {
  Net net = untrained_net(shape, "tictactoe", 1, seed);
  Rng rng(seed + 1);
  for (auto& tensor : net.tensors) {
    if (tensor.dims.size() == 1)
      for (auto& x : tensor.values) x = static_cast<float>(0.2 * (rng.uniform() - 0.5));
    if (tensor.name == "dense2.weight" || tensor.name == "prior2.weight")
      for (auto& x : tensor.values) x *= 10;
  }
  net.scale = 3;
  return net;
}

// Largest difference in units of the root mean square of the expected values.
template <class Expected>
double relative_error(const std::vector<Expected>& expected, const std::vector<float>& got) {
  double square = 0, largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto e = static_cast<double>(expected[i]);
    square += e * e;
    largest = std::max(largest, std::abs(e - static_cast<double>(got[i])));
  }
  return largest / std::sqrt(square / static_cast<double>(expected.size()));
}

// How far bf16 may be from fp32 on random boards of a shipped network, whichever engine computes
// it.
inline double shipped_bound(std::string_view game) {
  return game == "threehex" ? 6e-2 : 2e-2;
}

inline std::vector<std::uint64_t> random_planes(const PlaneShape& input, std::size_t positions,
                                                std::uint64_t seed) {
  Rng rng(seed);
  const auto words = static_cast<std::size_t>(input.words_per_plane());
  std::vector<std::uint64_t> out(positions * static_cast<std::size_t>(input.words()));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int left = input.cells() - 64 * static_cast<int>(i % words);
    out[i] = rng.next() & rng.next() & (left >= 64 ? ~0ull : (1ull << left) - 1);
  }
  return out;
}

// Places of moves for each position: some, in no order, also none.
struct AskedMoves {
  std::vector<std::uint32_t> ends;
  std::vector<std::uint16_t> places;
  std::vector<float> logits;

  MoveQuery query() { return {ends, places, logits}; }
};

inline AskedMoves random_moves(const NetShape& shape, std::size_t positions, std::uint64_t seed) {
  Rng rng(seed);
  AskedMoves out;
  for (std::size_t i = 0; i < positions; ++i) {
    for (std::uint32_t n = rng.below(40); n > 0; --n)
      out.places.push_back(
          static_cast<std::uint16_t>(rng.below(static_cast<std::uint32_t>(shape.places()))));
    out.ends.push_back(static_cast<std::uint32_t>(out.places.size()));
  }
  out.logits.assign(out.places.size(), NAN);
  return out;
}

inline std::vector<double> reference_logits(const Net& net,
                                            const std::vector<std::uint64_t>& planes,
                                            const AskedMoves& asked) {
  std::vector<double> out;
  const auto words = static_cast<std::size_t>(net.shape.input.words()),
             cells = static_cast<std::size_t>(net.shape.input.cells());
  for (std::size_t n = 0; n < asked.ends.size(); ++n) {
    const Maps all = reference_logits(net, planes.data() + n * words);
    for (; out.size() < asked.ends[n];) {
      const std::size_t place = asked.places[out.size()];
      out.push_back(all[place / cells][place % cells]);
    }
  }
  return out;
}

}  // namespace polymax
