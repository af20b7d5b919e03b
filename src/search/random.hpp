// Uniformly random moves: the weakest opponent, and the measure of everything else.
#pragma once

#include "core/rng.hpp"
#include "core/searcher.hpp"
#include "tree/meter.hpp"

namespace polymax::random {

template <Game G>
class Search {
 public:
  using Params = NoSettings;

  static constexpr About about{"uniformly random moves", 1, ""};
  static constexpr std::string_view default_evaluator = "";

  explicit Search(const Task<G>& task, Params = {}) : game_(task.game), rng_(task.seed) {}

  Verdict<G> think(const typename G::State& root, const Budget& budget) {
    const Meter meter(budget);
    moves_.clear();
    game_->moves(root, moves_);
    Verdict<G> out;
    for (const auto& move : moves_) out.children.emplace_back().move = move;
    out.best = moves_[rng_.below(static_cast<std::uint32_t>(moves_.size()))];
    out.pv = {out.best};
    out.cost = meter.cost(0, 0);
    return out;
  }

  void advance(const typename G::Move&) {}

 private:
  const G* game_;
  Rng rng_;
  MoveList<G> moves_;
};

}  // namespace polymax::random
