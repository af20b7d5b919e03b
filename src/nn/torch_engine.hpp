// Networks through libtorch, on the CPU or a CUDA GPU, as devices for the service. No torch type
// shows here. Torch lives in a module of its own, libpolymax_torch.so beside the program, loaded
// when it is first asked for: programs that do not need it start without it.
#pragma once

#include <memory>

#include "nn/device.hpp"

namespace polymax {

// Whether the torch module is there and loads, and whether it can use a CUDA GPU here.
bool torch_built();
bool cuda_available();

struct TorchSettings {
  bool cuda = false;
  // Of a GPU; the CPU has one.
  int lanes = 3;
  int narrow_lanes = 5;  // more of them, for small batches, which leave most of a GPU idle
};

// Throws Error when there is no torch module or the machine lacks the device.
std::unique_ptr<Device> make_torch_device(const TorchSettings& settings);

}  // namespace polymax
