// Engines by file: players that use the same network share its packed weights.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "nn/cpu_engine.hpp"
#include "nn/net.hpp"

namespace polymax {

struct LoadedNet {
  LoadedNet(Net described, const Net& weights, Isa isa) : net(std::move(described)), engine(weights, isa) {}

  Net net;  // without its tensors, which the engine has packed
  CpuEngine engine;
};

// The network in `file`, or the one shipped for `game` when `file` is empty. Throws Error when there is none or it was
// made for something else than `game`.
std::shared_ptr<const LoadedNet> shared_net(const std::string& file, Isa isa, const std::string& game,
                                            int rules_version, const PlaneShape& planes, int players);

// Where the network shipped for a game lies: nets/<name>/default.safetensors.
std::string default_net_file(const std::string& game);

}  // namespace polymax
