// What the torch module offers to the program: one function, found by name, gives this table.
#pragma once

#include <memory>
#include <vector>

#include "nn/torch_engine.hpp"
#include "nn/trainer.hpp"

namespace polymax {

struct TorchModule {
  // Raise the first number with every change of this table or of the types in it; their sizes tell
  // of most changes that somebody forgot, and of a module that was left from an older build.
  static constexpr int kVersion =
      5'000'000 + static_cast<int>(sizeof(Net) + 3 * sizeof(NetShape) + 5 * sizeof(OptimiserState) +
                                   7 * sizeof(TrainerSettings) + 11 * sizeof(Symmetry) +
                                   13 * sizeof(TorchSettings));
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
