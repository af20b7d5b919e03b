// libtorch on the CPU: the twin of the GPU engine, and a second opinion for the CPU engine.
#include "nn/torch_engine.hpp"

#include <torch/torch.h>

#include <vector>

#include "core/error.hpp"
#include "nn/torch_cuda.hpp"
#include "nn/torch_net.inl"

namespace polymax {

namespace {

using torch_nn::Weights;

struct PlainBatch : HostBatch {
  PlainBatch(std::size_t words, std::size_t floats) : words_(words), floats_(floats) {
    planes = words_.data();
    values = floats_.data();
  }
  std::vector<std::uint64_t> words_;
  std::vector<float> floats_;
};

// Computes in launch(), in the caller's thread alone.
class CpuTorchDevice final : public Device {
 public:
  CpuTorchDevice(const Net& net, int max_batch)
      : shape_(net.shape), max_batch_(max_batch), weights_(net, torch::kCPU, torch::kFloat32, 1, 1) {
    at::set_num_threads(1);
  }

  const NetShape& shape() const override { return shape_; }
  int lanes() const override { return 1; }
  int max_batch() const override { return max_batch_; }

  std::unique_ptr<HostBatch> make_batch() override {
    const auto most = static_cast<std::size_t>(max_batch_);
    return std::make_unique<PlainBatch>(most * static_cast<std::size_t>(shape_.input.words()),
                                        most * static_cast<std::size_t>(shape_.players));
  }

  void launch(int, HostBatch& batch, int positions) override {
    const torch::NoGradGuard no_grad;
    auto x = unpack(batch.planes, positions);
    const auto conv = [](const torch::Tensor& in, const Weights::Layer& layer, std::int64_t padding) {
      return torch::conv2d(in, layer.weight, layer.bias, 1, padding);
    };
    x = conv(x, weights_.stem, 1).relu_();
    for (std::size_t i = 0; i < weights_.convs.size(); i += 2)
      x = (conv(conv(x, weights_.convs[i], 1).relu_(), weights_.convs[i + 1], 1) + x).relu_();
    const auto out = (pool_and_dense(weights_, conv(x, weights_.head, 0).relu_()) * weights_.scale).contiguous();
    std::copy_n(out.data_ptr<float>(), positions * shape_.players, batch.values);
  }

  void wait(int) override {}
  void set_weights(const Net& net) override { weights_.copy_from(Weights(net, torch::kCPU, torch::kFloat32, 1, 1)); }

 private:
  torch::Tensor unpack(const std::uint64_t* planes, int positions) const {
    const PlaneShape& in = shape_.input;
    auto x = torch::zeros({positions, in.planes, in.height * in.width});
    auto at = x.accessor<float, 3>();
    for (int n = 0; n < positions; ++n)
      for (int k = 0; k < in.planes; ++k, planes += in.words_per_plane())
        for (int i = 0; i < in.cells(); ++i) at[n][k][i] = static_cast<float>(planes[i / 64] >> (i % 64) & 1);
    return x.view({positions, in.planes, in.height, in.width});
  }

  NetShape shape_;
  int max_batch_;
  Weights weights_;
};

}  // namespace

bool torch_built() {
  return true;
}

std::unique_ptr<Device> make_torch_device(const Net& net, const TorchSettings& settings) {
  check_shape(net.shape);
  if (!settings.cuda) return std::make_unique<CpuTorchDevice>(net, settings.max_batch);
  if (!cuda_available()) throw Error("there is no CUDA GPU here, or this build cannot use one", Error::Kind::failed);
  return torch_nn::make_cuda_device(net, settings);
}

}  // namespace polymax
