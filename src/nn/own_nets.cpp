#include "nn/own_nets.hpp"

#include <map>
#include <mutex>

namespace polymax {

namespace {

struct Offered {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<const LoadedNet>> nets;
};

// Never destroyed: threads may still look for networks while the program ends.
Offered& offered() {
  static auto& all = *new Offered;
  return all;
}

}  // namespace

void offer_net(const std::string& name, const std::shared_ptr<const LoadedNet>& net) {
  Offered& all = offered();
  const std::scoped_lock lock(all.mutex);
  std::erase_if(all.nets, [](const auto& entry) { return entry.second.expired(); });
  all.nets[name] = net;
}

std::shared_ptr<const LoadedNet> offered_net(const std::string& name) {
  Offered& all = offered();
  const std::scoped_lock lock(all.mutex);
  const auto found = all.nets.find(name);
  return found == all.nets.end() ? nullptr : found->second.lock();
}

}  // namespace polymax
