// Settings of Monte-Carlo tree search (search/mcts.hpp).
#pragma once

#include <array>
#include <limits>
#include <string_view>

#include "core/fields.hpp"
#include "tree/puct.hpp"

namespace polymax::mcts {

enum class Select { uct, puct };
inline constexpr std::array<std::string_view, 2> kSelectNames{"uct", "puct"};

struct Params {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  Select select = Select::uct;
  double c = 0.35355339059327373;  // sqrt(2)/4, the best of the paper
  double c_puct = 1.5, fpu = 0.2;
  PuctRange range = PuctRange::seen;
  double lo = -kInfinity, hi = kInfinity;
  bool table = false, completion = false;
  int batch = 1, memory = 1024, threads = 1;

  static Fields fields() {
    return {
        field("select", &Params::select,
              "moves by visits alone, or also by the prior of a network that knows the moves",
              kSelectNames),
        field("c", &Params::c, "weight of exploration, select=uct", 0, 1000),
        field("c_puct", &Params::c_puct, "weight of exploration by the prior, select=puct", 0,
              1000),
        field("fpu", &Params::fpu,
              "select=puct: how much less than the moves tried an untried one is taken for", 0, 10),
        field("range", &Params::range,
              "select=puct: c_puct and fpu count in the values that the search has seen, or in "
              "lo..hi",
              kPuctRangeNames),
        field("lo", &Params::lo,
              "points with reward 0, not for playouts; infinite: the network's, or measured",
              -kInfinity, kInfinity),
        field("hi", &Params::hi,
              "points with reward 1, not for playouts; infinite: the network's, or measured",
              -kInfinity, kInfinity),
        field("table", &Params::table, "a position reached by several ways is searched once"),
        field("completion", &Params::completion,
              "what is known for good goes up the tree; a proven win is played"),
        field("batch", &Params::batch,
              "select=uct: so many of a position's moves are valued by one call, those that are "
              "tried next besides; for a device with time to spare",
              1, 1000),
        field("memory", &Params::memory, "MiB for the tree", 1, 32000),
        field("threads", &Params::threads, "simulations at once", 1, 256)};
  }
};

}  // namespace polymax::mcts
