// The CUDA half of the torch module, for its .cpp files alone; torch_cuda.cpp is built where nvcc is, torch_no_cuda.cpp elsewhere.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <memory>
#include <span>

#include "nn/torch_engine.hpp"

namespace polymax::torch_nn {

bool cuda_usable();
std::unique_ptr<Device> make_cuda_device(const Net& net, const TorchSettings& settings);

// Bit planes as bf16 [positions, cells, channels] on the current stream. channels: the planes rounded up to a multiple
// of 8.
torch::Tensor unpack_on_cuda(std::span<const std::uint64_t> words, const PlaneShape& shape, std::int64_t channels);

// A stream that nobody else uses, of the usual priority.
c10::Stream own_stream();

}  // namespace polymax::torch_nn
