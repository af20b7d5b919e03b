// What records of matches with networks say of them: what they are, and what computes their values
// on this machine.
#pragma once

#include <string>

#include "core/spec.hpp"

namespace polymax {
class AnyGame;
}

namespace polymax::catalog {

// Of an evaluator with so many channels: an instruction set, or a device and how it batches. Empty
// for evaluators that are not networks, whose values are the same everywhere. Throws Error when the
// device is not there.
std::string computed_by(const Spec& evaluator, int channels);

// Whether a player or evaluator of this spec asks a network on a GPU. Throws Error for settings
// that networks do not have.
bool asks_gpu(const Spec& spec);

struct NetworkFacts {
  int channels = 0;
  std::string about;  // "2a3f...; 1234 matches, 5 minutes, commit abc"
};

// Of a network's file. Nothing when it is none: the players say so when they are made.
NetworkFacts network_facts(const std::string& file);

// Whether a network ships for this game with these options. Reads the header of its file alone;
// throws Error when that is damaged.
bool network_ships(const AnyGame& game);

// The folder of the networks that ship with the program; the studies that ship lie beside it.
std::string shipped_networks();

}  // namespace polymax::catalog
