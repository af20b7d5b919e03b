// Paranoid (Sturtevant, Korf 2000): all opponents together want the seat that thinks to have as
// little as possible, so that alpha-beta applies.
#pragma once

#include "tree/depth_first.hpp"

namespace polymax::paranoid {

struct Params : DepthFirstParams {
  static Fields fields() { return with(common_scalar(), ordered()); }
};

template <Game G>
class Rule : public DepthFirstRule<G> {
 public:
  using Params = paranoid::Params;

  static constexpr About about{"Paranoid, alpha-beta with iterative deepening", 1,
                               "Sturtevant and Korf, AAAI 2000"};
  static constexpr bool kScalar = true;

  Rule(const Task<G>& task, const Params&) : DepthFirstRule<G>(task) {}

  void list(const typename G::State& state, int, Children<G>& out) const override {
    out.append(*this->game_, state);
    const int mover = this->game_->to_move(state);
    out.rank = {mover};
    out.choice = {this->root_, mover == this->root_ ? 1.0f : -1.0f};
  }
};

template <Game G>
using Search = DepthFirst<G, Rule<G>>;

}  // namespace polymax::paranoid
