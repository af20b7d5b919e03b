#include "protocol/thinker.hpp"

namespace polymax::protocol {

Thinker::Thinker(const AnyGame& game, std::string player, std::uint64_t seed)
    : game_(&game),
      spec_(std::move(player)),
      seed_(seed),
      player_(game.player(Spec::parse(spec_), seed)) {}

void Thinker::use_game(const AnyGame& game) {
  auto made = game.player(Spec::parse(spec_), seed_);
  game_ = &game;
  player_ = std::move(made);
}

void Thinker::use_player(std::string spec) {
  player_ = game_->player(Spec::parse(spec), seed_);
  spec_ = std::move(spec);
}

void Thinker::use_seed(std::uint64_t seed) {
  seed_ = seed;
  player_.reset();
}

void Thinker::forget() {
  player_.reset();
}

AnyPlayer& Thinker::player() {
  if (!player_) player_ = game_->player(Spec::parse(spec_), seed_);
  return *player_;
}

}  // namespace polymax::protocol
