#include "nn/engines.hpp"

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

class OnCpu final : public LoadedNet {
 public:
  OnCpu(const Net& net, Isa isa) : net_(without_tensors(net)), engine_(net, isa) {}
  const Net& net() const override { return net_; }
  void evaluate(std::span<const std::uint64_t> planes, std::span<float> values) const override {
    engine_.evaluate(planes, values);
  }

 private:
  Net net_;
  CpuEngine engine_;
};

class OnDevice final : public LoadedNet {
 public:
  OnDevice(const Net& net, bool cuda)
      : net_(without_tensors(net)), batcher_(make_torch_device(net, {.cuda = cuda}), BatcherSettings{}) {}
  const Net& net() const override { return net_; }
  void evaluate(std::span<const std::uint64_t> planes, std::span<float> values) const override {
    batcher_.evaluate(planes, values);
  }

 private:
  Net net_;
  mutable Batcher batcher_;
};

std::shared_ptr<const LoadedNet> load(const std::string& path, const EngineChoice& choice) {
  const Net net = load_net(path);
  if (choice.engine == Engine::cpu) return std::make_shared<OnCpu>(net, choice.isa);
  return std::make_shared<OnDevice>(net, choice.device == TorchDevice::cuda);
}

}  // namespace

std::string default_net_file(const std::string& game) {
  return std::string(POLYMAX_NETS) + "/" + Spec::parse(game).name + "/default.safetensors";
}

std::shared_ptr<const LoadedNet> shared_net(const std::string& file, const EngineChoice& choice,
                                            const std::string& game, int rules_version, const PlaneShape& planes,
                                            int players) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, EngineChoice>, std::weak_ptr<const LoadedNet>> known;
  const std::string path = file.empty() ? default_net_file(game) : file;
  const std::scoped_lock lock(mutex);
  auto& place = known[{path, choice}];
  auto loaded = place.lock();
  if (!loaded) place = loaded = load(path, choice);
  check_net_for(loaded->net(), game, rules_version, planes, players, path);
  return loaded;
}

}  // namespace polymax
