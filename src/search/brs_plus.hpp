// BRS+ (Esser, Gras, Winands, Schadd, Lanctot 2013): Best-Reply Search that keeps the order of
// turns. Between two turns of the seat that thinks one opponent may play any move, each other one
// plays its special move, the first of the move ordering. Chosen: the special move is the one that
// the evaluator likes best for its mover, or with special=root least for the seat that thinks; with
// order=prior the one with the largest prior. A turn of several moves in a row counts as one. While
// nobody has played freely, the special move is searched as such alone: as a free move it would
// leave the opponents less. k-best never drops it.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.hpp"
#include "tree/depth_first.hpp"

namespace polymax::brs_plus {

enum class Special { own, root };
inline constexpr std::array<std::string_view, 2> kSpecialNames{"own", "root"};

struct Params : DepthFirstParams {
  Special special = Special::own;

  static Fields fields() {
    return with(
        with(common_scalar(), ordered()),
        {field("special", &Params::special,
               "special move: best for its mover, or worst for who thinks", kSpecialNames)});
  }
};

template <Game G>
class Rule : public DepthFirstRule<G> {
 public:
  using Params = brs_plus::Params;

  static constexpr About about{"BRS+, alpha-beta with iterative deepening", 1,
                               "Esser et al., CG 2013"};
  static constexpr bool kScalar = true;

  Rule(const Task<G>& task, const Params& params)
      : DepthFirstRule<G>(task), special_(params.special) {
    if (special_ == Special::root && params.order == MoveOrder::prior)
      throw Error(
          "brs_plus: a prior knows what is best for the mover: order=prior needs "
          "special=own");
  }

  void list(const typename G::State& state, int phase, Children<G>& out) const override {
    out.append(*this->game_, state);
    const int mover = this->game_->to_move(state);
    const bool own = mover == this->root_;
    out.rank = {mover};
    out.choice = {this->root_, own ? 1.0f : -1.0f};
    if (own || this->game_->players() == 2) return;
    bool matters = phase == kSpecial;
    for (std::size_t i = 0; i < out.size(); ++i) {
      out.turns[i].phase = after_free_move(out, i, mover);
      matters = matters || (phase == kNobody && out.turns[i].phase != kNobody);
    }
    out.ranked = matters && out.size() > 1;
  }

  void settle(int phase, ChildChoice& out) const override {
    if (out.choice.sign > 0 || phase == kFree || this->game_->players() == 2) return;
    if (out.size() > 1 && !out.valued && out.priors.empty())
      return;  // every move leads to the thinking seat's turn: none is special
    const std::uint32_t special = special_of(out);
    auto& after = out.turns[special].phase;
    if (after != kNobody) after = static_cast<std::uint8_t>(phase);
    if (phase == kSpecial) {
      out.whole = out.whole && out.size() == 1;
      out.kept = {special};
    } else if (std::ranges::find(out.kept, special) == out.kept.end()) {
      out.kept.push_back(special);
    }
  }

 private:
  // Since the thinking seat's turn: nobody has played freely; somebody has, so that the mover plays
  // its special move; the mover is the one that plays freely, and its turn goes on.
  static constexpr std::uint8_t kNobody = 0, kSpecial = 1, kFree = 2;

  std::uint8_t after_free_move(const Children<G>& out, std::size_t i, int mover) const {
    if (out.over[i]) return kNobody;
    const int next = this->game_->to_move(out.states[i]);
    return next == this->root_ ? kNobody : next == mover ? kFree : kSpecial;
  }

  std::uint32_t special_of(const ChildChoice& out) const {
    const Taste taste = special_ == Special::own ? out.rank : Taste{this->root_, -1};
    if (!out.priors.empty())
      return static_cast<std::uint32_t>(std::ranges::max_element(out.priors) - out.priors.begin());
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < out.size(); ++i)
      if (taste.prefers(out.values[i], i, out.values[best], best)) best = i;
    return best;
  }

  Special special_;
};

template <Game G>
using Search = DepthFirst<G, Rule<G>>;

}  // namespace polymax::brs_plus
