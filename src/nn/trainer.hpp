// Learning of a network's weights: Adam on the squared error of the value vector (the paper's
// section "Evaluation Functions Training"). Torch does it, on the CPU or a CUDA GPU; no torch type
// shows here. Inside, values are points divided by the net's scale. Chosen: symmetries of the game
// are applied on the device, one per sample.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/game.hpp"
#include "nn/net.hpp"

namespace polymax {

struct TrainerSettings {
  bool cuda = false;
  int threads = 1;  // of the CPU: each learns a part of the batch
};

// The state of Adam, in the order of the net's tensors.
struct OptimiserState {
  std::uint64_t steps = 0;
  std::vector<float> first, second;  // moments; empty = none yet
  friend bool operator==(const OptimiserState&, const OptimiserState&) = default;
};

// Samples of one step. symmetry: for each sample its place in the list the trainer was made with.
struct TrainingBatch {
  std::span<const std::uint64_t> planes;
  std::span<const float> points;  // players for each sample
  std::span<const std::uint8_t> symmetry;
};

class Trainer {
 public:
  virtual ~Trainer() = default;

  // One step of Adam. May return before the device has done it.
  virtual void step(const TrainingBatch& batch, double learning_rate) = 0;

  // Mean squared error per sample and seat, in units of the scale, over the steps since the last
  // call; 0 without any.
  virtual double take_loss() = 0;

  // The weights as they are now; everything else as in the net the trainer was made from.
  virtual Net net() const = 0;
  virtual OptimiserState optimiser() const = 0;
};

// Throws Error when there is no torch or no such device. symmetries: at least the identity, with
// planes.
std::unique_ptr<Trainer> make_trainer(const Net& net, const OptimiserState& state,
                                      std::vector<Symmetry> symmetries,
                                      const TrainerSettings& settings);

}  // namespace polymax
