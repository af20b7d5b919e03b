// The life of a run without torch and without games: a pretended trainer learns lessons of a
// pretended game, so that the sanitizers can watch all of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"
#include "core/file.hpp"
#include "learn/exchange.hpp"
#include "learn/run.hpp"
#include "nn/net_file.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::learn::run_threads_test {
namespace {

constexpr int kSamples = 6;  // of a lesson

// Keeps the weights, but for a bias that counts the steps.
class PretendedTrainer final : public Trainer {
 public:
  PretendedTrainer(const Net& net, OptimiserState state)
      : net_(net), state_(std::move(state)), learned_(state_.steps) {}

  void step(const TrainingBatch& batch, double rate) override {
    if (batch.symmetry.empty() || rate <= 0) throw std::runtime_error("an empty step");
    ++state_.steps;
    ++learned_;
  }
  TrainingLoss take_loss() override { return {0.5, 0}; }
  Net net() const override {
    Net out = net_;
    auto bias = std::ranges::find(out.tensors, "dense2.bias", &Tensor::name);
    std::ranges::fill(bias->values, static_cast<float>(learned_));
    return out;
  }
  OptimiserState optimiser() const override { return state_; }

 private:
  Net net_;
  OptimiserState state_;
  std::uint64_t learned_;
};

std::unique_ptr<Trainer> pretend(const Net& net, const OptimiserState& state,
                                 std::vector<Symmetry> symmetries, const TrainerSettings&) {
  EXPECT_FALSE(symmetries.empty());
  return std::make_unique<PretendedTrainer>(net, state);
}

Samples some_samples(int count) {
  Samples out;
  out.planes.assign(static_cast<std::size_t>(count) * 2, 5);
  for (int i = 0; i < count; ++i) {
    out.points.push_back(1);
    out.points.push_back(-1);
  }
  return out;
}

// ends: in how many positions its matches end.
RunGame pretended_game(const std::string& spec = "pretended", std::uint64_t ends = 1000) {
  RunGame out;
  out.subject = {{spec, 1, {2, 3, 3}, 2}};
  out.subject.size_options = {"n"};
  Symmetry same;
  for (std::uint16_t i = 0; i < 9; ++i) same.cells.push_back(i);
  same.seats = {0, 1, 2, 3};
  same.planes = {0, 1};
  out.subject.symmetries = {same};
  out.random_samples = [](std::uint64_t, const RandomMatches& asked) {
    return some_samples(asked.matches);
  };
  out.matches = [ends](const PlaySettings& settings) -> PlayMatch {
    if (settings.search != "descent") throw Error("no such search");
    return [ends](std::shared_ptr<const LoadedNet> net, std::uint64_t seed, std::stop_token stop) {
      std::optional<Lesson> lesson;
      if (stop.stop_requested()) return lesson;
      std::vector<float> value(2);
      net->evaluate(std::vector<std::uint64_t>(2), value);
      lesson.emplace();
      lesson->samples = some_samples(kSamples);
      lesson->length = kSamples;
      lesson->end = 1 + seed % ends;
      lesson->evaluations = 1;
      lesson->predicted.assign(kSamples, Scores{});
      lesson->points[0] = value[0];
      return lesson;
    };
  };
  out.open = [](const std::string& other) { return pretended_game(other); };
  return out;
}

RunSettings short_run(const std::string& folder, std::uint64_t matches) {
  RunSettings out;
  out.out = folder;
  out.net = "channels=4,blocks=1,dense=4";
  out.learn = "batch=4,memory=10";
  out.play.device = "cpu";
  out.play.parallel = 3;
  out.matches = matches;
  out.checkpoint_every = 0.05;
  out.journal_every = 0.01;
  out.seed = 3;
  return out;
}

TEST(run, LearnsToItsEndAndGoesOn) {
  const TemporaryFolder folder;
  const std::string out = folder / "run";
  std::map<std::string, int> seen;
  RunWatch watch;
  watch.begins = [&](const RunStart& start) {
    ++seen["begins"];
    EXPECT_EQ(start.at_once, 3);
    EXPECT_EQ(start.net.channels, 4);
  };
  watch.entry = [&](const Entry& entry, double done, const Workers* elsewhere) {
    ++seen["entries"];
    EXPECT_EQ(entry.loss.value, 0.5);
    EXPECT_LE(done, 1);
    EXPECT_EQ(elsewhere, nullptr);
  };
  const RunEnd first = run(pretended_game(), short_run(out, 40), watch, {}, pretend);
  EXPECT_EQ(first.counters.matches, 40u);
  EXPECT_GT(first.counters.steps, 10u);
  EXPECT_EQ(seen["begins"], 1);
  EXPECT_GE(seen["entries"], 1);
  EXPECT_EQ(load_net(first.net).tensor("dense2.bias").values[0],
            static_cast<float>(first.counters.steps));

  RunSettings more;
  more.out = out;
  more.resume = true;
  more.matches = 55;
  more.given = {"matches"};
  more.play.device = "cpu";
  const RunEnd second = run(pretended_game(), more, {}, {}, pretend);
  EXPECT_EQ(second.counters.matches, 55u);
  EXPECT_GT(second.counters.steps, first.counters.steps);
  EXPECT_EQ(load_net(second.net).tensor("dense2.bias").values[0],
            static_cast<float>(second.counters.steps));
  const RunSettings kept = read_run(out, "pretended");
  EXPECT_EQ(kept.matches, 55u);
  EXPECT_EQ(kept.seed, 3u);
  EXPECT_EQ(kept.net, "channels=4,blocks=1,dense=4");
}

// What --resume cannot change is refused: run.json would say what is not so.
TEST(run, GoesOnWithItsSeedAndItsBeginning) {
  const TemporaryFolder folder;
  const std::string out = folder / "run";
  run(pretended_game(), short_run(out, 20), {}, {}, pretend);
  const auto going_on = [&](const char* given, const auto& change) {
    RunSettings more = short_run(out, 30);
    more.net = "";
    more.resume = true;
    more.given = {"matches", given};
    change(more);
    run(pretended_game(), more, {}, {}, pretend);
  };
  EXPECT_THROW(going_on("seed", [](RunSettings& more) { more.seed = 7; }), Error);
  EXPECT_THROW(going_on("from", [](RunSettings& more) { more.from = "other/compact.pmx"; }), Error);
  const RunSettings kept = read_run(out, "pretended");
  EXPECT_EQ(kept.seed, 3u);
  EXPECT_EQ(kept.from, "");
  EXPECT_EQ(kept.matches, 20u);
  going_on("seed", [](RunSettings&) {});
  going_on("from", [](RunSettings&) {});
  EXPECT_EQ(read_run(out, "pretended").matches, 30u);
}

TEST(run, SaysOnceThatSelfPlayRepeatsItself) {
  for (const std::uint64_t ends : {5u, 1000u}) {
    const TemporaryFolder folder;
    std::vector<std::string> notes;
    std::optional<double> different;
    RunWatch watch;
    watch.note = [&](const std::string& note) { notes.push_back(note); };
    watch.entry = [&](const Entry& entry, double, const Workers*) { different = entry.different; };
    run(pretended_game("pretended", ends), short_run(folder / "run", 150), watch, {}, pretend);
    ASSERT_TRUE(different.has_value());
    if (ends > 5) {
      EXPECT_GT(*different, 0.8);
      EXPECT_TRUE(notes.empty()) << notes[0];
    } else {
      EXPECT_LE(*different, 5.0 / 40);
      ASSERT_EQ(notes.size(), 1u);
      EXPECT_NE(notes[0].find("self-play repeats itself: the last 40 matches ended in "),
                std::string::npos)
          << notes[0];
    }
  }
}

TEST(run, AStopEndsItWithACheckpoint) {
  const TemporaryFolder folder;
  std::stop_source stop;
  RunWatch watch;
  watch.entry = [&](const Entry& entry, double, const Workers*) {
    if (entry.counters.matches >= 5) stop.request_stop();
  };
  RunSettings settings = short_run(folder / "run", 0);
  const RunEnd end = run(pretended_game(), settings, watch, stop.get_token(), pretend);
  EXPECT_GE(end.counters.matches, 5u);
  EXPECT_EQ(CheckpointFolder(folder / "run").newest()->counters.matches, end.counters.matches);
}

TEST(run, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const auto refused = [&](RunSettings settings, const std::string& why) {
    try {
      run(pretended_game(), std::move(settings), {}, {}, pretend);
      ADD_FAILURE() << "accepted: " << why;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  run(pretended_game(), short_run(folder / "run", 5), {}, {}, pretend);
  refused(short_run(folder / "run", 5), "holds a run already");
  refused(short_run("", 5), "the folder of the run is missing");
  RunSettings other = short_run(folder / "other", 5);
  other.resume = true;
  refused(other, "there is no run to resume");
  other = short_run(folder / "other", 5);
  other.play.search = "unknown";
  refused(other, "no such search");
  other = short_run(folder / "other", 5);
  other.play.device = "tpu";
  refused(other, "cpu, cuda or auto");
  other = short_run(folder / "other", 5);
  other.net = "channels=4,turned=on";
  refused(other, "no symmetry");
  EXPECT_FALSE(std::filesystem::exists(folder / "other"));
  EXPECT_THROW(read_run(folder / "run", "another"), Error);
}

TEST(run, KeepsTheNetworkItBeginsWith) {
  const TemporaryFolder folder;
  const std::string first =
      run(pretended_game(), short_run(folder / "run", 5), {}, {}, pretend).net;
  RunSettings more = short_run(folder / "more", 8);
  more.from = first;
  for (const auto& [asked, has] : {std::pair("channels=8", "channels=4"),
                                   {"blocks=1,dense=0", "dense=4"},
                                   {"turned=on", "turned=off"}}) {
    more.net = asked;
    const std::string said = message_of([&] { run(pretended_game(), more, {}, {}, pretend); });
    EXPECT_NE(said.find(first + " is a network with " + has), std::string::npos) << said;
    EXPECT_FALSE(std::filesystem::exists(more.out)) << asked;
  }
  more.net = "channels=4,blocks=1,turned=off,moves=off";
  EXPECT_EQ(run(pretended_game(), more, {}, {}, pretend).counters.matches, 8u);
}

TEST(run, ASecondHeadIsNotTakenAway) {
  const TemporaryFolder folder;
  RunGame game = pretended_game();
  game.subject.move_planes = 1;
  RunSettings begun = short_run(folder / "run", 5);
  begun.net += ",moves=on";
  RunSettings more = short_run(folder / "more", 8);
  more.from = run(game, begun, {}, {}, pretend).net;
  more.net = "moves=off";
  const std::string said = message_of([&] { run(game, more, {}, {}, pretend); });
  EXPECT_NE(said.find("moves=on, which --net moves=off cannot change"), std::string::npos) << said;
  more.net = "moves=on";
  EXPECT_EQ(run(game, more, {}, {}, pretend).counters.matches, 8u);
}

TEST(run, MayBeBegunAgainWhenTheWorkersFolderWasTaken) {
  const TemporaryFolder folder;
  RunSettings settings = short_run(folder / "run", 5);
  settings.in = folder / "lessons";
  const auto begins = [&] {
    std::stop_source stop;
    RunWatch watch;
    watch.begins = [&](const RunStart&) { stop.request_stop(); };
    run(pretended_game(), settings, watch, stop.get_token(), pretend);
  };
  {
    std::filesystem::create_directories(lessons_folder(settings.in));
    const Held other(lessons_folder(settings.in) + "/lock", "held");
    EXPECT_NE(message_of(begins).find("another trainer takes its lessons"), std::string::npos);
  }
  EXPECT_EQ(message_of(begins), "no error");
}

TEST(run, AFaultOfTheTrainerReachesTheCaller) {
  const TemporaryFolder folder;
  const MakeTrainer none = [](const Net&, const OptimiserState&, std::vector<Symmetry>,
                              const TrainerSettings&) -> std::unique_ptr<Trainer> {
    throw Error("no trainer here");
  };
  EXPECT_THROW(run(pretended_game(), short_run(folder / "run", 5), {}, {}, none), Error);
  EXPECT_FALSE(std::filesystem::exists(folder / "run")) << "nothing is left of it";
}

}  // namespace
}  // namespace polymax::learn::run_threads_test
