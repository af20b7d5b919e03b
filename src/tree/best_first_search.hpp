// A player on a best-first tree: Unbounded Minimax and Unbounded Max^n differ only in what a mover
// wants; with care= the others want something between these two (taste.hpp, care.hpp). Iterations
// until the budget is gone or the root resolved, then the classic or the safe decision. The tree is
// kept for the next move as far as it can still be reached.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.hpp"
#include "tree/agree.hpp"
#include "tree/best_first.hpp"
#include "tree/care.hpp"

namespace polymax {

enum class Decision { safe, best };
inline constexpr std::array<std::string_view, 2> kDecisionNames{"safe", "best"};

// Who says how much the other seats care to spoil the points of the seat that thinks.
enum class CareFrom { setting, match };
inline constexpr std::array<std::string_view, 2> kCareFromNames{"setting", "match"};

struct BestFirstParams {
  Decision decision = Decision::safe;
  bool batch = true, refresh = true, literal = false;
  int memory = 1024, threads = 1, widen = 0;
  double widen_rate = 0.5, care = 0;
  CareFrom care_from = CareFrom::setting;

  static Fields fields() {
    using P = BestFirstParams;
    return {field("decision", &P::decision,
                  "plays the move selected most often (safe; of what is proven the best) or of "
                  "best value",
                  kDecisionNames),
            field("batch", &P::batch, "all children of a position valued by one call"),
            field("refresh", &P::refresh,
                  "moves take the newest value of a position reached by several ways"),
            field("literal", &P::literal,
                  "resolution rule as published, wrong when some seats may tie"),
            field("memory", &P::memory, "limit in MiB", 1, 1 << 20),
            field("threads", &P::threads, "lines extended at once", 1, 1024),
            field("widen", &P::widen,
                  "children that are valued of a new position, those with the highest prior of a "
                  "network that knows the moves; 0 = all",
                  0, 1 << 20),
            field("widen_rate", &P::widen_rate,
                  "with widen=K: K * floor((1+n)^rate) children are valued after n visits", 0, 4),
            field("care", &P::care,
                  "points that another seat gives for one that the thinking seat loses: 0 each for "
                  "itself, large all against it; not for unbounded_minimax",
                  0, 1000),
            field("care_from", &P::care_from,
                  "care of all other seats alike, or of each what its moves in the match tell",
                  kCareFromNames)};
  }
};

// What the seats that do not think want: each its own points, or that the thinking one has few.
enum class Others { each_for_itself, coalition };

template <Game G>
class BestFirstSearch {
 public:
  using Params = BestFirstParams;

  BestFirstSearch(const Task<G>& task, const Params& params, Others others)
      : game_(task.game),
        params_(params),
        tree_(task, {.coalition = others == Others::coalition,
                     .literal = params.literal,
                     .refresh = params.refresh,
                     .batch = params.batch,
                     .memory = static_cast<std::size_t>(params.memory) << 20,
                     .widen = params.widen,
                     .widen_rate = params.widen_rate,
                     .care = all_seats(task.game->players(), static_cast<float>(params.care))}) {
    if (others == Others::coalition && (params.care > 0 || learns()))
      throw Error(
          "unbounded_minimax: all others are against the mover; care= is of unbounded_maxn");
  }

  Verdict<G> think(const typename G::State& root, const Budget& budget,
                   const Watcher<G>& watcher = {}) {
    Meter meter(budget, watcher);
    if (learns()) tree_.set_care(care_.weights());
    at_ = root;
    seat_ = game_->to_move(root);
    const auto verdict = [&] { return tree_.verdict(decide(), meter); };
    tree_.start(root, meter);
    tree_.run(meter, {.threads = params_.threads}, watcher, verdict);
    return verdict();
  }

  // The next root says which part of the tree stays. What others play tells what they care for.
  void advance(const typename G::Move& move) {
    if (!learns() || seat_ < 0) return;
    const int mover = game_->to_move(at_);
    const NodeIndex node = mover == seat_ ? kNoNode : tree_.node_of(game_->hash(at_));
    if (node != kNoNode) {
      MoveList<G> moves;
      game_->moves(at_, moves);
      must_agree(moves.size(), tree_.tree()[node].count);
      const auto edge = std::ranges::find(moves, move);
      if (edge == moves.end()) fail_lost_move();
      care_.saw(tree_.tree().edges(node), static_cast<std::size_t>(edge - moves.begin()), mover,
                seat_);
    }
    game_->play(at_, move);
  }

  const BestFirst<G>& tree() const { return tree_; }

 private:
  std::size_t decide() const {
    const auto edges = tree_.root_edges();
    if (params_.decision == Decision::best) return edges.best_action();
    return tree_.solved() && !params_.literal ? edges.proven_action() : edges.safe_action();
  }

  bool learns() const { return params_.care_from == CareFrom::match; }

  const G* game_;
  Params params_;
  BestFirst<G> tree_;
  Care care_;
  typename G::State at_{};  // where the match stands; nothing yet while seat_ < 0
  int seat_ = -1;           // that thinks
};

}  // namespace polymax
