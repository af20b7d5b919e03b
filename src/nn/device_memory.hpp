// The one owner of a device's memory: graphs and buffers of shapes stay, weights of networks come
// when they are needed and go, the least recently used first, when there is no room.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "nn/device.hpp"

namespace polymax {

// A network's numbers, packed on the host, and on the device while there is room.
struct NetWeights {
  std::vector<std::byte> packed;
  std::shared_ptr<DeviceWeights> on_device;  // this and below: DeviceMemory's
  std::uint64_t last_used = 0;
};

struct DeviceMemoryUse {
  std::size_t limit = 0, shapes = 0, weights = 0;  // bytes
  int networks = 0;                                // whose weights are there
  std::uint64_t uploads = 0, evictions = 0;
};

class DeviceMemory {
 public:
  // limit: bytes; 0 = what the device says.
  DeviceMemory(Device& device, std::size_t limit);

  // Throws Error, saying what is needed, when the limit does not hold the shape.
  std::unique_ptr<DeviceShape> prepare(const BatchShape& shape);

  // The weights on the device, sent there when they are not. Any thread. Throws Error as above.
  std::shared_ptr<DeviceWeights> place(const std::shared_ptr<NetWeights>& weights,
                                       DeviceShape& shape);

  DeviceMemoryUse use() const;

 private:
  bool make_room(std::size_t bytes);
  [[noreturn]] void too_little(const char* what, std::size_t bytes) const;

  Device& device_;
  std::size_t limit_, shapes_ = 0;
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<NetWeights>> placed_;
  std::shared_ptr<std::atomic<std::size_t>> weights_;  // bytes; outlives this with the last of them
  std::uint64_t clock_ = 0, uploads_ = 0, evictions_ = 0;
};

}  // namespace polymax
