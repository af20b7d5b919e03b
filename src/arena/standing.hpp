// How a study stands: how far it is, how fast it goes on, what its players have scored so far.
#pragma once

#include <cstdint>
#include <vector>

#include "arena/gather.hpp"

namespace polymax::arena {

struct Standing {
  Gathered gathered;
  std::vector<double> score_sum;               // by player, of matches that did not fail
  std::vector<std::uint64_t> results, failed;  // by player
  std::vector<std::uint64_t> forfeits;         // by player: of its results, whoever forfeited
  std::vector<double> ends;                    // of all matches, in seconds since 1970

  double rate() const;  // matches a second over the last ten minutes of play
};

// From the shards, which may grow meanwhile. Throws Error as gather does.
Standing standing_of(const Study& study);

}  // namespace polymax::arena
