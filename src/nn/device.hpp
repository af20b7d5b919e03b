// What the service needs of an accelerator: lanes that each compute one batch at a time, graphs and
// buffers for a shape of networks, room for weights, and host memory that the device reads and
// writes directly. The torch engine is one; tests use a pretended one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nn/net.hpp"

namespace polymax {

// Memory for the planes and the values of one batch.
struct HostBatch {
  virtual ~HostBatch() = default;
  std::uint64_t* planes = nullptr;  // positions of the largest batch
  float* values = nullptr;          // players for each of them, in points

  // Of a shape with moves: what is asked, each as position * places of the network + place, and the
  // logits.
  std::uint32_t* asked = nullptr;
  float* logits = nullptr;
  int moves = 0;  // of them in this batch
};

enum class BatchMode { best, fixed };  // the sizes that are fastest; one size, for the same values

// What graphs and buffers depend on.
struct BatchShape {
  NetShape net;
  int most = 2048;     // positions of a batch
  bool fixed = false;  // values that do not depend on what travels together, at a price
  bool moves = false;  // the second head is computed too

  // Moves that a batch has room for: any one position's, and usually those of all.
  static constexpr int kMovesEach = 256;
  std::size_t room() const {
    return moves ? static_cast<std::size_t>(std::max(most * kMovesEach, net.places())) : 0;
  }

  friend bool operator==(const BatchShape&, const BatchShape&) = default;
};

// A shape that the device can compute, on all lanes.
class DeviceShape {
 public:
  virtual ~DeviceShape() = default;
  virtual std::size_t bytes() const = 0;          // of the device's memory
  virtual int most() const = 0;                   // positions of a batch
  virtual int computed(int positions) const = 0;  // with what a batch is padded with
  // Whether a lane is for such a batch. The first lane is for all; lanes for small ones come last.
  virtual bool takes(int lane, int positions) const { return (void)lane, (void)positions, true; }
  virtual std::unique_ptr<HostBatch> make_batch() = 0;  // any thread
};

// A network's numbers in the device's memory.
struct DeviceWeights {
  virtual ~DeviceWeights() = default;
};

class Device {
 public:
  virtual ~Device() = default;

  virtual std::string name() const = 0;  // of the hardware, for people
  virtual int lanes() const = 0;
  virtual std::size_t memory() const = 0;  // bytes that may be used unless somebody says otherwise

  virtual std::size_t estimated_bytes(const BatchShape& shape) const = 0;  // of prepare()'s result

  // Called while all lanes are idle, always by the same thread.
  virtual std::unique_ptr<DeviceShape> prepare(const BatchShape& shape) = 0;

  // The weights as the device wants them, still in the host's memory. Any thread. Once uploaded for
  // a shape they serve every other one of the same network too.
  virtual std::vector<std::byte> pack(const Net& net) const = 0;
  virtual std::shared_ptr<DeviceWeights> upload(DeviceShape& shape,
                                                std::span<const std::byte> packed) = 0;

  // Starts the batch on an idle lane. Throws when that fails. Lanes are independent; one lane is
  // used by one thread at a time. The device keeps the weights until the lane computes with others.
  virtual void launch(int lane, DeviceShape& shape, const std::shared_ptr<DeviceWeights>& weights,
                      HostBatch& batch, int positions) = 0;

  // Waits for the lane's batch; its values are then in place. Throws when the computation failed.
  virtual void wait(int lane) = 0;

  // Positions a second of computing this batch alone again and again, without copies and waiting,
  // while all lanes are idle: what the service is measured against. 0 = this device cannot tell.
  virtual double raw_rate(DeviceShape& shape, const std::shared_ptr<DeviceWeights>& weights,
                          HostBatch& batch, int positions, double seconds) {
    (void)shape, (void)weights, (void)batch, (void)positions, (void)seconds;
    return 0;
  }
};

}  // namespace polymax
