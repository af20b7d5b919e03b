// Networks by file: the header is read at once, the weights when they are needed; who asks for a
// GPU.
#include "nn/engines.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "core/spec.hpp"
#include "nn/net_file.hpp"
#include "nn/service.hpp"
#include "nn/torch_engine.hpp"
#include "tests/nn/reference.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::engines_test {
namespace {

const NetShape kShape{{5, 4, 3}, 3, 8, 1, 7};

NetPurpose purpose() {
  return {"made", 1, kShape.input, kShape.players};
}

void save(const std::string& path, std::uint64_t seed) {
  Net net = random_net(kShape, seed);
  net.game = "made";
  save_net(net, path, NetPrecision::fp32);
}

std::vector<float> ask(const LoadedNet& net) {
  std::vector<float> out(static_cast<std::size_t>(2 * kShape.players));
  net.evaluate(random_planes(kShape.input, 2, 5), out);
  return out;
}

struct Engines : testing::TestWithParam<Engine> {};

TEST_P(Engines, WeightsComeWhenTheyAreNeeded) {
  if (GetParam() == Engine::torch && !torch_built()) GTEST_SKIP() << "built without torch";
  const TemporaryFolder folder;
  const std::string path = folder / "x.safetensors";
  const EngineChoice choice{GetParam()};
  save(path, 1);
  auto wrong = purpose();
  wrong.game = "another";
  EXPECT_THROW(shared_net(path, choice, wrong), Error) << "before any match";
  {
    const auto net = shared_net(path, choice, purpose());
    EXPECT_EQ(net, shared_net(path, choice, purpose())) << "one for all players";
    EXPECT_TRUE(net->net().tensors.empty());
    std::remove(path.c_str());
    EXPECT_THROW(ask(*net), Error) << "the file is gone";
    save(path, 2);
    EXPECT_THROW(ask(*net), Error) << "another network by now";
    save(path, 1);
    const auto values = ask(*net);
    std::remove(path.c_str());
    EXPECT_EQ(ask(*net), values) << "the file is not needed any more";
  }
  EXPECT_THROW(shared_net(path, choice, purpose()), Error);
}

TEST_P(Engines, ThreadsThatComeAtOnceGetTheSameWeights) {
  if (GetParam() == Engine::torch && !torch_built()) GTEST_SKIP() << "built without torch";
  const TemporaryFolder folder;
  const std::string path = folder / "x.safetensors";
  save(path, 3);
  const auto net = shared_net(path, {GetParam()}, purpose());
  const auto expected = ask(*shared_net(path, {Engine::cpu}, purpose()));
  std::vector<std::jthread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      const auto values = ask(*net);
      for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(values[i], expected[i], 2e-2 * (1 + std::abs(expected[i])));
    });
}

TEST_P(Engines, SayWhatComputes) {
  if (GetParam() == Engine::torch && !torch_built()) GTEST_SKIP() << "built without torch";
  const std::string best = computed_by({GetParam()}, 64);
  EXPECT_EQ(best.find("auto"), std::string::npos) << best;
  if (GetParam() == Engine::torch) {
    EXPECT_EQ(best, "torch on the CPU");
    EXPECT_EQ(computed_by({Engine::torch, TorchDevice::cpu, Isa::automatic, BatchMode::fixed}, 64),
              "torch on the CPU, batches of one size");
  } else {
    EXPECT_EQ(computed_by({Engine::cpu, TorchDevice::cpu, Isa::plain}, 64), "cpu plain");
  }
}

INSTANTIATE_TEST_SUITE_P(All, Engines, testing::Values(Engine::cpu, Engine::torch),
                         [](const auto& engine) {
                           return std::string(kEngineNames[static_cast<std::size_t>(engine.param)]);
                         });

}  // namespace
}  // namespace polymax::engines_test
