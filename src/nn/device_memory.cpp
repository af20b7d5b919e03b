#include "nn/device_memory.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.hpp"

namespace polymax {

namespace {

constexpr double kGib = 1024.0 * 1024 * 1024;

std::string gib_text(std::size_t bytes) {
  const double hundredths = std::ceil(100 * static_cast<double>(bytes) / kGib);
  const auto whole = static_cast<long>(hundredths) / 100,
             rest = static_cast<long>(hundredths) % 100;
  return std::to_string(whole) + (rest < 10 ? ".0" : ".") + std::to_string(rest) + " GiB";
}

}  // namespace

DeviceMemory::DeviceMemory(Device& device, std::size_t limit)
    : device_(device),
      limit_(limit == 0 ? device.memory() : limit),
      weights_(std::make_shared<std::atomic<std::size_t>>(0)) {}

void DeviceMemory::too_little(const char* what, std::size_t bytes) const {
  throw Error(device_.name() + ": " + gib_text(bytes) + " of memory are needed for " + what +
                  " beside " + gib_text(shapes_) + " in use, " + gib_text(shapes_ + bytes) +
                  " in all; the limit is " + gib_text(limit_) +
                  " (--gpu-memory, or what was free at the start)",
              Error::Kind::failed);
}

// Weights that no lane computes with leave, those first that were not used for longest.
bool DeviceMemory::make_room(std::size_t bytes) {
  while (shapes_ + *weights_ + bytes > limit_) {
    std::shared_ptr<NetWeights> oldest;
    std::erase_if(placed_, [](const auto& weak) { return weak.expired(); });
    for (const auto& weak : placed_)
      if (const auto one = weak.lock();
          one && one->on_device.use_count() == 1 && (!oldest || one->last_used < oldest->last_used))
        oldest = one;
    if (!oldest) return false;
    oldest->on_device.reset();
    ++evictions_;
    std::erase_if(placed_, [&](const auto& weak) { return weak.lock() == oldest; });
  }
  return true;
}

std::unique_ptr<DeviceShape> DeviceMemory::prepare(const BatchShape& shape) {
  const std::scoped_lock lock(mutex_);
  const std::size_t expected = device_.estimated_bytes(shape);
  if (!make_room(expected)) too_little("the graphs and buffers of another shape", expected);
  auto made = device_.prepare(shape);
  if (!make_room(made->bytes())) too_little("the graphs and buffers of a shape", made->bytes());
  shapes_ += made->bytes();
  return made;
}

std::shared_ptr<DeviceWeights> DeviceMemory::place(const std::shared_ptr<NetWeights>& weights,
                                                   DeviceShape& shape) {
  const std::scoped_lock lock(mutex_);
  weights->last_used = ++clock_;
  if (weights->on_device) return weights->on_device;
  const std::size_t bytes = weights->packed.size();
  if (!make_room(bytes)) too_little("a network's weights", bytes);
  auto made = device_.upload(shape, weights->packed);
  *weights_ += bytes;
  // the account is squared when the last who computes with them lets go
  DeviceWeights* const numbers = made.get();
  weights->on_device = std::shared_ptr<DeviceWeights>(
      numbers, [made = std::move(made), account = weights_, bytes](DeviceWeights*) mutable {
        made.reset();
        *account -= bytes;
      });
  placed_.push_back(weights);
  ++uploads_;
  return weights->on_device;
}

DeviceMemoryUse DeviceMemory::use() const {
  const std::scoped_lock lock(mutex_);
  DeviceMemoryUse out{limit_, shapes_, *weights_, 0, uploads_, evictions_};
  for (const auto& weak : placed_) {
    const auto one = weak.lock();
    out.networks += one && one->on_device;
  }
  return out;
}

}  // namespace polymax
