// Who thinks when nobody is named, and the networks that ship with the program.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catalog/any.hpp"
#include "core/json.hpp"
#include "nn/net.hpp"

namespace polymax::cli {

// The network shipped for this game with these options; nothing when there is none. Throws Error
// when it is damaged.
std::optional<Net> shipped_net(const AnyGame& game);

// What a network says of its training: numbers are numbers.
std::vector<std::pair<std::string, Json>> training_values(const Net& net);

// unbounded_maxn, valued by the shipped network where there is one.
std::string default_player(const AnyGame& game);

}  // namespace polymax::cli
