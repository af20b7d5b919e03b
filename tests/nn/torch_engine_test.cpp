// The torch engine on the CPU against the CPU engine, through the service. Skipped where the build
// has no torch.
#include "nn/torch_engine.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <iostream>
#include <string>
#include <thread>

#include "core/error.hpp"
#include "nn/cpu_engine.hpp"
#include "nn/engines.hpp"
#include "nn/net_file.hpp"
#include "nn/service.hpp"
#include "tests/nn/reference.hpp"

namespace polymax::torch_engine_test {
namespace {

const NetShape kShapes[] = {{{7, 5, 6}, 3, 24, 2, 16}, {{3, 14, 14}, 4, 32, 1, 64}};

std::vector<float> plain_values(const Net& net, const std::vector<std::uint64_t>& planes) {
  const auto words = static_cast<std::size_t>(net.shape.input.words());
  std::vector<float> out(planes.size() / words * static_cast<std::size_t>(net.shape.players));
  CpuEngine(net, Isa::plain).evaluate(planes, out);
  return out;
}

std::vector<float> values_of(ServedNet& net, const std::vector<std::uint64_t>& planes) {
  const auto words = static_cast<std::size_t>(net.shape().input.words());
  std::vector<float> out(planes.size() / words * static_cast<std::size_t>(net.shape().players));
  net.evaluate(planes, out);
  return out;
}

void expect_near(const std::vector<float>& got, const std::vector<float>& expected) {
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], expected[i], 1e-4 * (1 + std::abs(expected[i])));
}

// All that needs torch is skipped without it, here and in other programs: where the module was
// built it must load.
TEST(torch_engine, LoadsWhereItIsBuilt) {
#ifdef POLYMAX_TORCH_IS_BUILT
  EXPECT_TRUE(torch_built()) << "libpolymax_torch.so is there and cannot be loaded";
#else
  GTEST_SKIP() << "built without torch";
#endif
}

TEST(torch_engine, AgreesWithTheCpuEngine) {
  if (!torch_built()) GTEST_SKIP() << "built without torch";
  NetService service(make_torch_device({}), {});
  for (const NetShape& shape : kShapes)
    for (const BatchMode mode : {BatchMode::best, BatchMode::fixed}) {
      Net net = random_net(shape, 3), other = random_net(shape, 4);
      net.scale = 2.5f;
      const auto planes = random_planes(shape.input, 9, 5);
      const auto served = service.serve(net, 4, mode);
      for (const Net* current : {&net, &other}) {
        served->set_weights(*current);
        expect_near(values_of(*served, planes), plain_values(*current, planes));
      }
    }
}

// Logits of the second head against plain C++, beside calls for values alone.
void check_moves(NetService& service, const NetShape& shape, BatchMode mode, double bound) {
  const Net net = random_net(shape, 3), other = random_net(shape, 4);
  const auto planes = random_planes(shape.input, 9, 5);
  const auto served = service.serve(net, 4, mode);
  for (const Net* current : {&net, &other}) {
    served->set_weights(*current);
    const Net rounded = net_from_bytes(net_to_bytes(*current, NetPrecision::bf16), "x");
    AskedMoves asked = random_moves(shape, 9, 6), expected = asked;
    std::vector<float> values(9 * static_cast<std::size_t>(shape.players)), wanted(values.size());
    CpuEngine(bound > 1e-3 ? rounded : *current, Isa::plain)
        .evaluate(planes, wanted, expected.query());
    served->evaluate(planes, values, asked.query());
    EXPECT_LT(relative_error(expected.logits, asked.logits), bound);
    EXPECT_LT(relative_error(wanted, values), bound);
    EXPECT_LT(relative_error(wanted, values_of(*served, planes)), bound);
  }
}

TEST(torch_engine, TheSecondHeadAgreesWithTheCpuEngine) {
  if (!torch_built()) GTEST_SKIP() << "built without torch";
  NetService service(make_torch_device({}), {});
  for (const BatchMode mode : {BatchMode::best, BatchMode::fixed}) {
    check_moves(service, {{7, 5, 6}, 3, 24, 2, 16, 43}, mode, 1e-4);
    check_moves(service, {{3, 14, 14}, 4, 32, 1, 64, 1}, mode, 1e-4);
  }
}

TEST(torch_engine, TheSecondHeadAgreesOnAGpu) {
  if (!torch_built() || !cuda_available()) GTEST_SKIP() << "no GPU";
  NetService service(make_torch_device({.cuda = true}), {});
  for (const BatchMode mode : {BatchMode::best, BatchMode::fixed}) {
    check_moves(service, {{7, 5, 6}, 3, 24, 2, 16, 43}, mode, 2e-2);
    check_moves(service, {{3, 20, 20}, 4, 64, 2, 64, 91}, mode, 2e-2);
  }
}

// For threads: what is thrown there fails the test that runs, not the whole program.
template <class Work>
auto caught(Work work) {
  return [work = std::move(work)] {
    try {
      work();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  };
}

// Several networks of several shapes at once, against plain C++.
TEST(torch_engine, ManyNetworksKeepTheirValues) {
  if (!torch_built()) GTEST_SKIP() << "built without torch";
  NetService service(make_torch_device({}), {});
  std::vector<std::jthread> callers;
  for (std::uint64_t t = 0; t < 6; ++t)
    callers.emplace_back(caught([&service, t] {
      const Net net = random_net(kShapes[t % 2], 10 + t / 2);
      const auto served = service.serve(net, 8);
      for (std::uint64_t i = 0; i < 10; ++i) {
        const auto planes = random_planes(net.shape.input, 1 + i, 100 * t + i);
        expect_near(values_of(*served, planes), plain_values(net, planes));
      }
    }));
}

// In batches of one size a position has the same value whatever travels with it.
void expect_same_values(NetService& service, const Net& net, std::size_t many) {
  const auto served = service.serve(net, 2048, BatchMode::fixed);
  const auto words = static_cast<std::size_t>(net.shape.input.words());
  const auto players = static_cast<std::size_t>(net.shape.players);
  const auto all = random_planes(net.shape.input, many, 5);
  const auto together = values_of(*served, all);
  for (std::size_t i = 0; i < many; i += 7) {
    const std::vector<std::uint64_t> one(
        all.begin() + static_cast<std::ptrdiff_t>(i * words),
        all.begin() + static_cast<std::ptrdiff_t>((i + 1) * words));
    const auto alone = values_of(*served, one);
    for (std::size_t p = 0; p < players; ++p) EXPECT_EQ(alone[p], together[i * players + p]) << i;
  }
}

TEST(torch_engine, FixedBatchesGiveTheSameValues) {
  if (!torch_built()) GTEST_SKIP() << "built without torch";
  NetService service(make_torch_device({}), {});
  expect_same_values(service, random_net(kShapes[0], 3), 100);
}

TEST(torch_engine, CudaFixedBatchesGiveTheSameValues) {
  if (!torch_built() || !cuda_available()) GTEST_SKIP() << "no GPU";
  for (const std::string game : {"quadrothello", "fish"})
    expect_same_values(service_of(TorchDevice::cuda), load_net(shipped_net_file(game)), 1500);
}

// bf16 on the device; weights of the whole network are rounded there, so it is compared with one
// that is rounded.
double cuda_error(ServedNet& served, const Net& net, std::size_t positions) {
  const Net rounded = net_from_bytes(net_to_bytes(net, NetPrecision::bf16), "x");
  const auto planes = random_planes(net.shape.input, positions, 5);
  return relative_error(plain_values(rounded, planes), values_of(served, planes));
}

TEST(torch_engine, CudaAgreesWithTheCpuEngine) {
  if (!torch_built() || !cuda_available()) GTEST_SKIP() << "no GPU";
  NetService& service = service_of(TorchDevice::cuda);
  for (const int channels : {64, 166}) {
    const NetShape shape{{14, 14, 14}, 4, channels, 2, 64};
    const Net net = random_net(shape, 3), other = random_net(shape, 4);
    const auto served = service.serve(net, 64);
    for (std::size_t positions = 1; positions <= 70; ++positions)
      EXPECT_LT(cuda_error(*served, net, positions), 2e-2)
          << channels << " channels, " << positions << " positions";
    served->set_weights(other);
    EXPECT_LT(cuda_error(*served, other, 33), 2e-2) << "new weights";
    // graphs of another shape are made while the first computes
    std::atomic<bool> over{false};
    std::thread caller(caught([&] {
      while (!over) EXPECT_LT(cuda_error(*served, other, 9), 2e-2);
    }));
    const auto second = service.serve(net, 256);
    EXPECT_LT(cuda_error(*second, net, 20), 2e-2) << "beside another network";
    over = true;
    caller.join();
  }
}

// Many networks that change places in the lanes' slots.
TEST(torch_engine, CudaNetworksKeepTheirValues) {
  if (!torch_built() || !cuda_available()) GTEST_SKIP() << "no GPU";
  NetService& service = service_of(TorchDevice::cuda);
  std::vector<std::jthread> callers;
  for (std::uint64_t t = 0; t < 24; ++t)
    callers.emplace_back(caught([&service, t] {
      const Net net = random_net({{14, 14, 14}, 4, 64, 1, 64}, 10 + t % 8);
      const auto served = service.serve(net, 128);
      for (std::size_t i = 0; i < 20; ++i)
        EXPECT_LT(cuda_error(*served, net, 1 + i), 2e-2) << "network " << t % 8;
    }));
}

// A network as it is shipped says the same on the GPU.
TEST(torch_engine, CudaAgreesOnShippedNetworks) {
  if (!torch_built() || !cuda_available()) GTEST_SKIP() << "no GPU";
  for (const std::string game : {"quadrothello", "blokus", "fish", "threehex"}) {
    const Net net = load_net(shipped_net_file(game));
    const auto served = service_of(TorchDevice::cuda).serve(net, 64);
    const double error = cuda_error(*served, net, 64);
    EXPECT_LT(error, shipped_bound(game)) << game;
    std::cout << game << ": largest difference " << error << " of the root mean square\n";
  }
}

TEST(torch_engine, SaysWhenThereIsNone) {
  if (torch_built() && cuda_available()) GTEST_SKIP() << "torch and a GPU are here";
  EXPECT_THROW(make_torch_device({.cuda = torch_built()}), Error);
}

}  // namespace
}  // namespace polymax::torch_engine_test
