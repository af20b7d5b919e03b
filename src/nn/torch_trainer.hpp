// The trainer of the torch module; see trainer.hpp.
#pragma once

#include <memory>
#include <vector>

#include "nn/trainer.hpp"

namespace polymax::torch_nn {

std::unique_ptr<Trainer> make_torch_trainer(const Net& net, const OptimiserState& state,
                                            std::vector<Symmetry> symmetries,
                                            const TrainerSettings& settings);

}  // namespace polymax::torch_nn
