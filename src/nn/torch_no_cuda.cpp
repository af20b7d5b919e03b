// A build with libtorch for the CPU alone.
#include "core/error.hpp"
#include "nn/torch_cuda.hpp"

namespace polymax {

bool cuda_available() {
  return false;
}

namespace torch_nn {

std::unique_ptr<Device> make_cuda_device(const Net&, const TorchSettings&) {
  throw Error("this build has no CUDA", Error::Kind::failed);
}

}  // namespace torch_nn
}  // namespace polymax
