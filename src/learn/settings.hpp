// Settings of learning. The defaults are the paper's where it gives a value: replay M = 75 matches,
// delta = 3, batches of B = 3000, Adam with rate 1e-4. Beyond the paper and on, because they help:
// symmetries, a rate that falls to the paper's, a warm-up on random matches.
#pragma once

#include <array>
#include <string_view>

#include "core/spec.hpp"
#include "nn/net.hpp"

namespace polymax::learn {

enum class Schedule { constant, cosine };
inline constexpr std::array<std::string_view, 2> kScheduleNames{"constant", "cosine"};

struct Settings {
  int memory = 75;
  double duplication = 3;
  int batch = 3000;
  double rate = 1e-4, first_rate = 0;
  Schedule schedule = Schedule::cosine;
  bool symmetries = true, values = true;
  double warm_up = 0.15;
  int playouts = 8;
  double pace = 0, prior = 1;

  static Fields fields() {
    using S = Settings;
    return {field("memory", &S::memory, "M: matches kept for replay", 1, 1 << 20),
            field("duplication", &S::duplication, "delta: how often a sample is learned on average",
                  0.01, 1000),
            field("batch", &S::batch, "B: samples of one step", 1, 1 << 20),
            field("rate", &S::rate, "learning rate of Adam", 1e-9, 1),
            field("first_rate", &S::first_rate,
                  "where schedule=cosine begins; 0 = by the size of the network", 0, 1),
            field("schedule", &S::schedule,
                  "rate over the run: constant, or from first_rate= down to rate= where "
                  "the run has an end",
                  kScheduleNames),
            field("symmetries", &S::symmetries,
                  "every sample is turned at random by a symmetry of the game"),
            field("warm_up", &S::warm_up,
                  "part of --minutes spent on positions of random matches before the "
                  "first match of its own",
                  0, 1),
            field("playouts", &S::playouts, "random games that value a position of the warm-up", 1,
                  1000),
            field("pace", &S::pace,
                  "steps a second at most, and no more than delta asks for; self-play then never "
                  "waits for learning; 0 = matches and learning take turns",
                  0, 1e6),
            field("prior", &S::prior, "weight of the second head's loss beside that of the values",
                  0, 1000),
            field("values", &S::values,
                  "off: the values stay those of --from, only the second head learns")};
  }
};

// The network to learn: the paper's has 166 channels. `train` turns boards and adds the second head
// by default where the game can.
struct NetSettings {
  int channels = 64, blocks = 4, dense = 0;
  bool turned = false, moves = false;

  static Fields fields() {
    using N = NetSettings;
    return {field("channels", &N::channels, "of every convolution", 1, 1024),
            field("blocks", &N::blocks, "residual blocks of two convolutions", 0, 64),
            field("dense", &N::dense, "units of the hidden dense layer; 0 = 8 for each channel", 0,
                  65536),
            field("turned", &N::turned, "boards are turned so that the mover is seat 1"),
            field("moves", &N::moves, "a second head knows which moves deserve a look")};
  }

  // move_planes: of the game.
  NetShape shape(const PlaneShape& input, int players, int move_planes) const {
    return {input,
            players,
            channels,
            blocks,
            dense == 0 ? 8 * channels : dense,
            moves ? move_planes : 0};
  }
};

}  // namespace polymax::learn
