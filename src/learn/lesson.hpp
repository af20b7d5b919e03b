// A lesson: what one self-play match gives to learn (tree learning: every expanded position with
// its value at the end of the match, and every finished position met), and what is told about the
// match. Positions travel as the game's bit planes; for a network with a second head the places and
// values of their children go with them. Where the network wants boards turned so that
// the mover is the first seat, planes, points and places of the samples are; what is told about the
// match never is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/game.hpp"
#include "core/mover_turns.hpp"
#include "core/scores.hpp"
#include "learn/priors.hpp"
#include "nn/net_purpose.hpp"

namespace polymax::learn {

struct Samples {
  std::vector<std::uint64_t> planes;  // words() of the game's planes for each position
  std::vector<float> points;          // players for each position
  Priors priors{};                    // of its positions, where somebody wants to learn them

  friend bool operator==(const Samples&, const Samples&) = default;
};

struct Lesson {
  Samples samples;
  std::size_t finished = 0;  // of the samples: the positions where the game is over
  Scores gain, points;       // of the match
  int length = 0;            // moves
  int solved_roots = 0;      // moves made from a solved position
  std::uint64_t end = 0;     // hash of its last position; 0: not told
  std::uint64_t evaluations = 0;
  double seconds = 0;

  // The values the search gave to the positions of the match as they were reached, with the points
  // the match ended in: how well do values predict? One for each move.
  std::vector<Scores> predicted;

  Recall recall;  // of the network's prior, on positions whose children were all valued

  friend bool operator==(const Lesson&, const Lesson&) = default;
};

// Samples of random matches: their ends with the points, and of each match up to `before` positions
// drawn at random, valued by `playouts` random games from there.
struct RandomMatches {
  int matches = 1, before = 0, playouts = 1;
  bool turned = false;  // for a network that wants that
};

// What learning must know of a game: its networks, and more.
struct Subject : NetPurpose {
  std::vector<Symmetry> symmetries{};  // the identity first
  float spread = 0;  // of points, where random matches would tell too little of it; 0 = they tell

  const NetPurpose& purpose() const { return *this; }
};

}  // namespace polymax::learn
