// Self-play of one game type: a teaching search plays a match against itself and hands over its
// samples as bit planes, turned when `turns` are given.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/mover_turns.hpp"
#include "core/rng.hpp"
#include "core/searcher.hpp"
#include "eval/playouts.hpp"
#include "learn/lesson.hpp"

namespace polymax::catalog {

template <Learnable G>
void add_sample(const G& game, const typename G::State& state, const Scores& points,
                const MoverTurns* turns, learn::Samples& to) {
  const std::size_t at = to.planes.size(), words = static_cast<std::size_t>(game.planes().words());
  to.planes.resize(at + words);
  write_planes(game, state, turns, std::span(to.planes).subspan(at, words));
  const std::size_t players = static_cast<std::size_t>(game.players()), first = to.points.size();
  to.points.resize(first + players);
  for (std::size_t p = 0; p < players; ++p)
    to.points[first + (turns == nullptr ? p : turns->seat(game.to_move(state), p))] =
        points.seats[p];
}

// The search is fresh. Nothing when a stop was asked for.
template <Learnable G, Teaching<G> S>
std::optional<learn::Lesson> play_lesson(const G& game, Points points, S& search,
                                         const Budget& budget, typename G::State state,
                                         const MoverTurns* turns = nullptr) {
  learn::Lesson out;
  const auto begin = std::chrono::steady_clock::now();
  for (; !game.over(state); ++out.length) {
    const Verdict<G> found = search.think(state, budget);
    if (budget.stop.stop_requested()) return std::nullopt;
    out.evaluations += found.cost.evaluations;
    out.solved_roots += found.proof != Proof::none ? 1 : 0;
    out.predicted.push_back(found.value);
    game.play(state, found.best);
    search.advance(found.best);
  }
  out.gain = game.gain(state);
  out.points = terminal_points(game, state, points);
  search.harvest([&](const typename G::State& met, const Scores& value) {
    add_sample(game, met, value, turns, out.samples);
    out.finished += game.over(met) ? 1 : 0;
  });
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

template <Learnable G>
learn::Samples random_samples(const G& game, Points points, std::uint64_t seed,
                              const learn::RandomMatches& asked,
                              const MoverTurns* turns = nullptr) {
  learn::Samples out;
  Rng rng(seed);
  MoveList<G> moves;
  std::vector<typename G::State> met;
  const playouts::Eval<G> random_games(EvaluatorSetup<G>{&game, points, rng.next()},
                                       {asked.playouts});
  for (int i = 0; i < asked.matches; ++i) {
    met.clear();
    typename G::State state = game.start(rng.next());
    while (!game.over(state)) {
      if (asked.before > 0) met.push_back(state);
      moves.clear();
      game.moves(state, moves);
      game.play(state, moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    }
    add_sample(game, state, terminal_points(game, state, points), turns, out);
    for (int k = 0; k < asked.before && !met.empty(); ++k) {
      std::swap(met[rng.below(static_cast<std::uint32_t>(met.size()))], met.back());
      Scores value;
      random_games.evaluate({&met.back(), 1}, {&value, 1});
      add_sample(game, met.back(), value, turns, out);
      met.pop_back();
    }
  }
  return out;
}

// The symmetries of the game, or the identity alone. A win by additive depth is worth up to the
// longest game's moves, however rare wins are.
template <Learnable G>
learn::Subject subject_of(const G& game, Points points, std::string spec) {
  learn::Subject out{std::move(spec), G::about.version, game.players(), game.planes(), {}};
  if (points == Points::depth) out.spread = static_cast<float>(game.max_length()) / 4;
  if constexpr (Symmetric<G>) {
    out.symmetries = game.symmetries();
  } else {
    Symmetry same;
    for (int i = 0; i < out.planes.cells(); ++i)
      same.cells.push_back(static_cast<std::uint16_t>(i));
    for (int k = 0; k < out.planes.planes; ++k)
      same.planes.push_back(static_cast<std::uint16_t>(k));
    for (std::size_t p = 0; p < kMaxPlayers; ++p) same.seats[p] = static_cast<std::uint8_t>(p);
    out.symmetries.push_back(same);
  }
  return out;
}

}  // namespace polymax::catalog
