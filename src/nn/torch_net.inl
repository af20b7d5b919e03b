// The network as torch tensors and operations. Included by the torch_*.cpp files alone.
#pragma once

#include <torch/torch.h>

#include <span>
#include <string>
#include <vector>

#include "nn/net.hpp"

namespace polymax::torch_nn {

inline std::int64_t round_up(std::int64_t n, std::int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

// Weights on a device, convolutions in `type`, dense layers in fp32. Channels may be padded with zeros: GPUs are much
// faster at multiples of 32, and the values stay the same.
struct Weights {
  struct Layer {
    torch::Tensor weight, bias;
  };
  Layer stem, head, dense1, dense2;
  std::vector<Layer> convs;
  std::int64_t in_channels = 0;
  float scale = 1;

  Weights(const Net& net, torch::Device device, torch::ScalarType type, std::int64_t channel_multiple,
          std::int64_t plane_multiple)
      : in_channels(round_up(net.shape.input.planes, plane_multiple)), scale(net.scale) {
    const std::int64_t channels = round_up(net.shape.channels, channel_multiple);
    const auto conv = [&](const std::string& name, std::int64_t in) {
      return layer(net, name, {channels, in}, device, type);
    };
    stem = conv("stem", in_channels);
    for (int i = 0; i < net.shape.blocks; ++i)
      for (const char* part : {".conv1", ".conv2"}) convs.push_back(conv("block" + std::to_string(i) + part, channels));
    head = conv("head", channels);
    dense1 = layer(net, "dense1", {net.shape.dense, channels}, device, torch::kFloat32);
    dense2 = layer(net, "dense2", {net.shape.players, net.shape.dense}, device, torch::kFloat32);
  }

  // Copies the numbers of other weights of the same shape into these tensors, so that captured graphs see them.
  void copy_from(const Weights& other) {
    const auto copy = [](Layer& to, const Layer& from) {
      to.weight.copy_(from.weight);
      to.bias.copy_(from.bias);
    };
    copy(stem, other.stem);
    copy(head, other.head);
    copy(dense1, other.dense1);
    copy(dense2, other.dense2);
    for (std::size_t i = 0; i < convs.size(); ++i) copy(convs[i], other.convs[i]);
    scale = other.scale;
  }

 private:
  static Layer layer(const Net& net, const std::string& name, std::vector<std::int64_t> padded, torch::Device device,
                     torch::ScalarType type) {
    const Tensor &weight = net.tensor(name + ".weight"), &bias = net.tensor(name + ".bias");
    for (std::size_t d = 2; d < weight.dims.size(); ++d) padded.push_back(weight.dims[d]);
    torch::Tensor w = torch::zeros(padded), b = torch::zeros({padded[0]});
    auto source = torch::from_blob(const_cast<float*>(weight.values.data()), weight.dims);
    w.slice(0, 0, weight.dims[0]).slice(1, 0, weight.dims[1]).copy_(source);
    b.slice(0, 0, bias.dims[0]).copy_(torch::from_blob(const_cast<float*>(bias.values.data()), bias.dims));
    w = w.to(device, type);
    if (padded.size() == 4) w = w.contiguous(torch::MemoryFormat::ChannelsLast);
    return {w, b.to(device, type)};
  }
};

// Bit planes as floats [positions, planes, cells] on the CPU.
inline torch::Tensor unpack_on_cpu(std::span<const std::uint64_t> words, const PlaneShape& shape) {
  const auto positions = static_cast<std::int64_t>(words.size()) / shape.words();
  auto out = torch::empty({positions, shape.planes, shape.cells()});
  float* to = out.data_ptr<float>();
  const std::uint64_t* plane = words.data();
  for (std::int64_t k = 0; k < positions * shape.planes; ++k, plane += shape.words_per_plane())
    for (int i = 0; i < shape.cells(); ++i) *to++ = static_cast<float>(plane[i / 64] >> (i % 64) & 1);
  return out;
}

// Values of a batch whose hidden planes after the 1x1 convolution are `x`.
inline torch::Tensor pool_and_dense(const Weights& weights, const torch::Tensor& x) {
  const auto pooled = x.sum({2, 3}, false, torch::kFloat32);
  const auto hidden = torch::addmm(weights.dense1.bias, pooled, weights.dense1.weight.t()).relu_();
  return torch::addmm(weights.dense2.bias, hidden, weights.dense2.weight.t());
}

}  // namespace polymax::torch_nn
