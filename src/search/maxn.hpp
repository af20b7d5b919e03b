// Max^n (Luckhardt, Irani 1986): every seat takes the child whose value is largest for itself; the
// whole vector is handed up. No cut is sound, since values have no known bounds. Chosen: among
// equal children the first in the order of generation, or with ties=paranoid the worst for the seat
// that thinks.
#pragma once

#include <array>
#include <string_view>

#include "tree/depth_first.hpp"

namespace polymax::maxn {

enum class Ties { first, paranoid };
inline constexpr std::array<std::string_view, 2> kTiesNames{"first", "paranoid"};

struct Params : DepthFirstParams {
  Ties ties = Ties::first;

  static Fields fields() {
    return with(with(common(), ordered()),
                {field("ties", &Params::ties,
                       "among equal moves the first, or the worst for who thinks", kTiesNames)});
  }
};

template <Game G>
class Rule : public DepthFirstRule<G> {
 public:
  using Params = maxn::Params;

  static constexpr About about{"Max^n, iterative deepening", 1, "Luckhardt and Irani, AAAI 1986"};
  static constexpr bool kScalar = false;

  Rule(const Task<G>& task, const Params& params)
      : DepthFirstRule<G>(task), paranoid_(params.ties == Ties::paranoid) {}

  std::uint64_t salt(int phase) const override {
    return paranoid_ ? DepthFirstRule<G>::salt(phase) : 0;
  }

  void list(const typename G::State& state, int, Children<G>& out) const override {
    out.append(*this->game_, state);
    const int mover = this->game_->to_move(state);
    out.rank = {mover};
    out.choice = {mover, 1, paranoid_ ? this->root_ : -1};
  }

 private:
  bool paranoid_;
};

template <Game G>
using Search = DepthFirst<G, Rule<G>>;

}  // namespace polymax::maxn
