// Questions to a game that have one answer for a game known by its type, and another for one behind
// virtual calls (catalog/boxed.hpp), which answers for many positions at once, and for what its
// type cannot tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/game.hpp"

namespace polymax {

template <Game G>
bool same_state(const G& game, const typename G::State& a, const typename G::State& b) {
  if constexpr (requires { game.same(a, b); })
    return game.same(a, b);
  else
    return a == b;
}

// Whether it has an estimate.
template <Game G>
bool estimates(const G& game) {
  if constexpr (requires { game.estimates(); })
    return game.estimates();
  else
    return Estimating<G>;
}

// Bytes at the beginning of a move that tell it from all others.
template <Game G>
std::size_t move_bytes(const G& game) {
  if constexpr (requires { game.move_bytes(); })
    return game.move_bytes();
  else
    return sizeof(typename G::Move);
}

// Appends the positions after these moves of one position; over[i]: whether the i-th of them is.
template <Game G>
void append_children(const G& game, const typename G::State& parent,
                     std::span<const typename G::Move> moves,
                     std::vector<typename G::State>& states, std::uint8_t* over) {
  const std::size_t before = states.size();
  if constexpr (requires { game.play_each(parent, moves, states.data(), over); }) {
    states.resize(before + moves.size());
    game.play_each(parent, moves, states.data() + before, over);
  } else {
    states.resize(before + moves.size(), parent);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      auto& state = states[before + i];
      game.play(state, moves[i]);
      over[i] = game.over(state);
    }
  }
}

template <Game G>
void hash_each(const G& game, std::span<const typename G::State> states, std::uint64_t* out) {
  if constexpr (requires { game.hash_each(states, out); }) {
    if (!states.empty()) game.hash_each(states, out);
  } else {
    for (std::size_t i = 0; i < states.size(); ++i) out[i] = game.hash(states[i]);
  }
}

}  // namespace polymax
