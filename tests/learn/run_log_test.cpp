// The log of a run as it is read again, from made-up ones.
#include "learn/run_log.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "tests/learn/made_log.hpp"
#include "tests/message_of.hpp"

namespace polymax::learn::run_log_test {
namespace {

using made_log::kRun, made_log::line;

std::string refusal(const std::string& run, const std::string& text) {
  return message_of([&] { read_training(run, text, "DIR"); });
}

TEST(run_log, ReadsEntriesAndCountsNewMatches) {
  const auto run = read_training(kRun, line(10, 1, 20) + line(10, 1, 0) + line(25, 0.5, 21), "DIR");
  ASSERT_EQ(run.entries.size(), 3u);
  EXPECT_EQ(run.game, "hex3(side=4)");
  EXPECT_EQ(run.seed, 3u);
  EXPECT_EQ(run.players(), 3u);
  EXPECT_EQ(run.entries[0].new_matches, 10u);
  EXPECT_EQ(run.entries[1].new_matches, 0u);
  EXPECT_EQ(run.entries[2].new_matches, 15u);
  EXPECT_EQ(run.entries[2].calibration[1], 8);
  EXPECT_TRUE(std::isnan(run.entries[1].loss)) << "no step since the line before";
  EXPECT_EQ(run.last_loss(), 0.5);
}

TEST(run_log, ALineCutOffIsLeftOutAndBadOnesAreNamed) {
  const std::string whole = line(10, 1, 20);
  EXPECT_EQ(read_training(kRun, whole + whole.substr(0, 30), "DIR").entries.size(), 1u);
  EXPECT_EQ(refusal("{}", whole), "DIR/run.json is not the description of a run");
  EXPECT_EQ(refusal("[", whole), "DIR/run.json is not the description of a run");
  EXPECT_EQ(refusal(kRun, ""),
            "DIR/log.jsonl has no entry yet: let the run go on for some seconds");
  EXPECT_EQ(refusal(kRun, "{\"matches\":"),
            "DIR/log.jsonl has no entry yet: let the run go on for some seconds");
  EXPECT_EQ(refusal(kRun, whole + "nonsense\n" + whole),
            "DIR/log.jsonl, line 2: not an entry of a run's log");
  EXPECT_EQ(refusal(kRun, whole + line(9, 1, 20)),
            "DIR/log.jsonl, line 2: does not go on from the line before");
}

TEST(run_log, NumbersThatAreMissingAreNoNumbers) {
  const auto run = read_training(kRun, "{\"matches\":5,\"loss\":null}\n", "DIR");
  EXPECT_TRUE(std::isnan(run.entries[0].loss));
  EXPECT_TRUE(std::isnan(run.entries[0].length));
}

}  // namespace
}  // namespace polymax::learn::run_log_test
