// The network as torch tensors and operations, and how its weights lie in one flat piece of memory.
// Included by the torch_*.cpp files alone.
#pragma once

#include <torch/torch.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "nn/net.hpp"

namespace polymax::torch_nn {

inline std::int64_t round_up(std::int64_t n, std::int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

struct Layer {
  torch::Tensor weight, bias;
};

// All of a network, in the order of layout().
struct Layers {
  Layer stem, head, dense1, dense2;
  Layer prior1, prior2;      // the second head; none without
  std::vector<Layer> convs;  // two for each block

  // tensors: weight, bias, weight, bias, ...
  Layers(const std::vector<torch::Tensor>& tensors, const NetShape& shape) {
    std::size_t next = 0;
    const auto take = [&] {
      next += 2;
      return Layer{tensors[next - 2], tensors[next - 1]};
    };
    stem = take();
    for (int i = 0; i < 2 * shape.blocks; ++i) convs.push_back(take());
    head = take();
    dense1 = take();
    dense2 = take();
    if (shape.move_planes == 0) return;
    prior1 = take();
    prior2 = take();
  }
};

// The forward pass, for every engine and for training: planes to what both heads see, and the
// heads. conv(x, layer, padding, skip): a convolution, plus skip unless that is null, through ReLU.
template <class Conv>
torch::Tensor trunk(const Layers& layers, torch::Tensor x, const Conv& conv) {
  x = conv(x, layers.stem, 1, nullptr);
  for (std::size_t i = 0; i < layers.convs.size(); i += 2) {
    const auto inner = conv(x, layers.convs[i], 1, nullptr);
    x = conv(inner, layers.convs[i + 1], 1, &x);
  }
  return x;
}

// Values are in units of what the last layer was packed with.
template <class Conv>
torch::Tensor values_of(const Layers& layers, const torch::Tensor& x, const Conv& conv) {
  const auto pooled = conv(x, layers.head, 0, nullptr).sum({2, 3}, false, torch::kFloat32);
  const auto hidden = torch::addmm(layers.dense1.bias, pooled, layers.dense1.weight.t()).relu_();
  return torch::addmm(layers.dense2.bias, hidden, layers.dense2.weight.t());
}

// [positions, move planes, rows, columns]
template <class Conv>
torch::Tensor logits_of(const Layers& layers, const torch::Tensor& x, const Conv& conv) {
  const auto seen = conv(x, layers.prior1, 0, nullptr);
  return torch::conv2d(seen, layers.prior2.weight, layers.prior2.bias);
}

inline torch::Tensor plain_conv(const torch::Tensor& x, const torch::Tensor& weight,
                                const torch::Tensor& bias, std::int64_t padding,
                                const torch::Tensor* skip) {
  auto out = torch::conv2d(x, weight, bias, 1, padding);
  return skip ? (out + *skip).relu_() : out.relu_();
}

// Where each tensor of a network lies in a flat piece of memory: convolutions in the type of
// its form and, on request, channels last, dense layers in fp32. Channels may be padded with zeros:
// GPUs are much faster at multiples of 32, and the values stay the same. The last layer is
// multiplied by the network's scale, so that values come out in points.
class FlatLayout {
 public:
  struct Form {
    torch::ScalarType type;
    bool channels_last = false;
    std::int64_t channel_multiple = 1, plane_multiple = 1;  // that channels are padded to
  };

  FlatLayout(const NetShape& shape, const Form& form)
      : shape_(shape),
        channels_last_(form.channels_last),
        in_channels_(round_up(shape.input.planes, form.plane_multiple)) {
    const std::int64_t channels = round_up(shape.channels, form.channel_multiple);
    for (const auto& tensor : layout(shape)) {
      const bool dense = tensor.name.starts_with("dense"), stem = tensor.name.starts_with("stem");
      Part part{tensor.name, tensor.dims, dense ? torch::kFloat32 : form.type, bytes_};
      if (!dense) part.dims[0] = tensor.name.starts_with("prior2") ? shape.move_planes : channels;
      if (part.dims.size() == 4) part.dims[1] = stem ? in_channels_ : channels;
      if (tensor.name == "dense1.weight") part.dims[1] = channels;
      std::int64_t count = 1;
      for (const auto d : part.dims) count *= d;
      bytes_ += static_cast<std::size_t>(
          round_up(count * static_cast<std::int64_t>(torch::elementSize(part.type)), 256));
      parts_.push_back(std::move(part));
    }
  }

  std::size_t bytes() const { return bytes_; }
  std::int64_t in_channels() const { return in_channels_; }

  std::vector<std::byte> pack(const Net& net) const {
    const torch::NoGradGuard no_grad;
    std::vector<std::byte> out(bytes_);
    for (const Part& part : parts_) {
      const Tensor& tensor = net.tensor(part.name);
      const auto source = torch::from_blob(const_cast<float*>(tensor.values.data()), tensor.dims);
      torch::Tensor padded = torch::zeros(part.dims);
      auto inner = padded;
      for (std::size_t d = 0; d < tensor.dims.size(); ++d)
        inner = inner.slice(static_cast<std::int64_t>(d), 0, tensor.dims[d]);
      inner.copy_(source);
      if (part.name.starts_with("dense2")) padded.mul_(net.scale);
      padded = padded.to(part.type);
      if (part.dims.size() == 4 && channels_last_)
        padded = padded.contiguous(torch::MemoryFormat::ChannelsLast);
      std::memcpy(out.data() + part.offset, padded.data_ptr(), padded.nbytes());
    }
    return out;
  }

  // The tensors of a network that lies at `memory`.
  Layers at(std::byte* memory, torch::Device device) const {
    std::vector<torch::Tensor> tensors;
    for (const Part& part : parts_) {
      const auto options = torch::TensorOptions().device(device).dtype(part.type);
      const auto& d = part.dims;
      if (d.size() == 4 && channels_last_)
        tensors.push_back(torch::from_blob(memory + part.offset, d,
                                           {d[1] * d[2] * d[3], 1, d[3] * d[1], d[1]}, options));
      else
        tensors.push_back(torch::from_blob(memory + part.offset, d, options));
    }
    return Layers(tensors, shape_);
  }

 private:
  struct Part {
    std::string name;
    std::vector<std::int64_t> dims;  // padded
    torch::ScalarType type;
    std::size_t offset;
  };

  NetShape shape_;
  bool channels_last_;
  std::int64_t in_channels_;
  std::size_t bytes_ = 0;
  std::vector<Part> parts_;
};

// Bit planes as floats [positions, planes, cells] on the CPU.
inline torch::Tensor unpack_on_cpu(std::span<const std::uint64_t> words, const PlaneShape& shape) {
  const auto positions = static_cast<std::int64_t>(words.size()) / shape.words();
  auto out = torch::empty({positions, shape.planes, shape.cells()});
  float* to = out.data_ptr<float>();
  const std::uint64_t* plane = words.data();
  for (std::int64_t k = 0; k < positions * shape.planes; ++k, plane += shape.words_per_plane())
    for (int i = 0; i < shape.cells(); ++i)
      *to++ = static_cast<float>(plane[i / 64] >> (i % 64) & 1);
  return out;
}

}  // namespace polymax::torch_nn
