#include "protocol/thinker.hpp"

#include <algorithm>

namespace polymax::protocol {

namespace {

bool has_network(const Spec& spec) {
  return spec.name == "network" || std::ranges::any_of(spec.arguments, [](const SpecArgument& one) {
           return has_network(one.value);
         });
}

}  // namespace

Thinker::Thinker(const AnyGame& game, std::string player, std::uint64_t seed)
    : game_(&game), spec_(std::move(player)), seed_(seed) {
  make(game, spec_, seed);
}

// A network's weights are read when it first values a position: a player that is not used further
// asks for that here. The old player goes last: both may share a network.
void Thinker::make(const AnyGame& game, const std::string& spec, std::uint64_t seed) {
  const Spec parsed = Spec::parse(spec);
  auto made = game.player(parsed, seed);
  if (has_network(parsed) && (!player_ || &game != game_ || spec != spec_)) {
    Budget little;
    little.evaluations = little.nodes = 1;
    game.player(parsed, seed)->think(*game.start(0), little);
  }
  player_ = std::move(made);
}

void Thinker::use_game(const AnyGame& game) {
  make(game, spec_, seed_);
  game_ = &game;
}

void Thinker::use_player(std::string spec) {
  make(*game_, spec, seed_);
  spec_ = std::move(spec);
}

void Thinker::use_seed(std::uint64_t seed) {
  make(*game_, spec_, seed);
  seed_ = seed;
}

void Thinker::forget() {
  make(*game_, spec_, seed_);
}

}  // namespace polymax::protocol
