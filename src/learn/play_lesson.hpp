// How a lesson comes about, for any game and any search that teaches: the search plays a match
// against itself and hands over its samples as bit planes, turned when `turns` are given.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/clock.hpp"
#include "core/mover_turns.hpp"
#include "core/random_game.hpp"
#include "core/rng.hpp"
#include "core/searcher.hpp"
#include "learn/lesson.hpp"

namespace polymax::learn {

template <Learnable G>
void add_sample(const G& game, const typename G::State& state, const Scores& points,
                const MoverTurns* turns, Samples& to) {
  const std::size_t at = to.planes.size(), words = static_cast<std::size_t>(game.planes().words());
  to.planes.resize(at + words);
  write_planes(game, state, turns, std::span(to.planes).subspan(at, words));
  const std::size_t players = static_cast<std::size_t>(game.players()), first = to.points.size();
  to.points.resize(first + players);
  for (std::size_t p = 0; p < players; ++p)
    to.points[first + (turns == nullptr ? p : turns->seat(game.to_move(state), p))] =
        points.seats[p];
}

// Collects what a match teaches of moves: the children of its positions, and how well the prior
// finds the best ones, on some positions whose children were all valued.
template <MoveMapped G>
class MoveLessons {
 public:
  MoveLessons(const G& game, const MoverTurns* turns, std::uint64_t seed)
      : game_(game), turns_(turns), rng_(seed) {}

  // A position of the samples, one after the other.
  void add(const typename G::State& state, const ValuedMoves<G>& valued) {
    for (std::size_t i = 0; i < valued.moves.size(); ++i)
      children_.push_back({turned_place(game_, state, valued.moves[i], turns_), valued.values[i]});
    ends_.push_back(children_.size());
    if (!valued.all || valued.moves.size() < 2) return;
    const std::uint32_t at = rng_.below(++whole_);
    Asked asked{state, {valued.values.begin(), valued.values.end()}};
    if (asked_.size() < kAsked)
      asked_.push_back(std::move(asked));
    else if (at < kAsked)
      asked_[at] = std::move(asked);
  }

  void finish(EvaluatorRef<G> evaluator, Lesson& out) {
    double sum = 0;
    int positions = 0;
    each_position([&](std::span<ValuedPlace> children) {
      sum += static_cast<double>(spread(children));
      positions += children.size() > 1 ? 1 : 0;
    });
    const float scale = sum > 0 ? static_cast<float>(sum / positions / kSharpness) : 1.0f;
    each_position(
        [&](std::span<ValuedPlace> children) { out.samples.priors.add(children, scale, rng_); });
    MovePriors priors;
    std::vector<typename G::State> states;
    for (const Asked& asked : asked_) states.push_back(asked.state);
    std::vector<Scores> ignored(states.size());
    if (!states.empty()) evaluator.evaluate(states, ignored, priors);
    for (std::size_t i = 0; i < asked_.size(); ++i) out.recall.add(asked_[i].values, priors.of(i));
  }

 private:
  static constexpr std::size_t kAsked = 16;  // of a match
  static constexpr double kSharpness = 4;

  struct Asked {
    typename G::State state;
    std::vector<float> values;
  };

  template <class F>
  void each_position(F f) {
    for (std::size_t i = 0, begin = 0; i < ends_.size(); begin = ends_[i++])
      f(std::span(children_).subspan(begin, ends_[i] - begin));
  }

  const G& game_;
  const MoverTurns* turns_;
  Rng rng_;
  std::vector<ValuedPlace> children_;
  std::vector<std::size_t> ends_;  // of each position
  std::vector<Asked> asked_;       // drawn from whole_ positions
  std::uint32_t whole_ = 0;
};

// The samples of a finished match. evaluator: one that knows moves, when these are to be learned.
template <Learnable G, Teaching<G> S>
void harvest(const G& game, S& search, const MoverTurns* turns, std::uint64_t seed,
             const EvaluatorRef<G>* evaluator, Lesson& out) {
  const auto add = [&](const typename G::State& met, const Scores& value) {
    add_sample(game, met, value, turns, out.samples);
    out.finished += game.over(met) ? 1 : 0;
  };
  if constexpr (MoveMapped<G>)
    if (evaluator != nullptr && evaluator->knows_moves()) {
      MoveLessons<G> moves(game, turns, seed);
      search.harvest(
          [&](const typename G::State& met, const Scores& value, const ValuedMoves<G>& valued) {
            add(met, value);
            moves.add(met, valued);
          });
      return moves.finish(*evaluator, out);
    }
  search.harvest(add);
}

// The search is fresh. Nothing when a stop was asked for.
template <Learnable G, Teaching<G> S>
std::optional<Lesson> play_lesson(const G& game, Points points, S& search, const Budget& budget,
                                  typename G::State state, const MoverTurns* turns = nullptr,
                                  const EvaluatorRef<G>* evaluator = nullptr) {
  const std::uint64_t seed = game.hash(state);
  Lesson out;
  const double begin = wall_seconds();
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
  out.end = game.hash(state);
  harvest(game, search, turns, seed, evaluator, out);
  out.seconds = wall_seconds() - begin;
  return out;
}

// random_games: what values positions by as many of them as were asked for.
template <Learnable G>
Samples random_samples(const G& game, Points points, Rng& rng, const RandomMatches& asked,
                       EvaluatorRef<G> random_games, const MoverTurns* turns = nullptr) {
  Samples out;
  MoveList<G> moves;
  std::vector<typename G::State> met;
  for (int i = 0; i < asked.matches; ++i) {
    met.clear();
    typename G::State state = game.start(rng.next());
    finish_randomly(game, state, moves, rng, [&](const auto& before, const auto&) {
      if (asked.before > 0) met.push_back(before);
    });
    add_sample(game, state, terminal_points(game, state, points), turns, out);
    for (int k = 0; k < asked.before && !met.empty(); ++k) {
      std::swap(met[rng.below(static_cast<std::uint32_t>(met.size()))], met.back());
      add_sample(game, met.back(), random_games.evaluate(met.back()), turns, out);
      met.pop_back();
    }
  }
  return out;
}

}  // namespace polymax::learn
