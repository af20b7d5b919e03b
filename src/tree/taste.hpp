// What a mover wants of values: the one word for it in all searches.
#pragma once

#include <cstddef>

#include "core/scores.hpp"

namespace polymax {

// The largest sign * value[seat]. Where a seat is spoiled it also wants that one to have little:
// each point less is worth `care` points of its own, or with care = 0 decides among equals. Among
// equals again the first in the order of generation.
struct Taste {
  int seat = 0;
  float sign = 1;
  int spoiled = -1;
  float care = 0;

  float of(const Scores& value) const {
    const float own = sign * value[seat];
    return care > 0 ? own - care * value[spoiled] : own;
  }

  bool prefers(const Scores& a, std::size_t index_a, const Scores& b, std::size_t index_b) const {
    if (of(a) != of(b)) return of(a) > of(b);
    if (spoiled >= 0 && a[spoiled] != b[spoiled]) return a[spoiled] < b[spoiled];
    return index_a < index_b;
  }
};

}  // namespace polymax
