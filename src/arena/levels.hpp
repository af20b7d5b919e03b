// How strong an engine should play, by name: what a person chooses in the terminal, on the web page
// and in Python; and who plays when nobody is named.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "catalog/any.hpp"

namespace polymax::arena {

struct LevelName {
  std::string_view name, title, help;
};

// beginner, casual, strong, maximum: the weakest first.
std::span<const LevelName> level_names();
std::string level_list();  // "beginner, casual, ..."
bool is_level(std::string_view name);

struct Level {
  std::string player, budget;  // specs, for the game asked
};

// Throws Error that names the levels.
Level level(const AnyGame& game, std::string_view name);

// The level that has this player and this budget in the game; empty: none has. Makes players.
std::string level_of(const AnyGame& game, const Spec& player, const Budget& budget);

// The strongest player at hand for a budget of time: unbounded_maxn valued by the network that
// ships for the game, in blokus mcts with a network that knows the moves; mcts where none ships.
std::string strongest_player(const AnyGame& game);

// Who thinks when nobody is named, whatever the budget: unbounded_maxn with the network that ships,
// or with the game's own evaluator, which can solve.
std::string default_player(const AnyGame& game);

}  // namespace polymax::arena
