// One number for the behaviour of the whole product: random games of every game and short thoughts
// of every search in every game, one thread, fixed seeds. A change that should not change behaviour
// leaves it as it is; one that should says so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace polymax::catalog {

struct SignatureLine {
  std::string game, search;  // search is empty for the random games
  std::uint64_t nodes = 0, evaluations = 0, fingerprint = 0;
};

std::vector<SignatureLine> signature_lines();

// The number of all lines together.
std::uint64_t signature_of(const std::vector<SignatureLine>& lines);

}  // namespace polymax::catalog
