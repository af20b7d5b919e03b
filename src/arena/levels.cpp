#include "arena/levels.hpp"

#include <algorithm>
#include <array>

#include "core/error.hpp"

namespace polymax::arena {

namespace {

constexpr std::array<std::string_view, 4> kNames{"beginner", "casual", "strong", "maximum"};

bool has_network(const AnyGame& game) {
  if (!game.planes()) return false;
  try {
    game.player(Spec::parse("greedy(eval=network)"), 0);
    return true;
  } catch (const Error&) {  // none ships, or it is of other rules
    return false;
  }
}

}  // namespace

std::string strongest_player(const AnyGame& game) {
  return has_network(game) ? "unbounded_maxn(eval=network)" : "mcts";
}

std::vector<Level> levels(const AnyGame& game) {
  const std::string strongest = strongest_player(game);
  return {{"beginner", "looks a little ahead", "mcts", "evals=24"},
          {"casual", "plays some games in its head", "mcts", "evals=600,seconds=2"},
          {"strong", "searches for a second", strongest, "seconds=1"},
          {"maximum", "searches for eight seconds", strongest, "seconds=8"}};
}

bool is_level(std::string_view name) {
  return std::ranges::find(kNames, name) != kNames.end();
}

Level level(const AnyGame& game, std::string_view name) {
  if (!is_level(name))
    throw Error("no level '" + std::string(name) +
                "'; there are beginner, casual, strong and maximum");
  const auto all = levels(game);
  return *std::ranges::find(all, name, &Level::name);
}

}  // namespace polymax::arena
