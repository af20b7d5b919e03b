// The learning loop (algorithms of Athenan for any number of seats): lessons come in, each is
// stored and followed by a phase of Adam steps over the replay memory, new weights go out to the
// matches. The matches run elsewhere (source.hpp). With settings.pace the steps are spread over
// time instead, each draws from the whole memory, and no more are made than delta allows.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "learn/checkpoint.hpp"
#include "learn/journal.hpp"
#include "learn/lesson.hpp"
#include "learn/replay.hpp"
#include "learn/settings.hpp"
#include "learn/source.hpp"
#include "nn/trainer.hpp"

namespace polymax::learn {

struct Plan {
  std::string folder;             // that of the run; it exists
  double seconds = 0;             // of running in all, restarts included; 0 = no limit
  std::uint64_t matches = 0;      // in all; 0 = no limit
  double checkpoint_every = 120;  // seconds
  double journal_every = 5;       // seconds
  // done: share of the plan, 0 without limits.
  std::function<void(const Entry&, double done)> on_entry;
  std::stop_token stop;  // asks for a last checkpoint and the end
};

// A run that begins with a network.
Checkpoint fresh_checkpoint(Net net, std::uint64_t seed);

// A run that begins: an untrained network, scaled by the spread of the points in `ends` of random
// matches, which are turned when the network is. Throws Error when the game has no turns and the
// settings want them.
Checkpoint begin_run(const Subject& subject, const NetSettings& net, std::uint64_t seed,
                     const Samples& ends);

// The run `from` goes on at another size of its game. begun, fresh: how a run of its size and of
// the other one begins, with a network of the same channels, blocks and planes. Weights and
// counters are taken over; what is summed over the board is divided by how much larger the board
// is, and outputs stay in units of the points' spread, moved by what the mean points of the two
// sizes differ. Throws Error when the networks do not fit.
Checkpoint at_other_size(const Checkpoint& from, const Checkpoint& begun, Checkpoint fresh);

// Who makes the trainer of a run: torch's, or a pretended one.
using MakeTrainer = std::function<std::unique_ptr<Trainer>(
    const Net& net, const OptimiserState& state, std::vector<Symmetry> symmetries,
    const TrainerSettings& settings)>;

// Gives the network of a run that begins an untrained second head, unless it has one. Throws Error
// when the game does not say where its moves lie.
void add_second_head(Checkpoint& run, const Subject& subject, std::uint64_t seed);

class Loop {
 public:
  // The source values with the checkpoint's net when it begins.
  Loop(const Subject& subject, const Settings& settings, const TrainerSettings& trainer, Plan plan,
       Checkpoint from, Source& source, const MakeTrainer& make_trainer = polymax::make_trainer);

  // Before the first match, for its part of the plan's seconds: a step for every batch of samples
  // of random matches.
  void warm_up(LessonThreads& random);

  // Until the plan is done or a stop is asked for. Writes checkpoints on the way and one at the
  // end, also when an error ends it, where that can be done.
  void run();

  const Counters& counters() const { return counters_; }
  Net net() const;  // as it is now, with what a file says of its training

 private:
  using Clock = std::chrono::steady_clock;

  bool done() const;
  double share_done() const;
  double rate() const;
  void take(Lesson lesson);
  bool may_step() const;
  bool warm() const;
  void step();
  void add_to_batch(const Samples& from, std::size_t sample);
  void clear_batch();
  void learn_batch();
  void publish();
  void learn();    // the loop itself
  bool rescued();  // a checkpoint after an error; false: that is not possible either
  void report();
  void checkpoint();
  void keep_up();
  double running() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  Subject subject_;
  Settings settings_;
  Plan plan_;
  Counters counters_, at_start_, at_report_;
  std::uint64_t seed_;
  Rng rng_;
  Replay replay_;
  std::unique_ptr<Trainer> trainer_;
  Source& source_;
  Journal journal_;
  CheckpointFolder checkpoints_;

  std::vector<SampleRef> phase_;  // samples of the learning phase; next_ is the first not yet used
  std::size_t next_ = 0;
  bool published_ = true, warming_ = false;
  Window window_;
  Variety variety_;
  Clock::time_point begin_;
  double paced_ = 0;  // running() before which no step is due
  double due_ = 0;    // samples that delta still allows, with a pace; begins anew with --resume
  double reported_ = 0, saved_ = 0, swapped_ = 0;
  std::uint64_t evaluated_ = 0;  // by the source, at the last report
  std::uint64_t history_ = 0;    // matches at the last net kept
  double processor_ = 0;         // seconds of CPU at the last report
  double busy_ = 0;              // seconds of the device at the last report
  std::vector<std::uint64_t> planes_;
  std::vector<float> points_;
  std::vector<std::uint8_t> symmetry_;
  bool knows_moves_;  // the network has a second head
  PriorBatch priors_;
};

}  // namespace polymax::learn
