// Networks that the program itself made, under names that a player's spec may give instead of a
// file: network(file=NAME).
#pragma once

#include <memory>
#include <string>

#include "nn/engines.hpp"

namespace polymax {

// Known by that name as long as somebody holds it.
void offer_net(const std::string& name, const std::shared_ptr<const LoadedNet>& net);

// Null when there is none of that name.
std::shared_ptr<const LoadedNet> offered_net(const std::string& name);

}  // namespace polymax
