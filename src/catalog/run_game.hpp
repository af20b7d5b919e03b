// What a run of learning needs of a game of the catalog.
#pragma once

#include <memory>

#include "catalog/any.hpp"
#include "learn/run.hpp"

namespace polymax::catalog {

// Throws Error when the game has no planes.
learn::RunGame run_game(std::shared_ptr<const AnyGame> game);

}  // namespace polymax::catalog
