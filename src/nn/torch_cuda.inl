// The CUDA half of the torch module, for its .cpp files alone; torch_cuda.cpp is built where nvcc
// is, torch_no_cuda.cpp elsewhere.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <memory>

#include "nn/torch_engine.hpp"

namespace polymax::torch_nn {

bool cuda_usable();
std::unique_ptr<Device> make_cuda_device(const TorchSettings& settings);

// Bit planes (words of the device) as bf16 [positions, cells, channels] on the current stream.
// channels: the planes rounded up to a multiple of 8.
torch::Tensor unpack_on_cuda(const torch::Tensor& words, const PlaneShape& shape,
                             std::int64_t channels);

// A stream for training, of the priority of the lanes': steps are paced, and going before the lanes
// gains nothing.
c10::Stream own_stream();

// What some work on the current stream asked of the device, ready to be asked again without the
// work's own code.
class RecordedWork {
 public:
  virtual ~RecordedWork() = default;
  virtual void replay() = 0;  // on the current stream
};

// Runs nothing on the device: replay() does. The work was done on this stream before: nothing is
// left to choose.
std::unique_ptr<RecordedWork> record_on_cuda(const std::function<void()>& work);

}  // namespace polymax::torch_nn
