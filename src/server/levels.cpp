#include "server/levels.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "nn/engines.hpp"
#include "nn/net_file.hpp"

namespace polymax::server {

namespace {

bool has_net(const AnyGame& game) {
  const std::string file = default_net_file(game.spec());
  if (!game.planes() || !std::filesystem::exists(file)) return false;
  const Net net = load_net(file);
  return (net.game == game.spec() || net.game == game.game_of_networks()) &&
         net.shape.input == *game.planes();
}

std::string best_player(const AnyGame& game) {
  return has_net(game) ? "unbounded_maxn(eval=network)" : "unbounded_maxn";
}

std::string playouts(const AnyGame&) {
  return "mcts(eval=playouts)";
}

constexpr std::array<Level, 4> kLevels{{
    {"beginner", "Beginner", "looks a little ahead", playouts,
     [](const AnyGame&) -> std::string { return "evals=24"; }},
    {"casual", "Casual", "plays some games in its head", playouts,
     [](const AnyGame&) -> std::string { return "evals=600,seconds=2"; }},
    {"strong", "Strong", "searches for a second", best_player,
     [](const AnyGame&) -> std::string { return "seconds=1"; }},
    {"maximum", "Maximum", "searches for eight seconds", best_player,
     [](const AnyGame&) -> std::string { return "seconds=8"; }},
}};

}  // namespace

std::span<const Level> levels() {
  return kLevels;
}

std::optional<Level> level_named(std::string_view name) {
  const auto found = std::ranges::find(kLevels, name, &Level::name);
  return found == kLevels.end() ? std::nullopt : std::optional(*found);
}

std::string level_names() {
  std::string out;
  for (const auto& level : kLevels) out += (out.empty() ? "" : ", ") + std::string(level.name);
  return out;
}

std::string_view strongest_level() {
  return kLevels.back().name;
}

}  // namespace polymax::server
