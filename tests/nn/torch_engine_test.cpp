// The torch engine on the CPU against the CPU engine, through the batcher. Skipped where the build
// has no torch.
#include "nn/torch_engine.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <iostream>
#include <string>
#include <thread>

#include "core/error.hpp"
#include "nn/batcher.hpp"
#include "nn/cpu_engine.hpp"
#include "nn/engines.hpp"
#include "nn/net_file.hpp"
#include "tests/nn/reference.hpp"

namespace polymax {
namespace {

TEST(torch_engine, AgreesWithTheCpuEngine) {
  if (!torch_built()) GTEST_SKIP() << "built without torch";
  for (const NetShape& shape :
       {NetShape{{7, 5, 6}, 3, 24, 2, 16}, NetShape{{3, 14, 14}, 4, 32, 1, 64}}) {
    const Net net = random_net(shape, 3), other = random_net(shape, 4);
    const auto planes = random_planes(shape.input, 9, 5);
    Batcher batcher(make_torch_device(net, {false, 4, 1}), {4});
    for (const Net* current : {&net, &other}) {
      batcher.set_weights(*current);
      std::vector<float> expected(9 * static_cast<std::size_t>(shape.players)),
          got(expected.size());
      CpuEngine(*current, Isa::plain).evaluate(planes, expected);
      batcher.evaluate(planes, got);
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_NEAR(got[i], expected[i], 1e-4 * (1 + std::abs(expected[i])));
    }
  }
}

// bf16 on the device; weights of the whole network are rounded there, so it is compared with one
// that is rounded.
double cuda_error(Batcher& batcher, const Net& net, std::size_t positions) {
  const Net rounded = net_from_bytes(net_to_bytes(net, NetPrecision::bf16), "x");
  const auto planes = random_planes(net.shape.input, positions, 5);
  std::vector<float> expected(positions * static_cast<std::size_t>(net.shape.players)),
      got(expected.size());
  CpuEngine(rounded, Isa::plain).evaluate(planes, expected);
  batcher.evaluate(planes, got);
  return relative_error(expected, got);
}

TEST(torch_engine, CudaAgreesWithTheCpuEngine) {
  if (!torch_built() || !cuda_available()) GTEST_SKIP() << "no GPU";
  for (const int channels : {64, 166}) {
    const NetShape shape{{14, 14, 14}, 4, channels, 2, 64};
    const Net net = random_net(shape, 3), other = random_net(shape, 4);
    Batcher batcher(make_torch_device(net, {true, 64, 2}), {64});
    for (std::size_t positions = 1; positions <= 70; ++positions)
      EXPECT_LT(cuda_error(batcher, net, positions), 2e-2)
          << channels << " channels, " << positions << " positions";
    batcher.set_weights(other);
    EXPECT_LT(cuda_error(batcher, other, 33), 2e-2) << "new weights";
    // a second network is loaded while the first computes
    std::atomic<bool> over{false};
    std::thread caller([&] {
      while (!over) EXPECT_LT(cuda_error(batcher, other, 9), 2e-2);
    });
    Batcher second(make_torch_device(net, {true, 256, 2}), {256});
    over = true;
    caller.join();
    EXPECT_LT(cuda_error(second, net, 20), 2e-2) << "beside another network";
  }
}

// A network as it is shipped says the same on the GPU.
TEST(torch_engine, CudaAgreesOnShippedNetworks) {
  if (!torch_built() || !cuda_available()) GTEST_SKIP() << "no GPU";
  for (const std::string game : {"quadrothello", "blokus", "fish", "threehex"}) {
    const Net net = load_net(default_net_file(game));
    Batcher batcher(make_torch_device(net, {true, 64, 1}), {64});
    const double error = cuda_error(batcher, net, 64);
    EXPECT_LT(error, shipped_bound(game)) << game;
    std::cout << game << ": largest difference " << error << " of the root mean square\n";
  }
}

TEST(torch_engine, SaysWhenThereIsNone) {
  const Net net = random_net({{7, 5, 6}, 3, 24, 2, 16}, 3);
  if (!torch_built()) {
    EXPECT_THROW(make_torch_device(net, {}), Error);
  } else if (!cuda_available()) {
    EXPECT_THROW(make_torch_device(net, {true, 16, 1}), Error);
  }
}

}  // namespace
}  // namespace polymax
