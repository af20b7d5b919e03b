// Budgets as text: evals=2000,seconds=2, or solved alone.
#include <cmath>
#include <limits>

#include "catalog/catalog.hpp"
#include "core/lists.hpp"
#include "core/number.hpp"
#include "core/spec.hpp"

namespace polymax::catalog {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Limits {
  double evals = 0, nodes = 0, seconds = 0;  // 0 = not given
  int depth = 0;

  static Fields fields() {
    return {field("evals", &Limits::evals, "positions valued", 1, 1e18),
            field("nodes", &Limits::nodes, "positions visited", 1, 1e18),
            field("seconds", &Limits::seconds, "time", 1e-6, kInfinity),
            field("depth", &Limits::depth, "moves ahead", 1, 1000)};
  }
};

[[noreturn]] void fail_limit(const Spec& spec, std::string_view key, const std::string& why) {
  const Spec& value = find_argument(spec, key)->value;
  fail_at(value, value.at, std::string(key) + "=" + value.text() + " is not allowed: " + why);
}

std::uint64_t whole(const Spec& spec, std::string_view key, double limit) {
  if (limit != std::floor(limit)) fail_limit(spec, key, std::string(key) + " takes a whole number");
  return static_cast<std::uint64_t>(limit);
}

}  // namespace

Budget parse_budget(std::string_view text) {
  if (text == "solved") return {};
  const Spec spec = Spec::parse("budget(" + std::string(text) + ")");
  if (spec.arguments.empty())
    throw Error("a budget is needed: evals=, nodes=, seconds=, depth=, or solved alone");
  const auto limits = read_settings<Limits>(spec);
  Budget out;
  if (limits.evals > 0) out.evaluations = whole(spec, "evals", limits.evals);
  if (limits.nodes > 0) out.nodes = whole(spec, "nodes", limits.nodes);
  if (std::isinf(limits.seconds))
    fail_limit(spec, "seconds", "seconds takes a finite number; no limit at all is solved alone");
  if (limits.seconds > 0) out.seconds = limits.seconds;
  if (limits.depth > 0) out.depth = limits.depth;
  return out;
}

std::string budget_text(const Budget& budget) {
  std::vector<std::string> parts;
  if (budget.evaluations != Budget::kNoLimit)
    parts.push_back("evals=" + std::to_string(budget.evaluations));
  if (budget.nodes != Budget::kNoLimit) parts.push_back("nodes=" + std::to_string(budget.nodes));
  if (std::isfinite(budget.seconds)) parts.push_back("seconds=" + shortest_text(budget.seconds));
  if (budget.depth != Budget{}.depth) parts.push_back("depth=" + std::to_string(budget.depth));
  return parts.empty() ? "solved" : joined(parts, ",");
}

}  // namespace polymax::catalog
