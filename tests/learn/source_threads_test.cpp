// Matches in threads that share one network: every lesson comes once, weights change between
// requests only, faults and the end reach everybody. Needs neither games nor torch, so that the
// thread sanitizer can watch it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <set>
#include <thread>

#include "core/error.hpp"
#include "learn/source.hpp"

namespace polymax::learn::source_threads_test {
namespace {

constexpr std::chrono::hours kLong{1};
const NetShape kShape{{2, 3, 3}, 2, 4, 0, 4};

// A network that says `value` everywhere.
Net saying(float value) {
  Net net = untrained_net(kShape, "tictactoe", 1, 1);
  for (auto& tensor : net.tensors) std::ranges::fill(tensor.values, 0.0f);
  std::ranges::fill(std::ranges::find(net.tensors, "dense2.bias", &Tensor::name)->values, value);
  return net;
}

std::vector<float> ask(const LoadedNet& net, std::size_t positions) {
  const std::vector<std::uint64_t> planes(positions *
                                          static_cast<std::size_t>(kShape.input.words()));
  std::vector<float> out(positions * static_cast<std::size_t>(kShape.players));
  net.evaluate(planes, out);
  return out;
}

// A match of one request; its lesson has the seed and what the network said.
std::optional<Lesson> one_request(std::shared_ptr<const LoadedNet> net, std::uint64_t seed,
                                  std::stop_token stop) {
  if (stop.stop_requested()) return std::nullopt;
  Lesson out;
  out.samples.planes = {seed};
  out.samples.points = ask(*net, 5);
  return out;
}

TEST(source, WeightsDoNotMixWithinARequest) {
  const Net one = saying(1), two = saying(2);
  const auto live = make_live_net(one, {}, 64);
  std::jthread swapper([&](std::stop_token stop) {
    for (int i = 0; !stop.stop_requested(); ++i) live->set_weights(i % 2 == 0 ? two : one);
  });
  std::set<float> seen;
  for (int i = 0; i < 3000 || (seen.size() < 2 && i < 1000000); ++i) {
    const auto values = ask(*live, 40);
    for (const float value : values) ASSERT_EQ(value, values[0]);
    seen.insert(values[0]);
  }
  EXPECT_EQ(seen, (std::set<float>{1, 2}));
}

TEST(source, EveryLessonComesOnceAndKnowsNewWeights) {
  const auto live = make_live_net(saying(0), {}, 64);
  SelfPlay source(live, one_request, 4, 8, 7, 100);
  std::set<std::uint64_t> seeds;
  const int lessons = 2000;
  float newest = 0;
  for (int i = 0; i < lessons; ++i) {
    const auto lesson = source.next(kLong);
    ASSERT_TRUE(lesson.has_value());
    EXPECT_TRUE(seeds.insert(lesson->samples.planes[0]).second) << "a lesson came twice";
    newest = std::max(newest, lesson->samples.points[0]);
    EXPECT_LE(newest, static_cast<float>(i));
    source.set_weights(saying(static_cast<float>(i + 1)));
    EXPECT_LE(source.ready(), 8u + 4u) << "matches run ahead";
  }
  EXPECT_GT(newest, static_cast<float>(lessons - 100)) << "matches go on with weights of long ago";
  EXPECT_GE(source.begun(), 100u + lessons);
  EXPECT_LE(source.begun(), 100u + lessons + 8 + 4);
  EXPECT_GE(source.evaluated(), 5u * lessons);
  for (std::uint64_t number = 100; number < source.begun(); ++number)
    seeds.erase(match_seed(7, number));
  EXPECT_TRUE(seeds.empty()) << "a lesson of no match";
}

TEST(source, AFaultInAMatchReachesWhoeverAsks) {
  const auto live = make_live_net(saying(0), {}, 64);
  std::atomic<int> played = 0;
  const auto play = [&](auto net, std::uint64_t seed, std::stop_token stop) {
    if (++played == 50) throw Error("a fault");
    return one_request(net, seed, stop);
  };
  SelfPlay source(live, play, 3, 0, 1, 0);
  try {
    while (source.next(kLong)) continue;
    ADD_FAILURE() << "no lesson in a long time";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a fault");
  }
}

TEST(source, MatchesStopWhenItEnds) {
  const auto live = make_live_net(saying(0), {}, 64);
  std::atomic<int> stopped = 0;
  std::latch playing(4);
  std::string noted;
  {
    const auto endless = [&](std::shared_ptr<const LoadedNet> net, std::uint64_t,
                             std::stop_token stop) {
      playing.count_down();
      while (!stop.stop_requested()) ask(*net, 3);
      ++stopped;
      return std::optional<Lesson>();
    };
    SelfPlay source(live, endless, 4, 2, 1, 0, [&](const std::string& text) { noted = text; });
    EXPECT_FALSE(source.next(std::chrono::milliseconds(1)).has_value());
    playing.wait();
  }
  EXPECT_EQ(stopped, 4);
  EXPECT_EQ(noted, "");
}

}  // namespace
}  // namespace polymax::learn::source_threads_test
