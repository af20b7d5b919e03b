// Engines by file: players that use the same network share its packed weights, or one batcher in
// front of a device.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "nn/cpu_engine.hpp"
#include "nn/net.hpp"

namespace polymax {

enum class Engine { cpu, torch };
inline constexpr std::array<std::string_view, 2> kEngineNames{"cpu", "torch"};
enum class TorchDevice { cpu, cuda };
inline constexpr std::array<std::string_view, 2> kTorchDeviceNames{"cpu", "cuda"};

struct EngineChoice {
  Engine engine = Engine::cpu;
  TorchDevice device = TorchDevice::cpu;  // of torch
  Isa isa = Isa::automatic;               // of the CPU engine
  friend auto operator<=>(const EngineChoice&, const EngineChoice&) = default;
};

// A network ready to compute. Any thread may call evaluate.
class LoadedNet {
 public:
  virtual ~LoadedNet() = default;
  virtual const Net& net() const = 0;  // without its tensors
  // planes: shape.input.words() words for each position; values: shape.players points for each.
  virtual void evaluate(std::span<const std::uint64_t> planes, std::span<float> values) const = 0;
};

class Batcher;

// A network whose weights change while others compute with it: each request is computed with one
// set of weights (a request larger than a batch of the device: each batch).
class LiveNet : public LoadedNet {
 public:
  virtual void set_weights(const Net& net) = 0;  // of the same shape
  virtual std::uint64_t evaluated() const = 0;   // positions so far
  virtual const Batcher* batcher() const = 0;    // null: the CPU engine needs none
};

// batch: positions that a device takes at once, at most.
std::shared_ptr<LiveNet> make_live_net(const Net& net, const EngineChoice& choice, int batch);

// The network in `file`, or the one shipped for the game when `file` is empty. Throws Error when
// there is none or it was made for something else.
std::shared_ptr<const LoadedNet> shared_net(const std::string& file, const EngineChoice& choice,
                                            const NetPurpose& wanted);

// Where the network shipped for a game lies: nets/<name>/default.safetensors.
std::string default_net_file(const std::string& game);

}  // namespace polymax
