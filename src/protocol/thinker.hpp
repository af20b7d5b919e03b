// Who thinks behind a command loop: a player, made when it is first needed and made again when its
// settings change, with the budget of a move.
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

  void use_game(const AnyGame& game);  // forgets the player
  void use_player(std::string spec);   // as the constructor; keeps the old one when it throws
  void use_seed(std::uint64_t seed);
  void forget();  // the next thought begins with an empty memory

  std::uint64_t seed() const { return seed_; }
  const std::string& spec() const { return spec_; }
  AnyPlayer& player();

 private:
  const AnyGame* game_;
  std::string spec_;
  std::uint64_t seed_;
  std::unique_ptr<AnyPlayer> player_;
};

}  // namespace polymax::protocol
