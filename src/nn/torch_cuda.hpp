// The CUDA half of the torch engine; torch_cuda.cpp is built where nvcc is, torch_no_cuda.cpp elsewhere.
#pragma once

#include <memory>

#include "nn/torch_engine.hpp"

namespace polymax::torch_nn {

std::unique_ptr<Device> make_cuda_device(const Net& net, const TorchSettings& settings);

}  // namespace polymax::torch_nn
