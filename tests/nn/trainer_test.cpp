// The trainer against arithmetic: steps lower the loss, symmetries turn samples as the game's
// definition says, the state of Adam travels. Skipped where there is no torch module.
#include "nn/trainer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "core/rng.hpp"
#include "nn/cpu_engine.hpp"
#include "nn/torch_engine.hpp"
#include "tests/nn/reference.hpp"

namespace polymax::trainer_test {
namespace {

constexpr NetShape kShape{{5, 4, 4}, 3, 16, 1, 32};

Symmetry identity() {
  Symmetry out{std::vector<std::uint16_t>(16), {0, 1, 2, 3}, std::vector<std::uint16_t>(5)};
  std::iota(out.cells.begin(), out.cells.end(), std::uint16_t{0});
  std::iota(out.planes.begin(), out.planes.end(), std::uint16_t{0});
  return out;
}

// Mirrors the columns, hands the seats on, and moves the planes on.
Symmetry turned() {
  Symmetry out = identity();
  for (std::size_t i = 0; i < 16; ++i)
    out.cells[i] = static_cast<std::uint16_t>(i / 4 * 4 + 3 - i % 4);
  out.seats = {1, 2, 0, 3};
  for (std::size_t k = 0; k < 5; ++k) out.planes[k] = static_cast<std::uint16_t>((k + 2) % 5);
  return out;
}

struct Samples {
  std::vector<std::uint64_t> planes;
  std::vector<float> points;
  std::vector<std::uint8_t> symmetry;
  TrainingBatch batch() const { return {planes, points, symmetry}; }
};

Samples random_samples(int count, std::uint8_t symmetry) {
  Samples out{random_planes(kShape.input, static_cast<std::size_t>(count), 7),
              {},
              std::vector<std::uint8_t>(static_cast<std::size_t>(count), symmetry)};
  Rng rng(8);
  for (int i = 0; i < 3 * count; ++i)
    out.points.push_back(static_cast<float>(10 * rng.uniform() - 5));
  return out;
}

// The samples turned by hand.
Samples turn(const Samples& in, const Symmetry& by) {
  Samples out = in;
  const auto words = static_cast<std::size_t>(kShape.input.words());
  std::fill(out.planes.begin(), out.planes.end(), 0);
  for (std::size_t n = 0; n < in.symmetry.size(); ++n) {
    for (std::size_t k = 0; k < 5; ++k)
      for (std::size_t i = 0; i < 16; ++i)
        if (in.planes[n * words + k] >> i & 1)
          out.planes[n * words + by.planes[k]] |= 1u << by.cells[i];
    for (std::size_t p = 0; p < 3; ++p) out.points[n * 3 + by.seats[p]] = in.points[n * 3 + p];
    out.symmetry[n] = 0;
  }
  return out;
}

double loss_of(const Net& net, const Samples& samples) {
  std::vector<float> got(samples.points.size());
  CpuEngine(net, Isa::plain).evaluate(samples.planes, got);
  double sum = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    sum += std::pow((got[i] - samples.points[i]) / net.scale, 2);
  return sum / static_cast<double>(got.size());
}

Net start() {
  Net net = untrained_net(kShape, "g", 1, 3);
  net.scale = 4;
  return net;
}

#define NEEDS_TORCH() \
  if (!torch_built()) GTEST_SKIP() << "no torch module"

TEST(trainer, StepsLowerTheLoss) {
  NEEDS_TORCH();
  const Samples samples = random_samples(50, 0);
  const auto trainer = make_trainer(start(), {}, {identity()}, {});
  EXPECT_EQ(trainer->take_loss().value, 0);
  trainer->step(samples.batch(), 1e-3);
  const double before = loss_of(start(), samples);
  EXPECT_NEAR(trainer->take_loss().value, before, 1e-4 * before);
  for (int i = 0; i < 200; ++i) trainer->step(samples.batch(), 1e-3);
  EXPECT_LT(loss_of(trainer->net(), samples), before / 4);
}

TEST(trainer, FirstStepOfAdamMovesEveryWeightByTheRate) {
  NEEDS_TORCH();
  const auto trainer = make_trainer(start(), {}, {identity()}, {});
  trainer->step(random_samples(50, 0).batch(), 1e-3);
  const Tensor after = trainer->net().tensor("dense2.bias"), before = start().tensor("dense2.bias");
  for (std::size_t i = 0; i < after.values.size(); ++i)
    EXPECT_NEAR(std::abs(after.values[i] - before.values[i]), 1e-3, 1e-6);
}

// Also with more threads than samples. The first steps of Adam go by the signs of gradients, so
// single steps of small gradients may differ.
TEST(trainer, ThreadsLearnPartsOfABatch) {
  NEEDS_TORCH();
  const Samples full = random_samples(50, 0), few = random_samples(2, 0);
  const auto one = make_trainer(start(), {}, {identity()}, {}),
             three = make_trainer(start(), {}, {identity()}, {false, 3});
  for (const Samples* batch : {&full, &few, &full, &full, &few})
    for (const auto& trainer : {one.get(), three.get()}) trainer->step(batch->batch(), 1e-4);
  EXPECT_NEAR(one->take_loss().value, three->take_loss().value, 1e-6);
  const auto a = one->optimiser(), b = three->optimiser();
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < a.first.size(); ++i) {
    largest = std::max(largest, static_cast<double>(std::abs(a.first[i])));
    difference = std::max(difference, static_cast<double>(std::abs(a.first[i] - b.first[i])));
  }
  EXPECT_LT(difference, 1e-5 * largest);
}

// One trainer through batches of all sizes, against a new one for every step.
TEST(trainer, SmallerBatchesBetweenFullOnesDoNotDisturbThem) {
  NEEDS_TORCH();
  const Samples full = random_samples(50, 0), part = random_samples(20, 0);
  const auto one = make_trainer(start(), {}, {identity()}, {});
  Net net = start();
  OptimiserState state;
  for (const Samples* batch : {&part, &full, &part, &full, &full, &part}) {
    one->step(batch->batch(), 1e-3);
    const auto fresh = make_trainer(net, state, {identity()}, {});
    fresh->step(batch->batch(), 1e-3);
    net = fresh->net();
    state = fresh->optimiser();
  }
  EXPECT_EQ(one->net(), net);
}

// The recorded step of a GPU against the CPU, in bf16: batches of one size, smaller ones between
// them, then again.
TEST(trainer, CudaLearnsAsTheCpuDoes) {
  NEEDS_TORCH();
  if (!cuda_available()) GTEST_SKIP() << "no CUDA GPU";
  const Samples full = random_samples(50, 1), part = random_samples(20, 0),
                more = random_samples(60, 1);
  const std::vector<Symmetry> symmetries{identity(), turned()};
  const auto here = make_trainer(start(), {}, symmetries, {}),
             there = make_trainer(start(), {}, symmetries, {true});
  for (int i = 0; i < 40; ++i)
    for (const auto& trainer : {here.get(), there.get()}) {
      trainer->step(full.batch(), 1e-3);
      if (i % 10 == 9) trainer->step(part.batch(), 1e-3);
      if (i >= 30) trainer->step(more.batch(), 1e-3);
    }
  const double expected = here->take_loss().value, got = there->take_loss().value;
  EXPECT_NEAR(got, expected, 0.03 * expected);
  EXPECT_NEAR(loss_of(there->net(), full), loss_of(here->net(), full),
              0.1 * loss_of(start(), full));
  EXPECT_EQ(there->optimiser().steps, 54u);
}

TEST(trainer, TurnsSamples) {
  NEEDS_TORCH();
  const Samples samples = random_samples(30, 1);
  const auto by_trainer = make_trainer(start(), {}, {identity(), turned()}, {});
  const auto by_hand = make_trainer(start(), {}, {identity()}, {});
  by_trainer->step(samples.batch(), 1e-3);
  by_hand->step(turn(samples, turned()).batch(), 1e-3);
  EXPECT_NEAR(by_trainer->take_loss().value, by_hand->take_loss().value, 1e-6);
  const Net a = by_trainer->net(), b = by_hand->net();
  for (std::size_t t = 0; t < a.tensors.size(); ++t)
    for (std::size_t i = 0; i < a.tensors[t].values.size(); ++i)
      EXPECT_NEAR(a.tensors[t].values[i], b.tensors[t].values[i], 2e-5);
}

// ---- the second head

constexpr NetShape kTwoHeads{{5, 4, 4}, 3, 16, 1, 32, 3};
constexpr std::size_t kRoom = TrainingPriors::kChildren;

Net two_heads() {
  Net net = untrained_net(kTwoHeads, "g", 1, 3);
  net.scale = 4;
  return net;
}

// Every sample has up to ten moves, one in five has none; the best one lies where plane 0 has its
// first cell.
struct MoveSamples {
  Samples samples;
  std::vector<std::uint16_t> places;
  std::vector<float> shares, weights;

  TrainingBatch batch() const {
    TrainingBatch out = samples.batch();
    out.priors = {places, shares, weights};
    return out;
  }
};

MoveSamples with_moves(const Samples& samples, std::uint64_t seed) {
  const std::size_t count = samples.symmetry.size();
  MoveSamples out{samples, {}, {}, {}};
  out.places.assign(count * kRoom, 0);
  out.shares.assign(count * kRoom, 0.0f);
  out.weights.assign(count * kRoom, 0.0f);
  Rng rng(seed);
  for (std::size_t n = 0; n < count; ++n) {
    if (n % 5 == 4) continue;
    std::vector<std::uint16_t> all(48);
    std::iota(all.begin(), all.end(), std::uint16_t{0});
    rng.shuffle(std::span(all));
    const std::size_t moves = 2 + rng.below(9);
    for (std::size_t i = 0; i < moves; ++i) {
      out.places[n * kRoom + i] = all[i];
      out.weights[n * kRoom + i] = i % 3 == 2 ? 4.0f : 1.0f;
      out.shares[n * kRoom + i] = i == 0 ? 0.75f : 0.25f / static_cast<float>(moves - 1);
    }
  }
  return out;
}

// By the definition: the mean over samples with moves of the divergence of the prior from what is
// wanted, where a child that stands for w moves has w parts of the prior.
double divergence(const Net& net, const MoveSamples& s) {
  double sum = 0;
  int moving = 0;
  const auto words = static_cast<std::size_t>(kTwoHeads.input.words());
  for (std::size_t n = 0; n < s.samples.symmetry.size(); ++n) {
    if (s.weights[n * kRoom] == 0) continue;
    ++moving;
    const Maps logits = reference_logits(net, s.samples.planes.data() + n * words);
    const auto at = [&](std::size_t i) {
      const std::size_t place = s.places[n * kRoom + i];
      return logits[place / 16][place % 16];
    };
    double norm = 0;
    for (std::size_t i = 0; i < kRoom; ++i)
      norm += static_cast<double>(s.weights[n * kRoom + i]) * std::exp(at(i));
    for (std::size_t i = 0; i < kRoom; ++i) {
      const double wanted = static_cast<double>(s.shares[n * kRoom + i]);
      if (wanted == 0) continue;
      const double group = static_cast<double>(s.weights[n * kRoom + i]) * std::exp(at(i)) / norm;
      sum += wanted * std::log(wanted / group);
    }
  }
  return sum / moving;
}

TEST(trainer, LearnsThePriorBesideTheValues) {
  NEEDS_TORCH();
  const MoveSamples samples = with_moves(random_samples(50, 0), 4);
  const auto trainer = make_trainer(two_heads(), {}, {identity()}, {});
  trainer->step(samples.batch(), 1e-3);
  const double before = divergence(two_heads(), samples);
  const TrainingLoss first = trainer->take_loss();
  EXPECT_NEAR(first.prior, before, 1e-4 * before);
  EXPECT_NEAR(first.value, loss_of(two_heads(), samples.samples), 1e-4 * first.value);
  for (int i = 0; i < 300; ++i) trainer->step(samples.batch(), 2e-3);
  EXPECT_LT(divergence(trainer->net(), samples), before / 4);
  EXPECT_LT(loss_of(trainer->net(), samples.samples), first.value / 4);
}

// Also where Adam still moves from what was learned before.
TEST(trainer, ValuesCanStayWhileThePriorLearns) {
  NEEDS_TORCH();
  const MoveSamples samples = with_moves(random_samples(50, 0), 4);
  const auto before = make_trainer(two_heads(), {}, {identity()}, {});
  for (int i = 0; i < 3; ++i) before->step(samples.batch(), 1e-3);
  const Net begun = before->net();
  for (const int threads : {1, 3}) {
    TrainerSettings settings;
    settings.threads = threads;
    settings.values = false;
    const auto trainer = make_trainer(begun, before->optimiser(), {identity()}, settings);
    trainer->step(samples.batch(), 1e-3);
    EXPECT_NEAR(trainer->take_loss().value, loss_of(begun, samples.samples), 1e-3);
    for (int i = 0; i < 300; ++i) trainer->step(samples.batch(), 2e-3);
    EXPECT_EQ(values_only(trainer->net()), values_only(begun));
    EXPECT_LT(divergence(trainer->net(), samples), 0.6 * divergence(begun, samples));
    trainer->step(random_samples(50, 0).batch(), 1e-3);  // says nothing of moves
  }
}

TEST(trainer, ABatchWithoutMovesLeavesTheSecondHeadAlone) {
  NEEDS_TORCH();
  const auto trainer = make_trainer(two_heads(), {}, {identity()}, {});
  trainer->step(random_samples(50, 0).batch(), 1e-3);
  const Net after = trainer->net();
  for (const char* name : {"prior1.weight", "prior2.weight", "prior2.bias"})
    EXPECT_EQ(after.tensor(name), two_heads().tensor(name));
  EXPECT_EQ(trainer->take_loss().prior, 0);
}

// The values of a network with two heads learn as those of one without when the prior weighs
// nothing.
TEST(trainer, ThePriorsWeightIsASetting) {
  NEEDS_TORCH();
  const MoveSamples samples = with_moves(random_samples(50, 0), 4);
  TrainerSettings off;
  off.prior = 0;
  const auto both = make_trainer(two_heads(), {}, {identity()}, off),
             alone = make_trainer(values_only(two_heads()), {}, {identity()}, {});
  for (int i = 0; i < 3; ++i) {
    both->step(samples.batch(), 1e-3);
    alone->step(samples.samples.batch(), 1e-3);
  }
  EXPECT_EQ(values_only(both->net()), alone->net());
}

TEST(trainer, ThreadsLearnPartsOfABatchWithMoves) {
  NEEDS_TORCH();
  const MoveSamples samples = with_moves(random_samples(50, 0), 4);
  const auto one = make_trainer(two_heads(), {}, {identity()}, {}),
             three = make_trainer(two_heads(), {}, {identity()}, {false, 3});
  for (const auto& trainer : {one.get(), three.get()}) trainer->step(samples.batch(), 1e-4);
  const TrainingLoss a = one->take_loss(), b = three->take_loss();
  EXPECT_NEAR(a.value, b.value, 1e-6);
  EXPECT_NEAR(a.prior, b.prior, 1e-5);
  const auto x = one->optimiser().first, y = three->optimiser().first;
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], 1e-6);
}

// A symmetry that exchanges move planes and names moves of plane 1 by another cell.
TEST(trainer, TurnsPlacesOfMoves) {
  NEEDS_TORCH();
  Symmetry by = turned();
  by.moves = {{1, 0}, {2, -1}, {0, 0}};
  MoveSamples samples = with_moves(random_samples(30, 1), 4);
  for (auto& place : samples.places)
    if (place == 16) place = 17;  // a move of plane 1 at cell 0 would be named by cell -1
  MoveSamples by_hand = samples;
  by_hand.samples = turn(samples.samples, by);
  for (std::size_t i = 0; i < samples.places.size(); ++i) {
    const MovePlace to = by.turned({static_cast<std::uint16_t>(samples.places[i] / 16),
                                    static_cast<std::uint16_t>(samples.places[i] % 16)});
    by_hand.places[i] = static_cast<std::uint16_t>(to.plane * 16 + to.cell);
  }
  const auto a = make_trainer(two_heads(), {}, {identity(), by}, {}),
             b = make_trainer(two_heads(), {}, {identity()}, {});
  a->step(samples.batch(), 1e-3);
  b->step(by_hand.batch(), 1e-3);
  const TrainingLoss x = a->take_loss(), y = b->take_loss();
  EXPECT_NEAR(x.value, y.value, 1e-6);
  EXPECT_NEAR(x.prior, y.prior, 1e-6);
  EXPECT_NEAR(y.prior, divergence(two_heads(), by_hand), 1e-4);
}

TEST(trainer, CudaLearnsThePriorAsTheCpuDoes) {
  NEEDS_TORCH();
  if (!cuda_available()) GTEST_SKIP() << "no CUDA GPU";
  const MoveSamples full = with_moves(random_samples(50, 1), 4),
                    part = with_moves(random_samples(20, 0), 5);
  const std::vector<Symmetry> symmetries{identity(), turned()};
  const auto here = make_trainer(two_heads(), {}, symmetries, {}),
             there = make_trainer(two_heads(), {}, symmetries, {true});
  for (int i = 0; i < 20; ++i)
    for (const auto& trainer : {here.get(), there.get()}) {
      trainer->step(full.batch(), 1e-3);
      if (i % 10 == 9) trainer->step(part.batch(), 1e-3);
    }
  const TrainingLoss expected = here->take_loss(), got = there->take_loss();
  EXPECT_NEAR(got.value, expected.value, 0.03 * expected.value);
  EXPECT_NEAR(got.prior, expected.prior, 0.03 * expected.prior);
}

TEST(trainer, StateTravels) {
  NEEDS_TORCH();
  const Samples samples = random_samples(40, 0);
  const auto whole = make_trainer(start(), {}, {identity()}, {});
  for (int i = 0; i < 6; ++i) whole->step(samples.batch(), 1e-3);
  const auto half = make_trainer(start(), {}, {identity()}, {});
  for (int i = 0; i < 3; ++i) half->step(samples.batch(), 1e-3);
  const auto rest = make_trainer(half->net(), half->optimiser(), {identity()}, {});
  for (int i = 0; i < 3; ++i) rest->step(samples.batch(), 1e-3);
  EXPECT_EQ(rest->net(), whole->net());
  EXPECT_EQ(rest->optimiser(), whole->optimiser());
  EXPECT_EQ(rest->optimiser().steps, 6u);
}

TEST(trainer, RefusesTheStateOfAnotherNet) {
  NEEDS_TORCH();
  OptimiserState foreign{3, std::vector<float>(7), std::vector<float>(7)};
  EXPECT_THROW(make_trainer(start(), foreign, {identity()}, {}), Error);
}

}  // namespace
}  // namespace polymax::trainer_test
