// A torch module for the CPU alone.
#include "core/error.hpp"
#include "nn/torch_cuda.inl"

namespace polymax::torch_nn {

namespace {

[[noreturn]] void none() {
  throw Error("this build has no CUDA", Error::Kind::failed);
}

}  // namespace

bool cuda_usable() {
  return false;
}

std::unique_ptr<Device> make_cuda_device(const TorchSettings&) {
  none();
}

torch::Tensor unpack_on_cuda(const torch::Tensor&, const PlaneShape&, std::int64_t) {
  none();
}

c10::Stream own_stream() {
  none();
}

std::unique_ptr<RecordedWork> record_on_cuda(const std::function<void()>&) {
  none();
}

}  // namespace polymax::torch_nn
