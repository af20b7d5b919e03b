// A game in a file, one line of JSON: game spec, seed, players, moves, and the scores once it is over.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/any.hpp"

namespace polymax::cli {

struct SavedGame {
  std::string game;
  std::uint64_t seed = 0;
  std::vector<std::string> players, moves;
};

// The line for a match; `saved.moves` is taken from it.
std::string saved_line(SavedGame saved, const AnyGame& game, const AnyMatch& match);

// Throws Error that names the file and what is wrong in it.
SavedGame load_game(const std::string& path);

}  // namespace polymax::cli
