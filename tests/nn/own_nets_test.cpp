// Networks of the program's own: found by name while somebody holds them, for their game alone.
#include "nn/own_nets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "core/error.hpp"

namespace polymax::own_nets_test {
namespace {

class Constant final : public LoadedNet {
 public:
  explicit Constant(const Net& net) : net_(net) {}
  const Net& net() const override { return net_; }
  void evaluate(std::span<const std::uint64_t>, std::span<float> values) const override {
    std::ranges::fill(values, 0.5f);
  }
  bool knows_moves() const override { return false; }
  void evaluate(std::span<const std::uint64_t> planes, std::span<float> values,
                const MoveQuery&) const override {
    evaluate(planes, values);
  }

 private:
  Net net_;
};

TEST(own_nets, AreFoundByNameWhileTheyLive) {
  Net net;
  net.shape.input = {2, 3, 3};
  net.game = "tictactoe";
  auto own = std::make_shared<const Constant>(net);
  offer_net("own:1", own);
  const NetPurpose wanted{"tictactoe", 1, {2, 3, 3}, 2};
  EXPECT_EQ(shared_net("own:1", {}, wanted), own);
  NetPurpose other = wanted;
  other.game = "hex";
  EXPECT_THROW(shared_net("own:1", {}, other), Error);
  own.reset();
  EXPECT_EQ(offered_net("own:1"), nullptr);
  EXPECT_THROW(shared_net("own:1", {}, wanted), Error) << "there is no such file";
}

}  // namespace
}  // namespace polymax::own_nets_test
