// Every instruction set of this machine against the double-precision reference, and against the
// others.
#include "nn/cpu_engine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <sstream>
#include <thread>

#include "core/error.hpp"
#include "nn/bf16.hpp"
#include "nn/engines.hpp"
#include "nn/net_file.hpp"
#include "tests/long_tests.hpp"
#include "tests/nn/reference.hpp"

namespace polymax::cpu_engine_test {
namespace {

const std::vector<std::pair<int, int>> kBoardsInUse{
    {8, 11}, {11, 11}, {13, 13}, {14, 14}, {20, 20}};

bool is_bf16(Isa isa) {
  return isa == Isa::avx512bf16 || isa == Isa::amx;
}

// A GTEST_SKIP that says why, where this machine and the emulation have no such instructions.
#define NEEDS_BF16()                                    \
  if (!std::ranges::any_of(available_isas(), &is_bf16)) \
  GTEST_SKIP() << "no instruction set with bf16 here"

std::vector<float> values_of(const CpuEngine& engine, const NetShape& shape,
                             const std::vector<std::uint64_t>& planes) {
  std::vector<float> out(planes.size() / static_cast<std::size_t>(shape.input.words()) *
                             static_cast<std::size_t>(shape.players),
                         NAN);
  engine.evaluate(planes, out);
  return out;
}

// The net that a bf16 engine computes with: weights of convolutions rounded.
Net rounded(Net net) {
  for (auto& tensor : net.tensors)
    if (tensor.dims.size() == 4)
      for (auto& x : tensor.values) x = from_bf16(to_bf16(x));
  return net;
}

std::vector<double> expected_values(const Net& net, const std::vector<std::uint64_t>& planes) {
  std::vector<double> out;
  const auto words = static_cast<std::size_t>(net.shape.input.words());
  for (std::size_t at = 0; at < planes.size(); at += words)
    for (const double v : reference_values(net, planes.data() + at)) out.push_back(v);
  return out;
}

// What an engine is to say: the definition, and for those that compute in bf16 that of the rounded
// net. Both take their time and are computed when somebody asks.
class Expected {
 public:
  Expected(const Net& net, const std::vector<std::uint64_t>& planes) : net_(net), planes_(planes) {}

  const std::vector<double>& of(Isa isa) {
    auto& out = is_bf16(isa) ? of_rounded_ : exact_;
    if (out.empty()) out = expected_values(is_bf16(isa) ? rounded(net_) : net_, planes_);
    return out;
  }

 private:
  const Net& net_;
  const std::vector<std::uint64_t>& planes_;
  std::vector<double> exact_, of_rounded_;
};

// fp32 engines against the definition, bf16 ones against that of the rounded net, within `bound`.
void check_on_all(const Net& net, int positions, std::uint64_t seed, const std::string& what,
                  double bound) {
  const auto planes = random_planes(net.shape.input, static_cast<std::size_t>(positions), seed);
  Expected expected(net, planes);
  for (const Isa isa : available_isas()) {
    const auto got = values_of(CpuEngine(net, isa), net.shape, planes);
    EXPECT_LT(relative_error(expected.of(isa), got), is_bf16(isa) ? bound : 1e-5)
        << kIsaNames[static_cast<std::size_t>(isa)] << " " << what;
  }
}

void check_shape_on_all(const NetShape& shape, int positions, std::uint64_t seed) {
  std::ostringstream what;
  what << shape.input.height << "x" << shape.input.width << " planes " << shape.input.planes
       << " channels " << shape.channels;
  check_on_all(random_net(shape, seed), positions, seed, what.str(), 2e-2);
}

TEST(cpu_engine, AgreesWithTheReferenceOnAllBoardsInUse) {
  std::uint64_t seed = 1;
  for (const auto& [height, width] : kBoardsInUse)
    check_shape_on_all({{12, height, width}, 3, 32, 2, 64}, 3, ++seed);
}

TEST(cpu_engine, AgreesWithTheReferenceOnOddShapes) {
  std::uint64_t seed = 100;
  for (const int channels : {1, 7, 24, 33, 40, 64})
    for (const auto& [height, width] :
         std::vector<std::pair<int, int>>{{1, 1}, {3, 3}, {5, 7}, {9, 2}, {2, 15}})
      check_shape_on_all(
          {{channels % 19 + 1, height, width}, 2 + channels % 3, channels, channels % 3, 17}, 2,
          ++seed);
}

TEST(cpu_engine, AgreesWithTheReferenceOnShippedNetworks) {
  for (const std::string game : {"quadrothello", "blokus", "fish", "threehex"})
    check_on_all(load_net(shipped_net_file(game)), repetitions(3), 5, game, shipped_bound(game));
}

// On the boards of torch_engine's test on a GPU.
TEST(cpu_engine, Bf16AgreesOnShippedNetworks) {
  NEEDS_BF16();
  for (const Isa isa : available_isas()) {
    if (!is_bf16(isa)) continue;
    for (const std::string game : {"quadrothello", "blokus", "fish", "threehex"}) {
      const Net net = load_net(shipped_net_file(game));
      const auto planes = random_planes(net.shape.input, 64, 5);
      const double error =
          relative_error(values_of(CpuEngine(rounded(net), Isa::plain), net.shape, planes),
                         values_of(CpuEngine(net, isa), net.shape, planes));
      EXPECT_LT(error, shipped_bound(game))
          << kIsaNames[static_cast<std::size_t>(isa)] << " " << game;
      std::cout << kIsaNames[static_cast<std::size_t>(isa)] << ", " << game
                << ": largest difference " << error << " of the root mean square\n";
    }
  }
}

// Of the batch sizes up to 70 all; under a sanitizer each on one of the boards.
constexpr std::size_t kMostPositions = 70;
std::size_t size_step(std::size_t boards) {
  return kSanitized && !long_tests() ? boards : 1;
}

// Batches on all boards in use, each against the definition.
TEST(cpu_engine, BatchesOfAnySizeAgreeWithTheReference) {
  std::size_t first = 0;
  for (const auto& [height, width] : kBoardsInUse) {
    first = first % size_step(kBoardsInUse.size()) + 1;
    const NetShape shape{{5, height, width}, 3, 16, 1, 8};
    const Net net = random_net(shape, 15);
    const auto planes = random_planes(shape.input, kMostPositions, 16);
    const auto words = static_cast<std::size_t>(shape.input.words());
    Expected expected(net, planes);
    for (const Isa isa : available_isas()) {
      const CpuEngine engine(net, isa);
      for (std::size_t count = first; count <= kMostPositions;
           count += size_step(kBoardsInUse.size())) {
        const std::vector<std::uint64_t> part(
            planes.begin(), planes.begin() + static_cast<std::ptrdiff_t>(count * words));
        auto of_part = expected.of(isa);
        of_part.resize(count * 3);
        ASSERT_LT(relative_error(of_part, values_of(engine, shape, part)),
                  is_bf16(isa) ? 2e-2 : 1e-5)
            << kIsaNames[static_cast<std::size_t>(isa)] << " batch of " << count << ", " << height
            << "x" << width;
      }
    }
  }
}

// Of odd heights and widths too, where a kernel may read what lies beyond a board.
TEST(cpu_engine, APositionsValueDoesNotDependOnItsBatch) {
  const std::vector<std::pair<int, int>> boards{{6, 7}, {7, 6}, {5, 5}};
  std::size_t first = 0;
  for (const auto& [height, width] : boards) {
    first = first % size_step(boards.size()) + 1;
    const NetShape shape{{9, height, width}, 4, 32, 2, 48};
    const Net net = random_net(shape, 5);
    const auto planes = random_planes(shape.input, kMostPositions, 6);
    const auto words = static_cast<std::size_t>(shape.input.words());
    for (const Isa isa : available_isas()) {
      const CpuEngine engine(net, isa);
      const auto all = values_of(engine, shape, planes);
      for (std::size_t count = first; count <= kMostPositions; count += size_step(boards.size())) {
        const std::size_t from = kMostPositions - count;
        const std::vector<std::uint64_t> part(
            planes.begin() + static_cast<std::ptrdiff_t>(from * words), planes.end());
        const std::vector<float> expected(all.begin() + static_cast<std::ptrdiff_t>(from * 4),
                                          all.end());
        ASSERT_EQ(values_of(engine, shape, part), expected)
            << kIsaNames[static_cast<std::size_t>(isa)] << " batch of " << count << ", " << height
            << "x" << width;
      }
    }
  }
}

// How far a single logit may be off, where no pooling averages errors. Patches of Winograd's are
// rounded to bf16 between the steps, cells of AMX are not.
double logit_bound(Isa isa) {
  if (isa == Isa::avx512bf16) return 6e-2;
  return isa == Isa::amx ? 2e-2 : 1e-5;
}

// Logits at asked places against the definition; values are those of a call without moves.
TEST(cpu_engine, TheSecondHeadAgreesWithTheReference) {
  std::uint64_t seed = 300;
  for (const NetShape& shape :
       {NetShape{{5, 8, 11}, 3, 32, 1, 16, 43}, NetShape{{7, 14, 14}, 4, 24, 1, 16, 1},
        NetShape{{3, 20, 20}, 4, 40, 1, 16, 91}, NetShape{{2, 3, 3}, 2, 7, 0, 8, 5}}) {
    const Net net = random_net(shape, ++seed);
    Net half = rounded(net);
    for (auto& tensor : half.tensors)
      if (tensor.name == "prior2.weight") tensor = net.tensor(tensor.name);
    const auto planes = random_planes(shape.input, 9, seed);
    AskedMoves asked = random_moves(shape, 9, seed);
    const auto exact = reference_logits(net, planes, asked),
               of_half = reference_logits(half, planes, asked);
    for (const Isa isa : available_isas()) {
      const CpuEngine engine(net, isa);
      std::vector<float> values(9 * static_cast<std::size_t>(shape.players));
      std::ranges::fill(asked.logits, NAN);
      engine.evaluate(planes, values, asked.query());
      EXPECT_EQ(values, values_of(engine, shape, planes));
      EXPECT_LT(relative_error(is_bf16(isa) ? of_half : exact, asked.logits), logit_bound(isa))
          << kIsaNames[static_cast<std::size_t>(isa)] << " " << shape.move_planes << " planes";
    }
  }
}

TEST(cpu_engine, RefusesMovesThatDoNotFit) {
  const NetShape shape{{5, 8, 8}, 3, 16, 1, 16, 2};
  const CpuEngine engine(random_net(shape, 5), Isa::plain),
      blind(values_only(random_net(shape, 5)), Isa::plain);
  const auto planes = random_planes(shape.input, 2, 1);
  std::vector<float> values(6), logits(3);
  const auto ask = [&](const CpuEngine& of, std::vector<std::uint32_t> ends,
                       std::vector<std::uint16_t> places) {
    of.evaluate(planes, values, {ends, places, logits});
  };
  ask(engine, {1, 3}, {0, 64, 127});
  EXPECT_THROW(ask(engine, {1, 3}, {0, 64, 128}), Error) << "no such plane";
  EXPECT_THROW(ask(engine, {3}, {0, 1, 2}), Error) << "one position only";
  EXPECT_THROW(ask(engine, {2, 1}, {0, 1, 2}), Error);
  EXPECT_THROW(ask(engine, {1, 2}, {0, 1, 2}), Error);
  EXPECT_THROW(ask(engine, {1, 2}, {0, 1}), Error) << "three logits for two places";
  EXPECT_THROW(ask(blind, {1, 3}, {0, 1, 2}), Error) << "no second head";
}

TEST(cpu_engine, EnginesOfDifferentShapesShareAThread) {
  const NetShape large{{9, 14, 14}, 4, 64, 1, 48}, small{{20, 5, 9}, 2, 40, 2, 8};
  for (const Isa isa : available_isas()) {
    const CpuEngine first(random_net(large, 1), isa), second(random_net(small, 2), isa);
    const auto a = random_planes(large.input, 5, 3), b = random_planes(small.input, 6, 4);
    const auto x = values_of(first, large, a), y = values_of(second, small, b);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(values_of(first, large, a), x);
      EXPECT_EQ(values_of(second, small, b), y);
    }
  }
}

TEST(cpu_engine, ThreadsGetTheSameValues) {
  const NetShape shape{{9, 8, 8}, 3, 32, 2, 48};
  const CpuEngine engine(random_net(shape, 5));
  const auto planes = random_planes(shape.input, 20, 6);
  const auto expected = values_of(engine, shape, planes);
  std::vector<std::thread> threads;
  std::vector<int> same(4);
  for (std::size_t t = 0; t < same.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) same[t] += values_of(engine, shape, planes) == expected;
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(same, std::vector<int>(4, 20));
}

TEST(cpu_engine, RefusesWhatDoesNotFit) {
  const NetShape shape{{9, 8, 8}, 3, 32, 2, 48};
  const CpuEngine engine(random_net(shape, 5), Isa::plain);
  std::vector<std::uint64_t> planes(10);
  std::vector<float> out(3);
  EXPECT_THROW(engine.evaluate(planes, out), Error);
  EXPECT_THROW(CpuEngine(random_net({{9, 33, 8}, 3, 32, 2, 48}, 1)), Error);
}

}  // namespace
}  // namespace polymax::cpu_engine_test
