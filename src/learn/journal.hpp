// The diary of a run: log.jsonl, a line of JSON every few seconds, and an event file for
// TensorBoard.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/file.hpp"
#include "learn/progress.hpp"
#include "nn/trainer.hpp"

namespace polymax::learn {

struct Entry {
  Counters counters;
  Window window;
  int players = 2;
  TrainingLoss loss;
  double rate = 0;
  double positions_per_second = 0, steps_per_second = 0;
  double device_share = 0;  // busy share of the GPU that plays, or of the cores of the CPU
  bool of_gpu = false;
  bool knows_moves = false;           // the network has a second head
  std::optional<double> different{};  // of Variety
};

class Journal {
 public:
  // Goes on behind the entry of these matches and steps: later ones, of a run that was cut off, are
  // dropped.
  Journal(const std::string& folder, const Counters& reached);

  void write(const Entry& entry);

 private:
  std::unique_ptr<GrowingFile> log_, events_;
};

}  // namespace polymax::learn
