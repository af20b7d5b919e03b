// The torch engine on the CPU against the CPU engine, through the batcher. Skipped where the build has no torch.
#include "nn/torch_engine.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "nn/batcher.hpp"
#include "nn/cpu_engine.hpp"
#include "tests/nn/reference.hpp"

namespace polymax {
namespace {

TEST(torch_engine, AgreesWithTheCpuEngine) {
  if (!torch_built()) GTEST_SKIP() << "built without torch";
  for (const NetShape& shape : {NetShape{{7, 5, 6}, 3, 24, 2, 16}, NetShape{{3, 14, 14}, 4, 32, 1, 64}}) {
    const Net net = random_net(shape, 3), other = random_net(shape, 4);
    const auto planes = random_planes(shape.input, 9, 5);
    Batcher batcher(make_torch_device(net, {false, 4, 1}), {4});
    for (const Net* current : {&net, &other}) {
      batcher.set_weights(*current);
      std::vector<float> expected(9 * static_cast<std::size_t>(shape.players)), got(expected.size());
      CpuEngine(*current, Isa::plain).evaluate(planes, expected);
      batcher.evaluate(planes, got);
      for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-4 * (1 + std::abs(expected[i])));
    }
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
