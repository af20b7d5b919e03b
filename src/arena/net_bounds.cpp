#include "arena/net_bounds.hpp"

#include <numeric>
#include <vector>

#include "arena/match.hpp"
#include "arena/parallel.hpp"
#include "core/error.hpp"

namespace polymax::arena {

// greedy plays the child that the network values most for the mover and tells its value: the values
// of a match are those of its positions.
NetBounds net_bounds(const AnyGame& game, const NetBoundsSettings& settings) {
  const auto seats = static_cast<std::size_t>(game.players());
  const auto setup = [&](std::uint64_t k) {
    MatchSetup out;
    out.game = &game;
    out.players.assign(seats, settings.player);
    out.budgets.assign(seats, Budget{});
    out.start = derived_seed(settings.seed, k);
    out.seed = out.start;
    out.opening = game.players();  // a random move of every seat: matches differ
    return out;
  };
  NetBounds out;
  const auto take = [&](std::uint64_t, MatchRecord&& record) {
    if (!record.error.empty()) throw Error(record.error, Error::Kind::failed);
    for (const auto& move : record.moves) {
      if (!move.valued) continue;
      ++out.positions;
      for (int p = 0; p < game.players(); ++p) out.bounds.take(static_cast<double>(move.value[p]));
    }
    return true;
  };
  std::vector<std::uint64_t> which(settings.matches);
  std::iota(which.begin(), which.end(), std::uint64_t{0});
  play_matches(which, settings.threads, setup, take);
  if (out.positions == 0)
    throw Error("no move was made in these matches: give more of them", Error::Kind::failed);
  return out;
}

}  // namespace polymax::arena
