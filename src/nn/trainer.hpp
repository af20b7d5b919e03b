// Learning of a network's weights: Adam on the squared error of the value vector (the paper's
// section "Evaluation Functions Training"); with a second head also on the cross-entropy of its
// prior over the children that were valued. Torch does it, on the CPU or a CUDA GPU; no torch type
// shows here. Inside, values are points divided by the net's scale. Chosen: symmetries of the game
// are applied by the trainer, one per sample.
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
  int threads = 1;     // of the CPU: each learns a part of the batch
  double prior = 1;    // weight of the prior's loss beside that of the values
  bool values = true;  // false: they stay as they are, only the second head learns
};

// The state of Adam, in the order of the net's tensors.
struct OptimiserState {
  std::uint64_t steps = 0;
  std::vector<float> first, second;  // moments; empty = none yet
  friend bool operator==(const OptimiserState&, const OptimiserState&) = default;
};

// What the second head learns: for each sample kChildren of the moves that were valued. A sample
// with more has the best of them and some of the others, each of which stands for several.
struct TrainingPriors {
  static constexpr std::size_t kChildren = 64;

  std::span<const std::uint16_t> places;  // plane * cells + cell
  // Wanted of the prior; of a sample they sum to 1, or to 0: no move.
  std::span<const float> shares;
  std::span<const float> weights;  // how many moves each stands for; 0 = there is none
};

// Samples of one step. symmetry: for each sample its place in the list the trainer was made with.
struct TrainingBatch {
  std::span<const std::uint64_t> planes;
  std::span<const float> points;  // players for each sample
  std::span<const std::uint8_t> symmetry;
  TrainingPriors priors{};  // empty for a network without second head
};

// Means over the steps since somebody asked last; 0 without any.
struct TrainingLoss {
  double value = 0;  // squared error per sample and seat, in units of the scale
  double prior = 0;  // cross-entropy beyond the least possible, of samples with moves; in nats
};

class Trainer {
 public:
  virtual ~Trainer() = default;

  // One step of Adam. May return before the device has done it.
  virtual void step(const TrainingBatch& batch, double learning_rate) = 0;

  virtual TrainingLoss take_loss() = 0;

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
