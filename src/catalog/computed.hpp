// What computes the values of networks on this machine.
#pragma once

#include <string>

#include "core/spec.hpp"

namespace polymax::catalog {

// Of an evaluator with so many channels: an instruction set, or a device and how it batches. Empty
// for evaluators that are not networks, whose values are the same everywhere. Throws Error when the
// device is not there.
std::string computed_by(const Spec& evaluator, int channels);

}  // namespace polymax::catalog
