// A network as plain data: shape, what it was made for, and its weights in fp32. Engines read it,
// files hold it. Architecture of the paper (section "Evaluation Functions Training"): conv 3x3 ->
// residual blocks of two conv 3x3 -> conv 1x1 -> global sum pooling -> dense N -> dense P, ReLU in
// between, no normalisation, linear output. Chosen: the outputs are points divided by `scale`, so
// that training is well conditioned; engines multiply it back. Beyond the paper, a second head may
// know the moves: from the last block conv 1x1, ReLU, conv 1x1 to the game's move planes; the
// numbers at the legal moves of a position are the logits of its prior.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/game.hpp"

namespace polymax {

struct NetShape {
  PlaneShape input;
  int players = 2;
  int channels = 64, blocks = 4, dense = 512;
  int move_planes = 0;  // of the second head; 0: the network has only values

  int places() const { return move_planes * input.cells(); }

  friend bool operator==(const NetShape&, const NetShape&) = default;
};

// For people: "16 channels, 2 blocks".
std::string shape_text(const NetShape& shape);

struct Tensor {
  std::string name;
  std::vector<std::int64_t> dims;
  std::vector<float> values;

  // What the dimensions say; a layout has no values.
  std::size_t size() const {
    std::size_t n = 1;
    for (const auto d : dims) n *= static_cast<std::size_t>(d);
    return n;
  }
  friend bool operator==(const Tensor&, const Tensor&) = default;
};

// How a network was trained, as its file says. Nothing is said of what is 0 or empty, but for the
// seed.
struct NetTraining {
  std::uint64_t matches = 0, positions = 0, evaluations = 0, steps = 0;
  double hours = 0;
  std::optional<std::uint64_t> seed;
  std::string parent, commit;
  std::map<std::string, std::string> more;  // what others say

  // say(key, value) for all that is said; a value is a number or a text.
  template <class Say>
  void each(const Say& say) const {
    if (!commit.empty()) say("commit", commit);
    if (evaluations > 0) say("evaluations", evaluations);
    if (hours > 0) say("hours", hours);
    if (matches > 0) say("matches", matches);
    if (!parent.empty()) say("parent", parent);
    if (positions > 0) say("positions", positions);
    if (seed) say("seed", *seed);
    if (steps > 0) say("steps", steps);
    for (const auto& [key, text] : more) say(key.c_str(), text);
  }

  // As files have it: texts by key. A text that is no number where one is wanted is kept in `more`.
  std::map<std::string, std::string> texts() const;
  static NetTraining of(const std::map<std::string, std::string>& texts);

  friend bool operator==(const NetTraining&, const NetTraining&) = default;
};

struct Net {
  NetShape shape;
  std::string game;       // canonical spec, points included
  int rules_version = 1;  // of that game
  float scale = 1;        // points of one unit of output
  float lo = -1, hi = 1;  // bounds of the points, for searches that need rewards in [0, 1]
  // Sees boards turned so that the mover is the first seat (core/mover_turns.hpp).
  bool turned = false;
  NetTraining training;
  std::vector<Tensor> tensors;  // exactly those of layout(shape), in that order

  const Tensor& tensor(const std::string& name) const;
  friend bool operator==(const Net&, const Net&) = default;
};

// Places of moves, as engines see them: plane * cells + cell, for each position those of its legal
// moves. Engines write a logit for each.
struct MoveQuery {
  std::span<const std::uint32_t> ends;    // for each position: where its places end
  std::span<const std::uint16_t> places;  // those of the first position first
  std::span<float> logits;                // one for each place

  std::size_t begin(std::size_t position) const { return position == 0 ? 0 : ends[position - 1]; }
};

// Throws Error when a network of that shape cannot answer it for positions of so many words.
void check_query(const NetShape& shape, std::size_t words, const MoveQuery& moves);

// Names and sizes of all weights: stem, block<i>.conv1, block<i>.conv2, head, dense1, dense2, and
// for a second head prior1, prior2, each with .weight and .bias. Convolutions are [out, in, rows,
// columns], dense layers [out, in].
std::vector<Tensor> layout(const NetShape& shape);

// Throws Error naming the field when a number is outside of what engines can hold.
void check_shape(const NetShape& shape);

// He initialisation from the seed; biases and the last layer's weights small, so that an untrained
// net says about 0.
Net untrained_net(const NetShape& shape, std::string game, int rules_version, std::uint64_t seed);

// The network without its second head.
Net values_only(Net net);

// Number of multiplications and additions for the values of one position: what "useful FLOP" means
// in our benchmarks.
double flops_per_position(const NetShape& shape);

std::size_t parameter_count(const NetShape& shape);

}  // namespace polymax
