// What the batcher needs of an accelerator: lanes that each compute one batch at a time, and host
// memory that the device reads and writes directly. The torch engine is one; tests use a pretended
// one.
#pragma once

#include <cstdint>
#include <memory>

#include "nn/net.hpp"

namespace polymax {

// Memory for the planes and the values of one batch.
struct HostBatch {
  virtual ~HostBatch() = default;
  std::uint64_t* planes = nullptr;  // max_batch() positions
  float* values = nullptr;          // players for each of them, in points
};

class Device {
 public:
  virtual ~Device() = default;

  virtual const NetShape& shape() const = 0;
  virtual int lanes() const = 0;
  virtual int max_batch() const = 0;
  virtual std::unique_ptr<HostBatch> make_batch() = 0;

  // Starts the batch on an idle lane. Throws when that fails. Lanes are independent; one lane is
  // used by one thread at a time.
  virtual void launch(int lane, HostBatch& batch, int positions) = 0;

  // Waits for the lane's batch; its values are then in place. Throws when the computation failed.
  virtual void wait(int lane) = 0;

  // Other weights of the same shape; called while all lanes are idle.
  virtual void set_weights(const Net& net) = 0;

  // Positions a second of computing alone, without copies and waiting, held for some seconds while
  // all lanes are idle: what the batcher is measured against. 0 = this device cannot tell.
  virtual double raw_rate(int positions, double seconds) {
    (void)positions;
    (void)seconds;
    return 0;
  }
};

}  // namespace polymax
