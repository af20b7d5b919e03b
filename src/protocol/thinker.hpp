// Who thinks behind a command loop: a player that is ready when a move is asked for (its network is
// loaded, what an earlier match left is freed), and is made anew when its settings change.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "catalog/any.hpp"

namespace polymax::protocol {

// What `polymax engine` is started with.
struct EngineSettings {
  std::string player;  // spec
  std::string budget;  // of a move when the other side names none
  std::uint64_t seed = 0;
  double report_every = 0.5;  // seconds between two info lines
  std::string name = "polymax", version;
};

class Thinker {
 public:
  // Throws Error when the player cannot be made for this game.
  Thinker(const AnyGame& game, std::string player, std::uint64_t seed);

  // As the constructor; the player of before stays when they throw.
  void use_game(const AnyGame& game);
  void use_player(std::string spec);
  void use_seed(std::uint64_t seed);
  void forget();  // the next thought begins with an empty memory

  std::uint64_t seed() const { return seed_; }
  const std::string& spec() const { return spec_; }
  AnyPlayer& player() { return *player_; }

 private:
  void make(const AnyGame& game, const std::string& spec, std::uint64_t seed);

  const AnyGame* game_;
  std::string spec_;
  std::uint64_t seed_;
  std::unique_ptr<AnyPlayer> player_;
};

}  // namespace polymax::protocol
