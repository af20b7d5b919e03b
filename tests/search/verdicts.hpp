// What tests of searches share: budgets, evaluators that ask to stop, verdicts compared.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>

#include "core/searcher.hpp"

namespace polymax {

inline Budget evaluations(std::uint64_t count) {
  Budget out;
  out.evaluations = count;
  return out;
}

inline testing::AssertionResult differs(const char* what) {
  return testing::AssertionFailure() << "they differ in " << what;
}

// Whether two verdicts say the same, at whatever cost; if not, what differs.
template <class V>
testing::AssertionResult say_the_same(const V& a, const V& b) {
  if (!(a.best == b.best)) return differs("best");
  if (!(a.value == b.value)) return differs("value");
  if (!(a.pv == b.pv)) return differs("pv");
  if (a.proof != b.proof) return differs("proof");
  const bool same_children =
      std::ranges::equal(a.children, b.children, [](const auto& x, const auto& y) {
        return x.move == y.move && x.value == y.value && x.visits == y.visits &&
               x.resolved == y.resolved && x.bound == y.bound;
      });
  if (!same_children) return differs("children");
  return testing::AssertionSuccess();
}

// The same at the same cost, time aside.
template <class V>
testing::AssertionResult same(const V& a, const V& b) {
  if (a.cost.evaluations != b.cost.evaluations) return differs("evaluations");
  if (a.cost.nodes != b.cost.nodes) return differs("nodes");
  if (a.cost.bytes != b.cost.bytes) return differs("bytes");
  if (a.cost.depth != b.cost.depth) return differs("depth");
  return say_the_same(a, b);
}

// Another evaluator, which asks the search to stop when it is called for the `at`-th time.
template <class Eval>
class Stopping {
 public:
  Stopping(Eval& eval, int at) : eval_(eval), at_(at) {}

  template <class State>
  void evaluate(std::span<const State> states, std::span<Scores> out) {
    const int call = ++calls_;
    if (call == at_) source_.request_stop();
    eval_.evaluate(states, out);
  }

  Budget budget() const {
    Budget out;
    out.stop = source_.get_token();
    return out;
  }
  bool asked() const { return source_.stop_requested(); }
  int calls_after() const { return calls_ - at_; }

 private:
  Eval& eval_;
  int at_;
  std::atomic<int> calls_ = 0;
  std::stop_source source_;
};

}  // namespace polymax
