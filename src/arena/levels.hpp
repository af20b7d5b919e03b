// How strong an engine should play, by name: what a person chooses in the terminal, on the web page
// and in Python.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/any.hpp"

namespace polymax::arena {

struct Level {
  std::string name, help;
  std::string player, budget;  // specs, for the game asked
};

// beginner, casual, strong, maximum: the weakest first.
std::vector<Level> levels(const AnyGame& game);

bool is_level(std::string_view name);

// Throws Error that names the levels.
Level level(const AnyGame& game, std::string_view name);

// The strongest player at hand: unbounded_maxn valued by the network that ships for the game, or
// mcts where there is none.
std::string strongest_player(const AnyGame& game);

}  // namespace polymax::arena
