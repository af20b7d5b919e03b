// A learned network: writes the planes of a batch of positions, turned where the network
// wants that, and asks an engine, the CPU engine in the caller's thread or a device through its
// service. Where the player is for gains and points tell who wins, a network that learned points is
// asked too: its points become gains (nn/lead.hpp). A network with a second head also tells
// which moves deserve a look, where the game says where they lie. With playouts= random games from
// the position are mixed into its values, as in AlphaGo (Silver et al. 2016).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/evaluator.hpp"
#include "core/mover_turns.hpp"
#include "eval/playouts.hpp"
#include "nn/engines.hpp"
#include "nn/lead.hpp"

namespace polymax::network {

struct Params {
  std::string file;
  Engine engine = Engine::cpu;
  TorchDevice device = TorchDevice::cpu;
  Isa isa = Isa::automatic;
  BatchMode batch = BatchMode::best;
  double spread = 0, fade = 0;
  int playouts = 0;
  double mix = 0.5;

  static Fields fields() {
    return {
        field("file", &Params::file,
              "a .safetensors file, or the bare name of a network that ships for the game; empty = "
              "default"),
        field("engine", &Params::engine, "our CPU engine, or libtorch where it was built in",
              kEngineNames),
        field("device", &Params::device, "where torch computes", kTorchDeviceNames),
        field("isa", &Params::isa, "instruction set of the CPU engine", kIsaNames),
        field("batch", &Params::batch,
              "torch: sizes that are fastest, or one size, whose values do not depend on what "
              "travels together",
              kBatchModeNames),
        field("spread", &Params::spread,
              "for wins (points=gain, aim=win) by a network of points: their spread; 0 = its scale",
              0.0, 1000.0),
        field("fade", &Params::fade,
              "for wins by a network of points: part of the spread that is gone when the longest "
              "match ends",
              0.0, 0.99),
        field("playouts", &Params::playouts,
              "random games from every position, whose mean is mixed with the network's value", 0,
              1000),
        field("mix", &Params::mix, "weight of the random games; the network has the rest", 0.0,
              1.0)};
  }
};

// What networks are asked for in a game of this spec that is played for these points.
template <Learnable G>
NetPurpose purpose_of(const G& game, const std::string& spec, Points points) {
  return {spec,
          G::about.version,
          game.planes(),
          game.players(),
          !turns_of(game).empty(),
          game_of_networks<G>(spec, points),
          move_planes_of(game),
          start_options_of<G>(),
          variant_options_of<G>(),
          size_options_of<G>()};
}

template <Game G>
requires Learnable<G>
class Eval {
 public:
  using Params = network::Params;

  static constexpr About about{"a learned value network", 1, "docs/reference/networks.md"};

  Eval(const EvaluatorSetup<G>& setup, const Params& params)
      : Eval(*setup.game, load(setup, params)) {
    if (params.playouts > 0) {
      random_games_.emplace(setup, playouts::Params{params.playouts, -1});
      mix_ = static_cast<float>(params.mix);
    }
    if (!match_of(net_->net().game, purpose_of(*setup.game, setup.spec, setup.points))
             .by_substitute) {
      if (params.spread > 0 || params.fade > 0)
        throw Error("network: spread= and fade= are for wins (aim=win) by a network of points");
      return;
    }
    spread_ = params.spread > 0 ? static_cast<float>(params.spread) : net_->net().scale;
    fade_ = static_cast<float>(params.fade) / static_cast<float>(game_->max_length());
  }

  // With a network at hand, made for this game. turns: those of the game, when others have them
  // already.
  Eval(const G& game, std::shared_ptr<const LoadedNet> net,
       std::shared_ptr<const MoverTurns> turns = nullptr)
      : game_(&game),
        net_(std::move(net)),
        words_(static_cast<std::size_t>(game_->planes().words())) {
    if (net_->net().turned) turns_ = turns ? std::move(turns) : mover_turns(game);
  }

  // Each thread has its own buffers: may be called by several at once.
  void evaluate(std::span<const typename G::State> states, std::span<Scores> out) {
    Buffers& buffers = prepared(states);
    net_->evaluate(buffers.planes, buffers.values);
    read_values(states, buffers.values, out);
  }

  bool knows_moves() const { return MoveMapped<G> && net_->knows_moves(); }

  void evaluate(std::span<const typename G::State> states, std::span<Scores> out,
                MovePriors& priors) requires MoveMapped<G> {
    Buffers& buffers = prepared(states);
    priors.ends.clear();
    buffers.places.clear();
    for (const auto& state : states) {
      append_places(state, buffers.moves, buffers.places);
      priors.ends.push_back(static_cast<std::uint32_t>(buffers.places.size()));
    }
    priors.all.resize(buffers.places.size());
    net_->evaluate(buffers.planes, buffers.values, {priors.ends, buffers.places, priors.all});
    read_values(states, buffers.values, out);
    for (std::size_t i = 0, begin = 0; i < states.size(); begin = priors.ends[i++])
      softmax(std::span(priors.all).subspan(begin, priors.ends[i] - begin));
  }

  // The lowest and the highest points that matches of its training ended with, or those of gains.
  Bounds bounds() const {
    if (spread_ > 0) return {-1, 1};
    return {static_cast<double>(net_->net().lo), static_cast<double>(net_->net().hi)};
  }

 private:
  static std::shared_ptr<const LoadedNet> load(const EvaluatorSetup<G>& setup,
                                               const Params& params) {
    if (params.engine == Engine::cpu && params.device != TorchDevice::cpu)
      throw Error("network: device=cuda needs engine=torch");
    if (params.engine == Engine::torch && params.isa != Isa::automatic)
      throw Error("network: isa= is of engine=cpu; torch chooses its own");
    return shared_net(params.file, {params.engine, params.device, params.isa, params.batch},
                      purpose_of(*setup.game, setup.spec, setup.points));
  }

  struct Buffers {
    std::vector<std::uint64_t> planes;
    std::vector<float> values;
    std::vector<std::uint16_t> places;
    MoveList<G> moves;
  };

  // Of this thread, with the planes of the positions.
  Buffers& prepared(std::span<const typename G::State> states) const {
    thread_local Buffers out;
    out.planes.resize(states.size() * words_);
    out.values.resize(states.size() * static_cast<std::size_t>(game_->players()));
    for (std::size_t i = 0; i < states.size(); ++i)
      write_planes(*game_, states[i], turns_.get(),
                   std::span(out.planes).subspan(i * words_, words_));
    return out;
  }

  void read_values(std::span<const typename G::State> states, const std::vector<float>& values,
                   std::span<Scores> out) const {
    const auto players = static_cast<std::size_t>(game_->players());
    for (std::size_t i = 0; i < states.size(); ++i) {
      out[i] = {};
      const int mover = turns_ ? game_->to_move(states[i]) : 0;
      for (std::size_t p = 0; p < players; ++p)
        out[i].seats[p] = values[i * players + (turns_ ? turns_->seat(mover, p) : p)];
      if constexpr (PointsTellWins<G>)
        if (spread_ > 0)
          out[i] = gains_of_points<G>(out[i], game_->players(), spread_at(states[i]));
    }
    if (random_games_) mix_random_games(states, out);
  }

  void mix_random_games(std::span<const typename G::State> states, std::span<Scores> out) const {
    for (std::size_t i = 0; i < states.size(); ++i) {
      Scores random;
      random_games_->evaluate(states.subspan(i, 1), {&random, 1});
      for (std::size_t p = 0; p < out[i].seats.size(); ++p)
        out[i].seats[p] += mix_ * (random.seats[p] - out[i].seats[p]);
    }
  }

  float spread_at(const typename G::State& state) const {
    return spread_ * (1 - fade_ * static_cast<float>(game_->played(state)));
  }

  void append_places(const typename G::State& state, MoveList<G>& moves,
                     std::vector<std::uint16_t>& to) const requires MoveMapped<G> {
    moves.clear();
    game_->moves(state, moves);
    for (const auto& move : moves) to.push_back(turned_place(*game_, state, move, turns_.get()));
  }

  static void softmax(std::span<float> logits) {
    if (logits.empty()) return;
    const float most = std::ranges::max(logits);
    float sum = 0;
    for (float& x : logits) sum += x = std::exp(x - most);
    for (float& x : logits) x /= sum;
  }

  const G* game_;
  std::shared_ptr<const LoadedNet> net_;
  std::shared_ptr<const MoverTurns> turns_;  // null: the network wants none
  std::size_t words_;
  float spread_ = 0;  // of points that become gains; 0: values stay points
  float fade_ = 0;    // part of it that goes with every move
  std::optional<playouts::Eval<G>> random_games_;
  float mix_ = 0;  // their weight
};

}  // namespace polymax::network
