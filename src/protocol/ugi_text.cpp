#include "protocol/ugi_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/number.hpp"
#include "core/seats_text.hpp"
#include "protocol/words.hpp"

namespace polymax::protocol {

namespace {

std::uint64_t count_of(const std::vector<std::string>& words, std::size_t i) {
  const auto value = i + 1 < words.size() ? number_of<std::uint64_t>(words[i + 1]) : std::nullopt;
  if (!value || *value == 0) throw Error("go: '" + shown(words[i]) + "' wants a number from 1");
  return *value;
}

}  // namespace

GoLimits read_go(const std::vector<std::string>& words) {
  GoLimits out;
  for (std::size_t i = 1; i < words.size(); ++i) {
    out.any = true;
    if (words[i] == "infinite") {
      out.infinite = true;
      continue;
    }
    if (words[i] == "evals")
      out.budget.evaluations = count_of(words, i);
    else if (words[i] == "nodes")
      out.budget.nodes = count_of(words, i);
    else if (words[i] == "movetime")
      out.budget.seconds = static_cast<double>(count_of(words, i)) / 1000;
    else if (words[i] == "depth")
      out.budget.depth = static_cast<int>(std::min<std::uint64_t>(count_of(words, i), 1000));
    else
      throw Error("go: no limit '" + shown(words[i]) +
                  "'; there are evals, nodes, movetime (milliseconds), depth, infinite");
    ++i;
  }
  return out;
}

std::string write_go(const Budget& budget) {
  std::string out = "go";
  if (budget.evaluations != Budget::kNoLimit) out += fmt::format(" evals {}", budget.evaluations);
  if (budget.nodes != Budget::kNoLimit) out += fmt::format(" nodes {}", budget.nodes);
  if (std::isfinite(budget.seconds))
    out += fmt::format(" movetime {}", std::max(1L, std::lround(1000 * budget.seconds)));
  if (budget.depth != Budget{}.depth) out += fmt::format(" depth {}", budget.depth);
  return out == "go" ? "go infinite" : out;
}

std::string ugi_info(const AnyVerdict& verdict, int players) {
  const auto& cost = verdict.cost;
  std::uint64_t visits = 0;
  for (const auto& child : verdict.children)
    if (child.move == verdict.best) visits = child.visits;
  std::string out = fmt::format(
      "info depth {} evals {} nodes {} time {} eps {:.0f} values {} visits {} proven {}",
      cost.depth, cost.evaluations, cost.nodes, std::lround(1000 * cost.seconds),
      cost.seconds > 0 ? static_cast<double>(cost.evaluations) / cost.seconds : 0.0,
      seats_text(verdict.value, players), visits,
      kProofNames[static_cast<std::size_t>(verdict.proof)]);
  if (!verdict.pv.empty()) out += " pv " + joined(verdict.pv);
  return out;
}

bool read_info(const std::vector<std::string>& words, int players, AnyVerdict& verdict) {
  AnyVerdict read = verdict;
  const auto count = [&](std::size_t i, auto& to) {
    const auto value = number_of<std::uint64_t>(words[i + 1]);
    if (value) to = static_cast<std::remove_reference_t<decltype(to)>>(*value);
    return value.has_value();
  };
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i] == "string") break;
    if (words[i] == "pv") {
      read.pv.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    }
    if (words[i] == "depth" && !count(i, read.cost.depth)) return false;
    if (words[i] == "evals" && !count(i, read.cost.evaluations)) return false;
    if (words[i] == "nodes" && !count(i, read.cost.nodes)) return false;
    if (words[i] == "proven") {
      const auto at = std::ranges::find(kProofNames, words[i + 1]);
      if (at != kProofNames.end()) read.proof = static_cast<Proof>(at - kProofNames.begin());
    }
    if (words[i] == "values")
      for (int p = 0; p < players; ++p) {
        const std::size_t at = i + 1 + static_cast<std::size_t>(p);
        const auto value = at < words.size() ? number_of<float>(words[at]) : std::nullopt;
        if (!value) return false;
        read.value[p] = *value;
      }
  }
  verdict = std::move(read);
  return true;
}

}  // namespace polymax::protocol
