#include "nn/engines.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "core/error.hpp"
#include "core/spec.hpp"
#include "nn/net_file.hpp"

namespace polymax {

namespace {

std::shared_ptr<const LoadedNet> load(const std::string& path, Isa isa) {
  Net net = load_net(path);
  auto loaded = std::make_shared<LoadedNet>(Net{}, net, isa);
  net.tensors.clear();
  loaded->net = std::move(net);
  return loaded;
}

}  // namespace

std::string default_net_file(const std::string& game) {
  return std::string(POLYMAX_NETS) + "/" + Spec::parse(game).name + "/default.safetensors";
}

std::shared_ptr<const LoadedNet> shared_net(const std::string& file, Isa isa, const std::string& game,
                                            int rules_version, const PlaneShape& planes, int players) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, Isa>, std::weak_ptr<const LoadedNet>> known;
  const std::string path = file.empty() ? default_net_file(game) : file;
  const std::scoped_lock lock(mutex);
  auto& place = known[{path, isa}];
  auto loaded = place.lock();
  if (!loaded) place = loaded = load(path, isa);
  check_net_for(loaded->net, game, rules_version, planes, players, path);
  return loaded;
}

}  // namespace polymax
