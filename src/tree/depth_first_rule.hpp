// What a search adds to depth_first.hpp is its Rule:
//   Params, about, kScalar            kScalar: values are compared by the root seat's component
//   alone, so that
//                                     alpha-beta applies
//   Rule(task, params)
//   begin(seat), root()               the seat that thinks
//   salt(phase)                       distinguishes table entries of one position
//   list(state, phase, children)      appends moves and says who chooses among them; the caller has
//   cleared them settle(phase, children)           after the values are known and k-best has
//   chosen: may change `kept` and `turns`
// A phase is what a search must remember of the way to a position; the root has phase 0.
#pragma once

#include <cstdint>
#include <tuple>

#include "core/searcher.hpp"
#include "tree/children.hpp"

namespace polymax {

struct DepthFirstParams {
  int k = 0, memory = 1024;
  bool batch = true, table = true, leaves = false, pruning = true;

  // P: the search's own settings, derived from this.
  template <class P>
  static auto common() {
    return std::tuple{
        field<P>("k", &P::k, "moves kept at every position, best values first; 0 = all", 0, 100000),
        field<P>("memory", &P::memory, "limit of the table in MiB", 1, 1 << 20),
        field<P>("batch", &P::batch, "value all children of a position in one call"),
        field<P>("table", &P::table, "remember positions reached by several ways"),
        field<P>("leaves", &P::leaves,
                 "also remember what the evaluator said, worth it when that is costly")};
  }
  template <class P>
  static auto common_scalar() {
    return std::tuple_cat(common<P>(),
                          std::tuple{field<P>("pruning", &P::pruning, "alpha-beta cuts")});
  }
};

// The parts of a Rule that most searches share: every move of the game, one phase.
template <Game G>
class PlainRule {
 public:
  explicit PlainRule(const Task<G>& task) : game_(task.game) {}

  void begin(int seat) { root_ = seat; }
  int root() const { return root_; }
  std::uint64_t salt(int phase) const { return static_cast<std::uint64_t>(root_ + 1) << 8 | phase; }
  void settle(int, Children<G>&) const {}

 protected:
  const G* game_;
  int root_ = 0;
};

}  // namespace polymax
