// engine(cmd="...",protocol=ugi|gtp): a program outside as a player like any other. Once it is
// offered, every AnyGame::player makes it: in match, study and play. It is not offered by default:
// who reads specs from strangers (a page, a service) does not want them to start programs.
#pragma once

#include "catalog/any.hpp"

namespace polymax::protocol {

// Offers the player `engine` to the whole process. May be called again.
void offer_engines();

}  // namespace polymax::protocol
