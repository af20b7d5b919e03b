// Specs that come from others: whether one of them would start a program.
#pragma once

#include "core/spec.hpp"

namespace polymax::catalog {

// Whether the spec, or one inside it, names a player from outside (offer_player in catalog.hpp):
// making it may start what the spec says.
bool names_program(const Spec& spec);

}  // namespace polymax::catalog
