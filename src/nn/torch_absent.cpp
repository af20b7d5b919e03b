// A build without libtorch.
#include "core/error.hpp"
#include "nn/torch_engine.hpp"

namespace polymax {

bool torch_built() {
  return false;
}

bool cuda_available() {
  return false;
}

std::unique_ptr<Device> make_torch_device(const Net&, const TorchSettings&) {
  throw Error("this build has no libtorch: configure it with -DPOLYMAX_TORCH=ON where libtorch is, or use engine=cpu");
}

}  // namespace polymax
