// Best-Reply Search (Schadd, Winands 2011): after a move of the seat that thinks just one of its
// opponents replies, the one whose reply hurts most; the others skip their turns. Chosen: opponents
// in the order of turns; one without a move is left out; a side that cannot move at all is skipped
// without using up depth. After a reply the position is valued with the thinking seat to move,
// after its own move as the game has it. The opponents rank moves for k-best together: by what they
// leave to the thinking seat.
#pragma once

#include "tree/depth_first.hpp"

namespace polymax::brs {

struct Params : DepthFirstParams {
  static Fields fields() { return common_scalar(); }
};

template <TurnSkipping G>
class Rule : public DepthFirstRule<G> {
 public:
  using Params = brs::Params;

  static constexpr About about{"Best-Reply Search, alpha-beta with iterative deepening", 1,
                               "Schadd and Winands, IEEE TCIAIG 2011"};
  static constexpr bool kScalar = true;

  Rule(const Task<G>& task, const Params&) : DepthFirstRule<G>(task) {}

  void list(const typename G::State& state, int phase, Children<G>& out) const override {
    if (phase == kReply) list_replies(state, out);
    const bool replies = out.size() > 0;
    if (!replies) list_own(state, out);
    out.rank = out.choice = {this->root_, replies ? -1.0f : 1.0f};
    for (const auto& turn : out.turns) out.whole = out.whole && turn.natural;
  }

 private:
  static constexpr std::uint8_t kOwn = 0, kReply = 1;

  void list_own(const typename G::State& state, Children<G>& out) const {
    const bool natural = this->game_->to_move(state) == this->root_;
    out.append(*this->game_, natural ? state : *this->game_->give_turn(state, this->root_));
    for (auto& turn : out.turns) turn = {kReply, natural};
  }

  void list_replies(const typename G::State& state, Children<G>& out) const {
    const int players = this->game_->players();
    for (int next = 1; next < players; ++next) {
      const int seat = (this->root_ + next) % players;
      const auto given = this->game_->give_turn(state, seat);
      if (!given) continue;
      const std::size_t before = out.size();
      out.append(*this->game_, *given);
      for (std::size_t i = before; i < out.size(); ++i)
        out.turns[i] = hand_back(out, i, this->game_->to_move(state) == seat);
    }
  }

  // After reply i it is the thinking seat's turn, if it has a move.
  ChildChoice::Turn hand_back(Children<G>& out, std::size_t i, bool natural) const {
    if (out.over[i]) return {kOwn, natural};
    auto& state = out.states[i];
    const bool own = this->game_->to_move(state) == this->root_;
    const auto given = this->game_->give_turn(state, this->root_);
    if (!given) return {kReply, natural};
    state = *given;
    return {kOwn, natural && own};
  }
};

template <TurnSkipping G>
using Search = DepthFirst<G, Rule<G>>;

}  // namespace polymax::brs
