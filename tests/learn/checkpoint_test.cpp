// Containers and checkpoints: round trips, damage, the last two kept.
#include "learn/checkpoint.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "core/error.hpp"
#include "core/file.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::learn::checkpoint_test {
namespace {

Checkpoint made(std::uint64_t matches) {
  Checkpoint out;
  out.net = untrained_net({{4, 3, 3}, 2, 4, 1, 8}, "tictactoe", 1, matches);
  out.net.scale = 2.5f;
  const std::size_t count = parameter_count(out.net.shape);
  out.optimiser = {7, std::vector<float>(count, 0.25f), std::vector<float>(count, 0.5f)};
  out.counters.matches = matches;
  out.counters.steps = 7;
  out.counters.seconds = 1.5;
  out.counters.lowest = -1;
  out.counters.highest = 1;
  out.seed = 42;
  out.random = Rng(5);
  out.replay_random = Rng(6);
  Replay replay({5, 3}, 8);
  for (int i = 0; i < 3; ++i) replay.push({{1, 2, 3, 4, 5, 6, 7, 8}, {1, -1, 0, 0}}, 2);
  out.replay = replay.stored();
  out.phase = {{0, 1}, {2, 0}};
  return out;
}

TEST(checkpoint, RoundTrip) {
  const TemporaryFolder folder;
  save_checkpoint(made(3), folder / "a.pmx");
  EXPECT_EQ(load_checkpoint(folder / "a.pmx"), made(3));
}

TEST(checkpoint, WhatIsKnownOfMovesTravelsToo) {
  const TemporaryFolder folder;
  Checkpoint with = made(3);
  Rng rng(1);
  std::vector<ValuedPlace> children{{3, 1.0f}, {8, 0.5f}};
  auto& priors = with.replay[1].samples.priors;
  priors.add(children, 0.5f, rng);
  priors.add({}, 0.5f, rng);
  save_checkpoint(with, folder / "a.pmx");
  EXPECT_EQ(load_checkpoint(folder / "a.pmx"), with);
  EXPECT_FALSE(load_checkpoint(folder / "a.pmx") == made(3));
  priors.add({}, 0.5f, rng);  // of more positions than there are
  save_checkpoint(with, folder / "a.pmx");
  EXPECT_THROW(load_checkpoint(folder / "a.pmx"), Error);
}

TEST(checkpoint, DamageIsNoticedEverywhere) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.pmx";
  save_checkpoint(made(3), path);
  const std::string whole = read_file(path);
  for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 97) {
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ 4);
    write_file(path, broken);
    EXPECT_THROW(load_checkpoint(path), Error) << "byte " << at;
    write_file(path, whole.substr(0, at));
    EXPECT_THROW(load_checkpoint(path), Error) << "cut at " << at;
  }
}

TEST(checkpoint, KeepsTheLastTwoAndReadsTheNewestWholeOne) {
  const TemporaryFolder folder;
  const CheckpointFolder checkpoints(folder / "");
  EXPECT_FALSE(checkpoints.newest().has_value());
  for (std::uint64_t matches : {5, 50, 500}) checkpoints.write(made(matches));
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder / ""))
    if (entry.path().filename().string().starts_with("checkpoint-")) files.push_back(entry.path());
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(checkpoints.newest()->counters.matches, 500u);
  std::ranges::sort(files);
  write_file(files[1], "half a chec");
  std::vector<std::string> damaged;
  EXPECT_EQ(checkpoints.newest(&damaged)->counters.matches, 50u);
  ASSERT_EQ(damaged.size(), 1u);
  EXPECT_NE(damaged[0].find(files[1]), std::string::npos) << damaged[0];
  // the damaged one is out of the way: two whole ones are kept again
  checkpoints.write(made(60));
  EXPECT_EQ(checkpoints.newest()->counters.matches, 60u);
  EXPECT_TRUE(std::filesystem::exists(files[0]));
  EXPECT_TRUE(std::filesystem::exists(files[1] + ".bad"));
  // as many matches as before, later: both stay
  Checkpoint later = made(60);
  later.counters.steps = 99;
  checkpoints.write(later);
  EXPECT_EQ(checkpoints.newest()->counters.steps, 99u);
  EXPECT_FALSE(std::filesystem::exists(files[0]));
  for (const auto& entry : std::filesystem::directory_iterator(folder / ""))
    if (entry.path().filename().string().starts_with("checkpoint-")) write_file(entry.path(), "");
  EXPECT_THROW(checkpoints.newest(), Error);
}

TEST(checkpoint, ACopyUnderAnotherNameDoesNotCount) {
  const TemporaryFolder folder;
  const CheckpointFolder checkpoints(folder / "");
  for (std::uint64_t matches : {5, 50}) checkpoints.write(made(matches));
  save_checkpoint(made(7), folder / "checkpoint-keep.pmx");
  save_checkpoint(made(8), folder / "checkpoint-000000000002 (copy).pmx");
  save_checkpoint(made(9), folder / "checkpoint-.pmx");
  EXPECT_EQ(checkpoints.newest()->counters.matches, 50u);
  for (std::uint64_t matches : {300, 400, 500}) {
    checkpoints.write(made(matches));
    EXPECT_EQ(checkpoints.newest()->counters.matches, matches);
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "checkpoint-000000000005.pmx"));
  for (const char* kept : {"keep", "000000000002 (copy)", ""})
    EXPECT_TRUE(std::filesystem::exists(folder / ("checkpoint-" + std::string(kept) + ".pmx")));
}

TEST(checkpoint, OneThatCannotBeRemovedStays) {
  const TemporaryFolder folder;
  const CheckpointFolder checkpoints(folder / "");
  const std::string oldest = folder / "checkpoint-000000000001.pmx";
  std::filesystem::create_directories(oldest + "/kept");  // removing it fails, whoever removes
  for (std::uint64_t matches : {5, 50, 500}) checkpoints.write(made(matches));
  EXPECT_EQ(checkpoints.newest()->counters.matches, 500u);
  EXPECT_TRUE(std::filesystem::exists(oldest));
  EXPECT_FALSE(std::filesystem::exists(folder / "checkpoint-000000000002.pmx"));
  EXPECT_THROW(CheckpointFolder(folder / "none").newest(), Error);
}

TEST(checkpoint, OneThatCannotBeReadIsNotCalledDamaged) {
  const TemporaryFolder folder;
  const CheckpointFolder checkpoints(folder / "");
  checkpoints.write(made(5));
  const std::string newest = folder / "checkpoint-000000000002.pmx";
  std::filesystem::create_directory(newest);  // reading it fails, whoever reads
  EXPECT_THROW(checkpoints.newest(), Error);
  EXPECT_TRUE(std::filesystem::exists(newest)) << "not renamed";
  std::filesystem::remove(newest);
  EXPECT_EQ(checkpoints.newest()->counters.matches, 5u);
}

TEST(checkpoint, AMemoryThatDoesNotFitItsNetworkIsRefused) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::function<void(Replay::Match&)>& change) {
    Checkpoint wrong = made(3);
    change(wrong.replay[1]);
    save_checkpoint(wrong, folder / "a.pmx");
    EXPECT_THROW(load_checkpoint(folder / "a.pmx"), Error);
  };
  refused([](Replay::Match& match) { match.order = {0, 1, 2}; });
  refused([](Replay::Match& match) { match.order = {0}; });
  refused([](Replay::Match& match) { match.samples.planes.pop_back(); });
  refused([](Replay::Match& match) { match.samples.points.push_back(1); });
}

TEST(checkpoint, CompactOneHasNoReplay) {
  const TemporaryFolder folder;
  CheckpointFolder(folder / "").write(made(9));
  const Checkpoint compact = load_checkpoint(folder / "compact.pmx");
  EXPECT_TRUE(compact.replay.empty());
  EXPECT_EQ(compact.net, made(9).net);
  EXPECT_EQ(compact.optimiser, made(9).optimiser);
}

TEST(checkpoint, DefaultNetworkTravelsInSixteenMebibytes) {
  Checkpoint large;
  large.net = untrained_net({{14, 14, 14}, 4, 64, 4, 512}, "quadrothello", 1, 1);
  const std::size_t count = parameter_count(large.net.shape);
  large.optimiser = {1, std::vector<float>(count), std::vector<float>(count)};
  const TemporaryFolder folder;
  CheckpointFolder(folder / "").write(large);
  EXPECT_LE(std::filesystem::file_size(folder / "compact.pmx"), 16u << 20);
}

}  // namespace
}  // namespace polymax::learn::checkpoint_test
