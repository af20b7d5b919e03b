#include "nn/engines.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include "core/error.hpp"
#include "core/spec.hpp"
#include "nn/batcher.hpp"
#include "nn/net_file.hpp"
#include "nn/torch_engine.hpp"

namespace polymax {

namespace {

Net without_tensors(Net net) {
  net.tensors.clear();
  return net;
}

class OnCpu final : public LiveNet {
 public:
  OnCpu(const Net& net, Isa isa)
      : net_(without_tensors(net)),
        isa_(isa),
        engine_(std::make_shared<const CpuEngine>(net, isa)) {}
  const Net& net() const override { return net_; }

  void evaluate(std::span<const std::uint64_t> planes, std::span<float> values) const override {
    engine()->evaluate(planes, values);
    evaluated_ += planes.size() / static_cast<std::size_t>(net_.shape.input.words());
  }

  void set_weights(const Net& net) override {
    auto next = std::make_shared<const CpuEngine>(net, isa_);
    const std::scoped_lock lock(mutex_);
    engine_.swap(next);
  }
  std::uint64_t evaluated() const override { return evaluated_; }
  const Batcher* batcher() const override { return nullptr; }

 private:
  std::shared_ptr<const CpuEngine> engine() const {
    const std::scoped_lock lock(mutex_);
    return engine_;
  }

  Net net_;
  Isa isa_;
  mutable std::mutex mutex_;  // GCC 12's std::atomic<std::shared_ptr> has a data race
  std::shared_ptr<const CpuEngine> engine_;
  mutable std::atomic<std::uint64_t> evaluated_ = 0;
};

class OnDevice final : public LiveNet {
 public:
  OnDevice(const Net& net, bool cuda, int batch)
      : net_(without_tensors(net)),
        batcher_(make_torch_device(net, {.cuda = cuda, .max_batch = batch}),
                 BatcherSettings{.limit = batch}) {}
  const Net& net() const override { return net_; }

  void evaluate(std::span<const std::uint64_t> planes, std::span<float> values) const override {
    batcher_.evaluate(planes, values);
  }

  void set_weights(const Net& net) override { batcher_.set_weights(net); }
  std::uint64_t evaluated() const override { return batcher_.statistics().positions; }
  const Batcher* batcher() const override { return &batcher_; }

 private:
  Net net_;
  mutable Batcher batcher_;
};

}  // namespace

std::shared_ptr<LiveNet> make_live_net(const Net& net, const EngineChoice& choice, int batch) {
  if (choice.engine == Engine::cpu) return std::make_shared<OnCpu>(net, choice.isa);
  return std::make_shared<OnDevice>(net, choice.device == TorchDevice::cuda, batch);
}

std::string default_net_file(const std::string& game) {
  return std::string(POLYMAX_NETS) + "/" + Spec::parse(game).name + "/default.safetensors";
}

std::shared_ptr<const LoadedNet> shared_net(const std::string& file, const EngineChoice& choice,
                                            const NetPurpose& wanted) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, EngineChoice>, std::weak_ptr<const LoadedNet>> known;
  const std::string path = file.empty() ? default_net_file(wanted.game) : file;
  const std::scoped_lock lock(mutex);
  auto& place = known[{path, choice}];
  auto loaded = place.lock();
  if (!loaded) place = loaded = make_live_net(load_net(path), choice, BatcherSettings{}.limit);
  check_net_for(loaded->net(), wanted, path);
  return loaded;
}

}  // namespace polymax
