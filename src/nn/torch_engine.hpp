// Networks through libtorch, on the CPU or a CUDA GPU, as devices for the batcher. No torch type shows here. A build
// without torch has these functions too: they throw an Error that says so.
#pragma once

#include <memory>

#include "nn/device.hpp"
#include "nn/net.hpp"

namespace polymax {

// Whether this build has libtorch, and whether it can use a CUDA GPU here.
bool torch_built();
bool cuda_available();

struct TorchSettings {
  bool cuda = false;
  int max_batch = 4096;
  int lanes = 3;  // of a GPU; the CPU has one
};

// Throws Error when the build lacks torch or the machine lacks the device.
std::unique_ptr<Device> make_torch_device(const Net& net, const TorchSettings& settings);

}  // namespace polymax
