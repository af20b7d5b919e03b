// What the torch module offers to the program: one function, found by name, gives this table.
#pragma once

#include <memory>
#include <vector>

#include "nn/torch_engine.hpp"
#include "nn/trainer.hpp"

namespace polymax {

struct TorchModule {
  static constexpr int kVersion =
      3;  // raise it with every change of this table or of the types in it
  static constexpr const char* kFile = "libpolymax_torch.so";
  static constexpr const char* kFunction = "polymax_torch_module";

  int version;
  bool (*cuda_available)();
  std::unique_ptr<Device> (*make_device)(const TorchSettings& settings);
  std::unique_ptr<Trainer> (*make_trainer)(const Net& net, const OptimiserState& state,
                                           std::vector<Symmetry> symmetries,
                                           const TrainerSettings& settings);
};

}  // namespace polymax
