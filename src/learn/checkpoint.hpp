// Everything a run needs to go on as if nothing had happened: weights, optimiser, replay, counters,
// random states. The last two are kept. A compact one leaves the replay out and travels between
// machines.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "learn/progress.hpp"
#include "learn/replay.hpp"
#include "nn/net.hpp"
#include "nn/trainer.hpp"

namespace polymax::learn {

struct Checkpoint {
  Net net;
  OptimiserState optimiser;
  Counters counters;
  std::uint64_t seed = 0;
  Rng random{0}, replay_random{0};
  std::deque<Replay::Match> replay;  // empty in a compact one, as is the next
  std::vector<SampleRef> phase;      // samples of the learning phase that were not used yet

  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

enum class Extent { whole, without_replay };
void save_checkpoint(const Checkpoint& checkpoint, const std::string& path,
                     Extent extent = Extent::whole);
// Throws Error when the file is missing, damaged, or something else.
Checkpoint load_checkpoint(const std::string& path);
// The same of bytes that were read from `path`.
Checkpoint parse_checkpoint(const std::string& bytes, const std::string& path);

// Checkpoints of a folder: checkpoint-<number>.pmx, each with the next number, and compact.pmx. A
// copy under another name (checkpoint-keep.pmx) is nobody's business: neither read nor removed.
class CheckpointFolder {
 public:
  explicit CheckpointFolder(std::string folder) : folder_(std::move(folder)) {}

  // Writes the checkpoint, then the compact one, then removes all but the last two; what cannot be
  // removed stays.
  void write(const Checkpoint& checkpoint) const;

  // The newest that can be read. Damaged ones are passed over when an older one is whole: renamed
  // to .bad, so that they do not count as one of two, and told of in `damaged`. Nothing when there
  // is none; throws Error when there are some and all are damaged, or when one cannot be read at
  // all: the disk's fault, not the checkpoint's.
  std::optional<Checkpoint> newest(std::vector<std::string>* damaged = nullptr) const;

  bool has_any() const { return !files().empty(); }  // whole or damaged

 private:
  struct File {
    std::uint64_t number = 0;
    std::string path;
  };
  std::vector<File> files() const;  // oldest first
  std::string folder_;
};

}  // namespace polymax::learn
