// What a search adds to depth_first.hpp is its rule: which moves it looks at and who chooses among
// them. A class Rule<G>, derived from DepthFirstRule<G> and made of (task, params), with
//   Params, about
//   kScalar     values are compared by the root seat's component alone, so that alpha-beta applies
// A phase is what a search must remember of the way to a position; the root has phase 0.
#pragma once

#include <cstdint>

#include "core/searcher.hpp"
#include "tree/children.hpp"

namespace polymax {

template <Game G>
class DepthFirstRule {
 public:
  explicit DepthFirstRule(const Task<G>& task) : game_(task.game) {}
  virtual ~DepthFirstRule() = default;

  // The seat that thinks.
  void begin(int seat) { root_ = seat; }
  int root() const { return root_; }

  // Tells apart table entries of one position.
  virtual std::uint64_t salt(int phase) const {
    return static_cast<std::uint64_t>(root_ + 1) << 8 | static_cast<std::uint64_t>(phase);
  }

  // Appends moves and says who chooses among them; the caller has cleared them.
  virtual void list(const typename G::State& state, int phase, Children<G>& out) const = 0;

  // After the values are known and k-best has chosen: may change `kept` and `turns`.
  virtual void settle(int, ChildChoice&) const {}

 protected:
  const G* game_;
  int root_ = 0;
};

}  // namespace polymax
