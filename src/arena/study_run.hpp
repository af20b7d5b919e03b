// Plays the matches of a shard that nobody has played yet. May be killed at any moment: what was
// played is on the disk.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/parallel.hpp"
#include "arena/shard.hpp"
#include "arena/study.hpp"

namespace polymax::arena {

struct StudyRunSettings {
  PartName shard;
  int threads = 1;
  bool repair = false;        // leave broken lines of all shards out and play those matches again
  bool retry_failed = false;  // play matches again that are recorded as failed
  bool mix_engines = false;   // allow values computed otherwise than those of the shards there
  bool share_cores = false;   // allow more matches at once than cores with a budget in seconds

  // Who makes players; the catalog when empty.
  std::function<std::unique_ptr<AnyPlayer>(const MatchSetup& setup, int seat)> make_player;
};

struct StudyProgress {
  std::uint64_t planned = 0;  // matches of the shard
  std::uint64_t before = 0;   // of these, already there when the run began
  std::uint64_t played = 0;   // in this run, failed ones too
  std::uint64_t failed = 0;
  std::string first_error;
  std::uint64_t forfeits = 0;  // of those played: lost by a seat that broke the rules of the match
  std::string first_forfeit;
  double seconds = 0;             // of this run
  std::vector<double> score_sum;  // in this run, by evaluated player
  std::vector<std::uint64_t> results;

  std::uint64_t done() const { return before + played; }
  // Matches a second.
  double rate() const { return seconds > 0 ? static_cast<double>(played) / seconds : 0; }
  double seconds_left() const {
    return rate() > 0 ? static_cast<double>(planned - done()) / rate() : 0;
  }
};

// What its matches ask of the machine.
MatchLoad load_of(const Study& study);

// watch: when everything is checked, then after every match. Throws Error for a bad study (before
// anything is written), a lock, broken shards, a full disk, a match that the machine could not
// play: nothing is recorded of it. When `stop` is asked for, matches in flight are dropped and the
// progress so far comes back.
StudyProgress run_study(const Study& study, const StudyRunSettings& settings,
                        const std::function<void(const StudyProgress&)>& watch = {},
                        std::stop_token stop = {});

}  // namespace polymax::arena
