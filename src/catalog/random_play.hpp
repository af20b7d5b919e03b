// Uniformly random games from the start to the end, all legal moves generated at every ply: the
// measure of a game's speed and the source of its statistics.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <stop_token>

#include "core/clock.hpp"
#include "core/game.hpp"
#include "core/random_game.hpp"
#include "core/rng.hpp"

namespace polymax {

struct RandomPlayLimit {
  std::uint64_t games = std::numeric_limits<std::uint64_t>::max();
  double cpu_seconds = std::numeric_limits<double>::infinity();
  std::stop_token stop{};
};

struct RandomPlay {
  std::uint64_t games = 0, moves = 0;  // moves played
  std::uint64_t choices = 0;           // legal moves generated, summed over all plies
  int shortest = std::numeric_limits<int>::max(), longest = 0, most_choices = 0;
  std::array<double, kMaxPlayers> wins{};  // joint wins are shared
  std::uint64_t draws = 0;
  std::uint64_t fingerprint = 0;  // of all games, in order
  double cpu_seconds = 0;
};

template <Game G>
void record_random_game(const G& game, const typename G::State& end, int length, RandomPlay& out) {
  ++out.games;
  out.moves += static_cast<std::uint64_t>(length);
  out.shortest = std::min(out.shortest, length);
  out.longest = std::max(out.longest, length);
  out.fingerprint = mix64(out.fingerprint ^ game.hash(end));
  if (!add_wins(game.gain(end), game.players(), out.wins)) ++out.draws;
}

template <Game G>
RandomPlay play_randomly(const G& game, std::uint64_t seed, const RandomPlayLimit& limit) {
  RandomPlay out;
  Rng rng(seed);
  MoveList<G> moves;
  const double begin = thread_cpu_seconds();
  while (out.games < limit.games && !limit.stop.stop_requested()) {
    typename G::State state = game.start(rng.next());
    int length = 0;
    finish_randomly(game, state, moves, rng, [&](const auto&, const auto& choices) {
      ++length;
      out.choices += choices.size();
      out.most_choices = std::max(out.most_choices, static_cast<int>(choices.size()));
    });
    record_random_game(game, state, length, out);
    if (out.games % 64 == 0 || out.games == limit.games) {
      out.cpu_seconds = thread_cpu_seconds() - begin;
      if (out.cpu_seconds >= limit.cpu_seconds) break;
    }
  }
  out.cpu_seconds = thread_cpu_seconds() - begin;
  return out;
}

}  // namespace polymax
