// Many matches at once, one thread a match. With evaluators on a device, hundreds of threads wait
// for one batch.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>

#include "arena/match.hpp"

namespace polymax::arena {

// In which `done` gets the records; as_listed holds back early ones.
enum class Order { as_ended, as_listed };

// Plays the matches `which` on `threads` threads. `setup` may be called by several threads at once,
// `done` is called by one at a time; false from it ends the rest. Matches that `stop` cut short are
// not given to `done`. An exception of either, or of a match that could not be played, ends the
// rest and is thrown again here; what `done` got before stays. Where the machine refuses threads,
// fewer play. True when every match was played and done.
bool play_matches(std::span<const std::uint64_t> which, int threads,
                  const std::function<MatchSetup(std::uint64_t)>& setup,
                  const std::function<bool(std::uint64_t, MatchRecord&&)>& done,
                  Order order = Order::as_ended, std::stop_token stop = {});

// Throws Error when matches timed by the clock would have to share cores.
void check_threads(int threads, bool timed);

// What decides how many matches to play at once when nobody says.
struct MatchLoad {
  bool gpu = false;               // a player asks a network on a GPU
  bool timed = false;             // budgets are seconds: matches must not share cores
  std::uint64_t evaluations = 0;  // of a move, at most
};

// Matches at once that keep a GPU busy: with many networks each has few of them, and batches are
// small. Searches with large budgets hold large trees, hence fewer of these.
inline constexpr int kGpuMatches = 512, kMostGpuMatches = 2048;

// Hundreds wait for a GPU together, as far as their trees fit into the memory; else one for each
// core.
int default_matches(const MatchLoad& load);

}  // namespace polymax::arena
