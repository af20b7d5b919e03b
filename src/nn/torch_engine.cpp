// The torch module: its table, and the engine on the CPU, which is the twin of the GPU engine and a
// second opinion for our CPU engine.
#include <torch/torch.h>
#include <unistd.h>

#include <vector>

#include "core/error.hpp"
#include "nn/torch_cuda.inl"
#include "nn/torch_module.hpp"
#include "nn/torch_net.inl"
#include "nn/torch_trainer.hpp"

// The size of a pool of threads that libtorch has for kernels of phones: by gflags or without.
namespace fLI {
extern std::int32_t FLAGS_pthreadpool_size __attribute__((weak));
}
namespace c10 {
extern int FLAGS_pthreadpool_size __attribute__((weak));
}

namespace polymax {

namespace {

// Nothing here uses that pool, but the first at::set_num_threads makes it, and where the machine
// refuses it a thread that never ends. A pool of one has no threads to make.
void want_no_pool() {
  for (auto* size : {&fLI::FLAGS_pthreadpool_size, &c10::FLAGS_pthreadpool_size})
    if (size != nullptr) *size = 1;
}

using torch_nn::FlatLayout;
using torch_nn::Layer;
using torch_nn::Layers;

constexpr int kFixedBatch = 32;  // positions that are computed at once whatever is asked

struct PlainBatch : HostBatch {
  PlainBatch(std::size_t words, std::size_t floats, std::size_t room)
      : words_(words), floats_(floats), asked_(room), logits_(room) {
    planes = words_.data();
    values = floats_.data();
    asked = asked_.data();
    logits = logits_.data();
  }
  std::vector<std::uint64_t> words_;
  std::vector<float> floats_;
  std::vector<std::uint32_t> asked_;
  std::vector<float> logits_;
};

struct CpuWeights : DeviceWeights {
  CpuWeights(std::span<const std::byte> packed, const FlatLayout& flat)
      : memory(packed.begin(), packed.end()), layers(flat.at(memory.data(), torch::kCPU)) {}
  std::vector<std::byte> memory;
  Layers layers;
};

FlatLayout flat_of(const NetShape& shape) {
  return {shape, {.type = torch::kFloat32}};
}

class CpuShape final : public DeviceShape {
 public:
  explicit CpuShape(const BatchShape& shape)
      : settings(shape), flat(flat_of(shape.net)), room(shape.room()) {
    if (shape.fixed) settings.most = kFixedBatch;
  }
  std::size_t bytes() const override { return 0; }
  int most() const override { return settings.most; }
  int computed(int positions) const override { return settings.fixed ? kFixedBatch : positions; }

  std::unique_ptr<HostBatch> make_batch() override {
    const auto positions = static_cast<std::size_t>(settings.most);
    return std::make_unique<PlainBatch>(
        positions * static_cast<std::size_t>(settings.net.input.words()),
        positions * static_cast<std::size_t>(settings.net.players), room);
  }

  BatchShape settings;
  FlatLayout flat;
  std::size_t room;  // for moves
};

// Computes in launch(), in the caller's thread alone.
class CpuTorchDevice final : public Device {
 public:
  std::string name() const override { return "torch on the CPU"; }
  int lanes() const override { return 1; }

  std::size_t memory() const override {
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 2;
  }

  std::size_t estimated_bytes(const BatchShape&) const override { return 0; }
  std::unique_ptr<DeviceShape> prepare(const BatchShape& shape) override {
    return std::make_unique<CpuShape>(shape);
  }
  std::vector<std::byte> pack(const Net& net) const override {
    return flat_of(net.shape).pack(net);
  }
  std::shared_ptr<DeviceWeights> upload(DeviceShape& shape,
                                        std::span<const std::byte> packed) override {
    return std::make_shared<CpuWeights>(packed, static_cast<CpuShape&>(shape).flat);
  }

  void launch(int, DeviceShape& device_shape, const std::shared_ptr<DeviceWeights>& weights,
              HostBatch& batch, int positions) override {
    at::set_num_threads(1);  // of this thread
    const torch::NoGradGuard no_grad;
    const auto& shape = static_cast<CpuShape&>(device_shape);
    const PlaneShape& box = shape.settings.net.input;
    const int computed = shape.computed(positions);
    const auto x = torch_nn::unpack_on_cpu(
                       {batch.planes, static_cast<std::size_t>(computed * box.words())}, box)
                       .view({computed, box.planes, box.height, box.width});
    const auto conv = [](const torch::Tensor& in, const Layer& layer, std::int64_t padding,
                         const torch::Tensor* skip) {
      return torch_nn::plain_conv(in, layer.weight, layer.bias, padding, skip);
    };
    const Layers& layers = static_cast<CpuWeights&>(*weights).layers;
    const auto seen = trunk(layers, x, conv);
    const auto out = values_of(layers, seen, conv).contiguous();
    std::copy_n(out.data_ptr<float>(), positions * shape.settings.net.players, batch.values);
    if (batch.moves == 0) return;
    const auto logits = logits_of(layers, seen, conv).contiguous();
    for (int i = 0; i < batch.moves; ++i)
      batch.logits[i] = logits.data_ptr<float>()[batch.asked[i]];
  }

  void wait(int) override {}
};

}  // namespace

namespace torch_nn {

std::unique_ptr<Device> make_device(const TorchSettings& settings) {
  if (!settings.cuda) return std::make_unique<CpuTorchDevice>();
  if (!cuda_usable())
    throw Error("there is no CUDA GPU here, or this build cannot use one", Error::Kind::failed);
  return make_cuda_device(settings);
}

}  // namespace torch_nn

extern "C" const TorchModule* polymax_torch_module() {
  static const TorchModule table{TorchModule::kVersion, &torch_nn::cuda_usable,
                                 &torch_nn::make_device, &torch_nn::make_torch_trainer};
  want_no_pool();
  return &table;
}

}  // namespace polymax
