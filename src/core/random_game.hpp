// Matches of random moves: how playouts, first samples and the speed of a game play.
#pragma once

#include <cstdint>

#include "core/game.hpp"
#include "core/rng.hpp"

namespace polymax {

// Plays to the end. met(state, moves) sees every position before its move; `moves` is room to use.
template <Game G, class Met>
void finish_randomly(const G& game, typename G::State& state, MoveList<G>& moves, Rng& rng,
                     Met met) {
  while (!game.over(state)) {
    moves.clear();
    game.moves(state, moves);
    met(state, moves);
    game.play(state, moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
  }
}

}  // namespace polymax
