#include "nn/engines.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/notice.hpp"
#include "core/spec.hpp"
#include "nn/cpu_features.hpp"
#include "nn/net_file.hpp"
#include "nn/own_folder.hpp"
#include "nn/own_nets.hpp"
#include "nn/service.hpp"
#include "nn/torch_engine.hpp"

namespace polymax {

namespace {

Net without_tensors(Net net) {
  net.tensors.clear();
  return net;
}

// Something that is made by the first who asks, and again when that failed.
template <class T>
class Lazy {
 public:
  explicit Lazy(std::function<std::shared_ptr<T>()> make) : make_(std::move(make)) {}

  T& operator*() const {
    if (T* there = ready_.load(std::memory_order_acquire)) return *there;
    const std::scoped_lock lock(mutex_);
    if (!made_) {
      made_ = make_();
      make_ = nullptr;
      ready_.store(made_.get(), std::memory_order_release);
    }
    return *made_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::function<std::shared_ptr<T>()> make_;
  mutable std::shared_ptr<T> made_;
  mutable std::atomic<T*> ready_ = nullptr;
};

class OnCpu final : public LiveNet {
 public:
  // weights: gives the whole network when it is first needed
  OnCpu(Net header, Isa isa, std::function<Net()> weights)
      : net_(std::move(header)), isa_(isa), weights_(std::move(weights)) {}
  const Net& net() const override { return net_; }

  void evaluate(std::span<const std::uint64_t> planes, std::span<float> values) const override {
    engine()->evaluate(planes, values);
    evaluated_ += planes.size() / static_cast<std::size_t>(net_.shape.input.words());
  }

  bool knows_moves() const override { return net_.shape.move_planes > 0; }
  void evaluate(std::span<const std::uint64_t> planes, std::span<float> values,
                const MoveQuery& moves) const override {
    engine()->evaluate(planes, values, moves);
    evaluated_ += moves.ends.size();
  }

  void set_weights(const Net& net) override {
    auto next = std::make_shared<const CpuEngine>(net, isa_);
    const std::scoped_lock lock(mutex_);
    engine_.swap(next);
    weights_ = nullptr;  // it may hold a whole network
  }
  std::uint64_t evaluated() const override { return evaluated_; }
  const NetService* service() const override { return nullptr; }

 private:
  std::shared_ptr<const CpuEngine> engine() const {
    const std::scoped_lock lock(mutex_);
    if (!engine_) {
      engine_ = std::make_shared<const CpuEngine>(weights_(), isa_);
      weights_ = nullptr;
    }
    return engine_;
  }

  Net net_;
  Isa isa_;
  mutable std::function<Net()> weights_;
  mutable std::mutex mutex_;  // GCC 12's std::atomic<std::shared_ptr> has a data race
  mutable std::shared_ptr<const CpuEngine> engine_;
  mutable std::atomic<std::uint64_t> evaluated_ = 0;
};

class OnDevice final : public LiveNet {
 public:
  OnDevice(Net header, NetService& service, int batch, BatchMode mode, std::function<Net()> weights)
      : net_(std::move(header)),
        service_(service),
        served_([&service, batch, mode, weights = std::move(weights)] {
          return std::shared_ptr<ServedNet>(service.serve(weights(), batch, mode));
        }) {}
  const Net& net() const override { return net_; }

  void evaluate(std::span<const std::uint64_t> planes, std::span<float> values) const override {
    (*served_).evaluate(planes, values);
  }
  bool knows_moves() const override { return net_.shape.move_planes > 0; }
  void evaluate(std::span<const std::uint64_t> planes, std::span<float> values,
                const MoveQuery& moves) const override {
    (*served_).evaluate(planes, values, moves);
  }

  void set_weights(const Net& net) override { (*served_).set_weights(net); }
  std::uint64_t evaluated() const override { return (*served_).evaluated(); }
  const NetService* service() const override { return &service_; }

 private:
  Net net_;
  NetService& service_;
  Lazy<ServedNet> served_;
};

std::shared_ptr<LiveNet> make_net(Net header, const EngineChoice& choice, int batch,
                                  std::function<Net()> weights) {
  if (choice.engine == Engine::cpu) {
    if (choice.isa != Isa::automatic) check_isa(choice.isa);
    return std::make_shared<OnCpu>(std::move(header), choice.isa, std::move(weights));
  }
  return std::make_shared<OnDevice>(std::move(header), service_of(choice.device), batch,
                                    choice.batch, std::move(weights));
}

std::atomic<double> gpu_memory = 0;  // GiB

}  // namespace

void limit_gpu_memory(double gib) {
  gpu_memory = gib;
}

// Never destroyed: threads may still compute while the program ends.
NetService& service_of(TorchDevice device) {
  static auto& mutex = *new std::mutex;
  static auto& services = *new std::map<TorchDevice, std::unique_ptr<NetService>>;
  const std::scoped_lock lock(mutex);
  auto& service = services[device];
  if (!service) {
    ServiceSettings settings;
    const bool cuda = device == TorchDevice::cuda;
    if (cuda) settings.memory = static_cast<std::size_t>(gpu_memory * 1024 * 1024 * 1024);
    service = std::make_unique<NetService>(make_torch_device({.cuda = cuda}), settings);
  }
  return *service;
}

std::shared_ptr<LiveNet> make_live_net(const Net& net, const EngineChoice& choice, int batch) {
  return make_net(without_tensors(net), choice, batch, [net] { return net; });
}

namespace {

// The networks that were installed with the program or beside Python's module, or those of the
// tree it was built from.
std::string nets_folder() {
  const auto here = own_folder();
  std::error_code ignored;
  for (const auto& folder : {here.parent_path() / "share/polymax/nets", here / "nets"})
    if (std::filesystem::is_directory(folder, ignored)) return folder.string();
  return POLYMAX_NETS;
}

}  // namespace

bool is_shipped_name(std::string_view file) {
  return std::ranges::all_of(
      file, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
}

std::string shipped_net_file(const std::string& game, const std::string& name) {
  return nets_folder() + "/" + Spec::parse(game).name + "/" + name + ".safetensors";
}

namespace {

std::shared_ptr<const LoadedNet> checked(std::shared_ptr<const LoadedNet> net,
                                         const NetPurpose& wanted, const std::string& path) {
  if (path == shipped_net_file(wanted.game) &&
      match_of(net->net().game, wanted).fit == NetFit::other)
    throw Error("no network ships for '" + wanted.game + "', only for '" + net->net().game +
                "': network(file=...) names one");
  check_net_for(net->net(), wanted, path);
  if (const auto warning = net_warning(net->net(), wanted); !warning.empty()) notice(warning);
  return net;
}

}  // namespace

std::shared_ptr<const LoadedNet> shared_net(const std::string& file, const EngineChoice& choice,
                                            const NetPurpose& wanted) {
  // Never destroyed, as services are not: threads may still ask while the program ends.
  static auto& mutex = *new std::mutex;
  static auto& known =
      *new std::map<std::pair<std::string, EngineChoice>, std::weak_ptr<const LoadedNet>>;
  if (auto own = offered_net(file)) return checked(std::move(own), wanted, file);
  const bool ships = is_shipped_name(file);
  const std::string path =
      ships ? shipped_net_file(wanted.game, file.empty() ? "default" : file) : file;
  if (!exists(path)) {
    if (!ships) throw Error("there is no file '" + path + "' for network(file=...)");
    throw Error(file.empty()
                    ? "no network ships for '" + wanted.game + "': network(file=...) names one"
                    : "no network '" + file + "' ships for '" + wanted.game +
                          "'; the name of a file has a folder or an ending");
  }
  std::shared_ptr<const LoadedNet> loaded;
  {
    const std::scoped_lock lock(mutex);
    auto& place = known[{path, choice}];
    loaded = place.lock();
    if (!loaded) {
      NetHeader header = load_net_header(path);
      place = loaded =
          make_net(std::move(header.net), choice, kMostAtOnce,
                   [path, hash = header.content_hash] { return load_net(path, hash); });
    }
  }
  // without the lock: who hears a notice may wait for somebody who wants a network
  return checked(std::move(loaded), wanted, path);
}

NetFacts facts_of(const std::string& file) {
  const NetHeader header = load_net_header(file);
  return {header.net.shape.channels, header.content_hash, header.net.training};
}

std::string computed_by(const EngineChoice& choice, int channels) {
  if (choice.engine == Engine::cpu) {
    const Isa isa = choice.isa == Isa::automatic ? fastest_isa(channels) : choice.isa;
    return "cpu " + std::string(kIsaNames[static_cast<std::size_t>(isa)]);
  }
  return service_of(choice.device).device().name() +
         (choice.batch == BatchMode::fixed ? ", batches of one size" : "");
}

}  // namespace polymax
