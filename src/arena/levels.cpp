#include "arena/levels.hpp"

#include <algorithm>
#include <array>
#include <ranges>

#include "catalog/catalog.hpp"
#include "catalog/computed.hpp"
#include "core/error.hpp"
#include "core/lists.hpp"
#include "core/spec.hpp"

namespace polymax::arena {

namespace {

struct Row {
  std::string_view player;  // empty: the strongest at hand
  std::string_view budget;
};

constexpr std::array<LevelName, 4> kNames{{
    {"beginner", "Beginner", "looks a little ahead"},
    {"casual", "Casual", "plays some games in its head"},
    {"strong", "Strong", "searches for a second"},
    {"maximum", "Maximum", "searches for eight seconds"},
}};
constexpr std::array<Row, 4> kRows{{
    {"mcts", "evals=24"},
    {"mcts", "evals=600,seconds=2"},
    {"", "seconds=1"},
    {"", "seconds=8"},
}};

constexpr const char* kWithNetwork = "unbounded_maxn(eval=network)";

// Where another player is stronger at equal time (docs/results/2026-11-19-random-games.md):
// hundreds of moves, of which best-first search values all.
constexpr std::string_view kGameOfManyMoves = "blokus";
constexpr const char* kForManyMoves =
    "mcts(select=puct,c_puct=0.7,aim=win,eval=network(file=moves,playouts=8))";

}  // namespace

std::string strongest_player(const AnyGame& game) {
  if (!catalog::network_ships(game)) return "mcts";
  return Spec::parse(game.spec()).name == kGameOfManyMoves ? kForManyMoves : kWithNetwork;
}

std::string default_player(const AnyGame& game) {
  return catalog::network_ships(game) ? kWithNetwork : "unbounded_maxn";
}

std::span<const LevelName> level_names() {
  return kNames;
}

std::string level_list() {
  return joined(std::views::transform(kNames, &LevelName::name), ", ");
}

bool is_level(std::string_view name) {
  return std::ranges::find(kNames, name, &LevelName::name) != kNames.end();
}

Level level(const AnyGame& game, std::string_view name) {
  const auto found = std::ranges::find(kNames, name, &LevelName::name);
  if (found == kNames.end())
    throw Error("no level '" + std::string(name) + "'; there are " + level_list());
  const Row& row = kRows[static_cast<std::size_t>(found - kNames.begin())];
  return {row.player.empty() ? strongest_player(game) : std::string(row.player),
          std::string(row.budget)};
}

std::string level_of(const AnyGame& game, const Spec& player, const Budget& budget) {
  const auto whole = [&](const Spec& spec) { return game.player(spec, 0)->spec(); };
  const std::string spends = catalog::budget_text(budget);
  const auto found = std::ranges::find_if(kNames, [&](const LevelName& one) {
    const Level known = level(game, one.name);
    return catalog::budget_text(catalog::parse_budget(known.budget)) == spends &&
           whole(Spec::parse(known.player)) == whole(player);
  });
  return found == kNames.end() ? "" : std::string(found->name);
}

}  // namespace polymax::arena
