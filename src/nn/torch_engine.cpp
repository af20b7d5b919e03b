// The torch module: its table, and the engine on the CPU, which is the twin of the GPU engine and a
// second opinion for our CPU engine.
#include <torch/torch.h>

#include <vector>

#include "core/error.hpp"
#include "nn/torch_cuda.inl"
#include "nn/torch_module.hpp"
#include "nn/torch_net.inl"
#include "nn/torch_trainer.hpp"

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
      : shape_(net.shape),
        max_batch_(max_batch),
        weights_(net, torch::kCPU, torch::kFloat32, 1, 1) {
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
    const PlaneShape& box = shape_.input;
    auto x = torch_nn::unpack_on_cpu(
                 {batch.planes, static_cast<std::size_t>(positions * box.words())}, box)
                 .view({positions, box.planes, box.height, box.width});
    const auto conv = [](const torch::Tensor& in, const Weights::Layer& layer,
                         std::int64_t padding) {
      return torch::conv2d(in, layer.weight, layer.bias, 1, padding);
    };
    x = conv(x, weights_.stem, 1).relu_();
    for (std::size_t i = 0; i < weights_.convs.size(); i += 2)
      x = (conv(conv(x, weights_.convs[i], 1).relu_(), weights_.convs[i + 1], 1) + x).relu_();
    const auto out =
        (pool_and_dense(weights_, conv(x, weights_.head, 0).relu_()) * weights_.scale).contiguous();
    std::copy_n(out.data_ptr<float>(), positions * shape_.players, batch.values);
  }

  void wait(int) override {}
  void set_weights(const Net& net) override {
    weights_.copy_from(Weights(net, torch::kCPU, torch::kFloat32, 1, 1));
  }

 private:
  NetShape shape_;
  int max_batch_;
  Weights weights_;
};

}  // namespace

namespace torch_nn {

std::unique_ptr<Device> make_device(const Net& net, const TorchSettings& settings) {
  check_shape(net.shape);
  if (!settings.cuda) return std::make_unique<CpuTorchDevice>(net, settings.max_batch);
  if (!cuda_usable())
    throw Error("there is no CUDA GPU here, or this build cannot use one", Error::Kind::failed);
  return make_cuda_device(net, settings);
}

}  // namespace torch_nn

extern "C" const TorchModule* polymax_torch_module() {
  static const TorchModule table{TorchModule::kVersion, &torch_nn::cuda_usable,
                                 &torch_nn::make_device, &torch_nn::make_torch_trainer};
  return &table;
}

}  // namespace polymax
