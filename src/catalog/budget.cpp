// Budgets as text: evals=2000,seconds=2, or solved alone.
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

}  // namespace

Budget parse_budget(std::string_view text) {
  if (text == "solved") return {};
  const Spec spec = Spec::parse("budget(" + std::string(text) + ")");
  if (spec.arguments.empty())
    throw Error("a budget is needed: evals=, nodes=, seconds=, depth=, or solved alone");
  const auto limits = read_settings<Limits>(spec);
  Budget out;
  if (limits.evals > 0) out.evaluations = static_cast<std::uint64_t>(limits.evals);
  if (limits.nodes > 0) out.nodes = static_cast<std::uint64_t>(limits.nodes);
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
