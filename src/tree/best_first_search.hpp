// A player on a best-first tree: Unbounded Minimax and Unbounded Max^n differ only in what a mover
// aims at. Iterations until the budget is gone or the root resolved, then the classic or the safe
// decision. The tree is kept for the next move as far as it can still be reached.
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include "tree/best_first.hpp"

namespace polymax {

enum class Decision { safe, best };
inline constexpr std::array<std::string_view, 2> kDecisionNames{"safe", "best"};

struct BestFirstParams {
  Decision decision = Decision::safe;
  bool batch = true, refresh = true, literal = false;
  int memory = 1024, threads = 1;

  static auto fields() {
    using P = BestFirstParams;
    return std::tuple{
        field("decision", &P::decision,
              "plays the move selected most often (safe) or of best value", kDecisionNames),
        field("batch", &P::batch, "all children of a position valued by one call"),
        field("refresh", &P::refresh,
              "moves take the newest value of a position reached by several ways"),
        field("literal", &P::literal,
              "resolution rule as published, wrong when some seats may tie"),
        field("memory", &P::memory, "limit in MiB", 1, 1 << 20),
        field("threads", &P::threads, "lines extended at once", 1, 1024)};
  }
};

template <Game G>
class BestFirstSearch {
 public:
  using Params = BestFirstParams;

  BestFirstSearch(const Task<G>& task, const Params& params, bool coalition)
      : params_(params),
        tree_(task, {coalition, params.literal, params.refresh, params.batch,
                     static_cast<std::size_t>(params.memory) << 20}) {}

  Verdict<G> think(const typename G::State& root, const Budget& budget,
                   const Watcher<G>& watcher = {}) {
    Meter meter(budget, watcher);
    const auto verdict = [&] { return tree_.verdict(decide(), meter); };
    tree_.start(root, meter);
    tree_.run(meter, {.threads = params_.threads}, watcher, verdict);
    return verdict();
  }

  // The next root says which part of the tree stays.
  void advance(const typename G::Move&) {}

  const BestFirst<G>& tree() const { return tree_; }

 private:
  std::size_t decide() const {
    const auto edges = tree_.root_edges();
    if (params_.decision == Decision::best) return edges.best_action();
    return tree_.solved() && !params_.literal ? edges.safe_action_resolved() : edges.safe_action();
  }

  Params params_;
  BestFirst<G> tree_;
};

}  // namespace polymax
