// Engines by file: players that use the same network share its weights, and all networks on a
// device share one service. A file's header is read when a network is asked for, its weights when
// they are first needed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "nn/cpu_engine.hpp"
#include "nn/device.hpp"
#include "nn/net_purpose.hpp"

namespace polymax {

enum class Engine { cpu, torch };
inline constexpr std::array<std::string_view, 2> kEngineNames{"cpu", "torch"};
enum class TorchDevice { cpu, cuda };
inline constexpr std::array<std::string_view, 2> kTorchDeviceNames{"cpu", "cuda"};
inline constexpr std::array<std::string_view, 2> kBatchModeNames{"best", "fixed"};

struct EngineChoice {
  Engine engine = Engine::cpu;
  TorchDevice device = TorchDevice::cpu;  // of torch
  Isa isa = Isa::automatic;               // of the CPU engine
  BatchMode batch = BatchMode::best;      // of torch; the CPU engine's values are always the same
  friend auto operator<=>(const EngineChoice&, const EngineChoice&) = default;
};

inline constexpr int kMostAtOnce = 2048;  // positions of a device's batch, unless somebody says

// A network that computes. Any thread may call evaluate.
class LoadedNet {
 public:
  virtual ~LoadedNet() = default;
  virtual const Net& net() const = 0;  // without its tensors
  // planes: shape.input.words() words for each position; values: shape.players points for each.
  // The first call loads the weights: it throws Error when the file is not what it was.
  virtual void evaluate(std::span<const std::uint64_t> planes, std::span<float> values) const = 0;

  // Whether it has a second head and computes it; then the second call gives logits too.
  virtual bool knows_moves() const = 0;
  virtual void evaluate(std::span<const std::uint64_t> planes, std::span<float> values,
                        const MoveQuery& moves) const = 0;
};

class NetService;

// A network whose weights change while others compute with it: each request is computed with one
// set of weights (a request larger than a batch of the device: each batch).
class LiveNet : public LoadedNet {
 public:
  virtual void set_weights(const Net& net) = 0;   // of the same shape
  virtual std::uint64_t evaluated() const = 0;    // positions so far
  virtual const NetService* service() const = 0;  // null: the CPU engine needs none
};

// batch: positions that a device takes at once, at most.
std::shared_ptr<LiveNet> make_live_net(const Net& net, const EngineChoice& choice, int batch);

// Whether this is no file but the bare name of a network that ships: letters, digits, _ and -. An
// empty one stands for the default.
bool is_shipped_name(std::string_view file);

// The network in `file`, or the one of that name that ships for the game. Throws Error when there
// is none, it was made for something else, or this machine lacks the engine. One of a variant gives
// a notice (core/notice.hpp).
std::shared_ptr<const LoadedNet> shared_net(const std::string& file, const EngineChoice& choice,
                                            const NetPurpose& wanted);

// Where a network that ships for a game lies: nets/<game>/<name>.safetensors.
std::string shipped_net_file(const std::string& game, const std::string& name = "default");

// The service of a torch device, made when it is first asked for; it lives as long as the program.
// Throws Error when there is no such device.
NetService& service_of(TorchDevice device);

// How much of a GPU's memory networks may take; 0: most of what is free. Before its first use.
void limit_gpu_memory(double gib);

// What a network's file says of it, for records. Throws Error when it is none.
struct NetFacts {
  int channels = 0;
  std::string hash;  // of its weights
  NetTraining training;
};
NetFacts facts_of(const std::string& file);

// What computes the values of networks with so many channels, for records: instruction set, or
// device and how it batches.
std::string computed_by(const EngineChoice& choice, int channels);

}  // namespace polymax
