// What a network is asked for, and whether it will do. What decides is the planes, the seats and
// the rules that change values: a network of the same game with another start is as good as its
// own, one of a variant is a guess that people are told of.
#pragma once

#include <string>
#include <vector>

#include "nn/net.hpp"

namespace polymax {

// A game with its planes.
struct NetPurpose {
  std::string game;  // canonical spec, points included
  int rules_version = 1;
  PlaneShape planes;
  int players = 2;
  bool turns = false;        // the game has a symmetry that makes each seat the first
  std::string substitute{};  // canonical spec of another game whose networks will do; empty: none
  int move_planes = 0;       // of the game; 0: it does not say where its moves lie
  // Options of the game that networks need not mind (core/game.hpp).
  std::vector<std::string> start_options{}, variant_options{}, size_options{};
};

// How near the game of a network is to the one it is asked for.
enum class NetFit { same, start, variant, other };

struct NetMatch {
  NetFit fit = NetFit::other;
  bool by_substitute = false;  // it fits the other game, whose networks will do
};
NetMatch match_of(const std::string& net_game, const NetPurpose& wanted);

// What people should know of it: one line about a network of a variant; empty: nothing.
std::string net_warning(const Net& net, const NetPurpose& wanted);

}  // namespace polymax
