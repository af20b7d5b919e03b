// What a sample teaches the second head: the children of its position that were valued, and how
// much of the prior each should have. Wanted is a softmax of the mover's values, as sharp as the
// game asks for: in units of a quarter of the spread that the values of a position's children have
// on average over the match. Chosen: a position with many children keeps the best ones and as many
// drawn from the others, each of which stands for several: their shares are equal parts of what the
// others have together, and the trainer counts each as so many moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/rng.hpp"
#include "learn/container.hpp"
#include "nn/trainer.hpp"

namespace polymax::learn {

// A child that was valued: where its move lies (plane * cells + cell), its points for the mover.
struct ValuedPlace {
  std::uint16_t place = 0;
  float value = 0;
};

struct Priors {
  static constexpr float kWhole = 65535;  // a share of 1
  static constexpr std::size_t kMost = TrainingPriors::kChildren, kBest = kMost / 2;

  struct Position {
    std::uint32_t end = 0;                // of its children
    std::uint16_t drawn = 0, others = 0;  // the last `drawn` children stand for `others` moves
    friend bool operator==(const Position&, const Position&) = default;
  };

  std::vector<Position> positions;  // empty: nothing is said of moves
  std::vector<std::uint16_t> places, shares;

  // The children of one more position, in any order; none: nothing is known of its moves. They are
  // put in another order. scale: points of one unit of the softmax.
  void add(std::span<ValuedPlace> children, float scale, Rng& rng);

  // Throws Error when it is not that of so many positions.
  void check(std::size_t count) const;

  friend bool operator==(const Priors&, const Priors&) = default;
};

// The standard deviation of the values; 0 for fewer than two.
float spread(std::span<const ValuedPlace> children);

// As parts of a file. Files of before have none: nothing is known of moves then.
void put_priors(const Priors& priors, const std::string& number, Container& to);
Priors get_priors(const std::string& number, const Container& from);

// A batch for the trainer.
struct PriorBatch {
  std::vector<std::uint16_t> places;
  std::vector<float> shares, weights;

  // One more sample. Empty priors: it says nothing of moves.
  void add(const Priors& from, std::size_t position);
  void clear();
  TrainingPriors view() const { return {places, shares, weights}; }
};

// How well a prior finds the best child: on how many positions it was among its first 1, 4 and 8.
// And what it costs where it was not, in points of the mover, summed over the positions: the best
// of the first 8 is worth so much less than the best of all (lost8), the mean child so much less
// (lost_mean). Where all children are worth the same, recall is chance and nothing is lost.
struct Recall {
  std::uint64_t positions = 0, first = 0, first4 = 0, first8 = 0, moves = 0;
  double lost8 = 0, lost_mean = 0;

  // Calls see(name, member) for each, in the order in which files have them.
  template <class See>
  static void each(const See& see) {
    using R = Recall;
    see("positions", &R::positions);
    see("moves", &R::moves);
    see("first", &R::first);
    see("first4", &R::first4);
    see("first8", &R::first8);
    see("lost8", &R::lost8);
    see("lost_mean", &R::lost_mean);
  }

  // values: of the mover, of all its moves; prior: in the same order.
  void add(std::span<const float> values, std::span<const float> prior);
  void add(const Recall& other);
  double share(std::uint64_t Recall::*of) const {
    return positions == 0 ? 0 : static_cast<double>(this->*of) / static_cast<double>(positions);
  }
  double mean(double Recall::*of) const {
    return positions == 0 ? 0 : this->*of / static_cast<double>(positions);
  }
  friend bool operator==(const Recall&, const Recall&) = default;
};

}  // namespace polymax::learn
