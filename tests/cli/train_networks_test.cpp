// studies/train_networks with a program that pretends: what it asks for, in which order, and what
// it does when called again.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <vector>

#include "tests/cli/process.hpp"

namespace polymax::train_networks_test {
namespace {

// Writes down its arguments and leaves the files of a run.
constexpr const char* kPretended = R"(#!/bin/bash
echo "$*" >>"$LOG"
while [ $# -gt 0 ]; do
  case $1 in
    --out) mkdir -p "$2" && touch "$2/run.json" "$2/net.safetensors" "$2/compact.pmx" ;;
    --json) echo '{}' ;;
    convert) cp "$2" "$3" ;;
  esac
  shift
done
)";

class TrainNetworks : public ::testing::Test {
 protected:
  TrainNetworks() {
    std::ofstream(folder_ / "polymax") << kPretended;
    std::filesystem::permissions(folder_ / "polymax", std::filesystem::perms::owner_all);
  }

  // The calls of the program, one a line.
  std::vector<std::string> calls(const std::string& arguments, const std::string& more = "") {
    std::filesystem::remove(folder_ / "log");
    const Ran ran =
        run_shell("POLYMAX='" + (folder_ / "polymax") + "' LOG='" + (folder_ / "log") + "' NETS='" +
                  (folder_ / "nets") + "' RUNS='" + (folder_ / "runs") + "' " + more +
                  " '" POLYMAX_SOURCE_DIR "/studies/train_networks' " + arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    std::vector<std::string> out;
    std::istringstream lines(file_text(folder_ / "log"));
    for (std::string line; std::getline(lines, line);) out.push_back(line);
    return out;
  }

  std::string run(const std::string& name) const { return folder_ / ("runs/hex3/" + name); }

  TemporaryFolder folder_;
};

bool has(const std::string& line, const std::string& part) {
  return line.find(part) != std::string::npos;
}

TEST_F(TrainNetworks, BeginsOnSmallerBoardsWhereThatHelps) {
  const auto asked = calls("1 8 hex3");
  ASSERT_EQ(asked.size(), 7u);
  EXPECT_TRUE(asked[0].starts_with("train hex3(side=4) --out " + run("f_00-0") + " --minutes 1 "))
      << asked[0];
  EXPECT_TRUE(has(asked[0], "weak=0.2") && has(asked[0], "--seed 1 ")) << asked[0];
  EXPECT_TRUE(asked[1].starts_with("train hex3(side=5) --out " + run("f_00-1") + " --minutes 1.6 "))
      << asked[1];
  EXPECT_TRUE(has(asked[1], "--from " + run("f_00-0/compact.pmx"))) << asked[1];
  EXPECT_TRUE(asked[2].starts_with("train hex3 --out " + run("f_00") + " --minutes 8 "))
      << asked[2];
  EXPECT_TRUE(has(asked[2], "--from " + run("f_00-1/compact.pmx"))) << asked[2];
  EXPECT_TRUE(asked[3].starts_with("net bounds " + run("f_00/net.safetensors"))) << asked[3];
  EXPECT_TRUE(asked[6].starts_with("net convert")) << asked[6];
  EXPECT_TRUE(std::filesystem::exists(folder_ / "nets/hex3/f_00.safetensors"));
  EXPECT_EQ(file_text(folder_ / "nets/networks.jsonl"),
            R"({"game":"hex3","name":"f_00","seed":1,"net":{},"against_estimate":{}})"
            "\n");
}

TEST_F(TrainNetworks, WhatIsThereStaysAndWhatWasBegunGoesOn) {
  calls("1 8 hex3");
  EXPECT_TRUE(calls("1 8 hex3").empty());
  std::filesystem::remove(folder_ / "nets/hex3/f_00.safetensors");
  const auto again = calls("2 8 hex3");
  ASSERT_EQ(again.size(), 14u);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(has(again[static_cast<std::size_t>(i)], "--resume"));
  EXPECT_TRUE(has(again[9], "--seed 2 ")) << again[9];
  EXPECT_FALSE(has(again[9], "--resume")) << again[9];
}

TEST_F(TrainNetworks, OnAGpuWithTheSettingsOfTheNetworksThatShip) {
  const auto asked = calls("1 10 threehex", "DEVICE=cuda TRAIN='--checkpoint-every 60'");
  ASSERT_FALSE(asked.empty());
  EXPECT_TRUE(has(asked[0], "--device cuda ")) << asked[0];
  EXPECT_TRUE(has(asked[0], "--learn memory=750,batch=1000,pace=200,warm_up=0.7,playouts=2 "))
      << asked[0];
  EXPECT_TRUE(has(asked[0], "--parallel 256 ") && asked[0].ends_with("--checkpoint-every 60"))
      << asked[0];
}

TEST_F(TrainNetworks, RefusesWhatItCannotDo) {
  const std::string script = "'" POLYMAX_SOURCE_DIR "/studies/train_networks' ";
  for (const char* arguments : {"", "3", "three 5", "3 long", "-1 5"})
    EXPECT_EQ(run_shell(script + arguments).code, 2) << arguments;
  EXPECT_EQ(run_shell("DEVICE=tpu " + script + "1 5").code, 2);
}

}  // namespace
}  // namespace polymax::train_networks_test
