// The shell around the program: streams that are closed or full, files that may not grow, asking
// for help in other words.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/cli/process.hpp"

namespace polymax::streams_test {
namespace {

const std::string kMatch = "match tictactoe --players 'random;random' --games 3 ";

TEST(streams, MistakesKeepTheirCodeWithoutStandardError) {
  for (const std::string where : {"2>&-", "2>/dev/full", ">&- 2>&-", "<&- >&- 2>&-"}) {
    const Ran ran = run_polymax("dance " + where);
    EXPECT_EQ(ran.code, 2) << where;
    EXPECT_EQ(ran.out + ran.err, "") << where;
  }
}

TEST(streams, AFullStandardErrorStopsNothing) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "study");
  std::ofstream(folder / "study/study.json") << R"json({"games": ["hex3(side=3)"],
    "players": ["greedy(eval=$f)"], "benchmark": "random", "networks": {"evaluator": "estimate"},
    "budget": "evals=5", "functions": 1, "seed": 1})json";
  EXPECT_EQ(run_polymax("study run '" + (folder / "study") + "' 2>/dev/full").code, 0);
  EXPECT_EQ(run_polymax("study run '" + (folder / "study") + "' 2>&-").code, 0);
}

// A file that is opened while a standard stream is closed would take its number.
TEST(streams, NothingForPeopleGetsIntoFiles) {
  const TemporaryFolder folder;
  const std::string records = folder / "r.jsonl";
  const Ran ran = run_polymax(kMatch + "--records '" + records + "' <&- >&- 2>&-");
  EXPECT_EQ(ran.code, 1) << "the table could not be written";
  EXPECT_EQ(std::ranges::count(file_text(records), '\n'), 3);
  EXPECT_EQ(run_polymax("record replay '" + records + "'").code, 0);
}

TEST(streams, AClosedOutputIsOneLine) {
  for (const std::string where : {">&-", ">/dev/full"}) {
    for (const std::string command : {"list games", "engine tictactoe", "analyze --game hex"}) {
      const std::string input =
          command[0] == 'e' ? "ugi\nquit\n" : "{\"id\":1,\"budget\":\"evals=5\"}\n";
      const Ran ran = run_polymax(command + " " + where, input);
      EXPECT_EQ(ran.code, 1) << command;
      EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << command << "\n" << ran.err;
    }
  }
}

// Nobody would find the port.
TEST(streams, AServerWhoseAddressIsLostEnds) {
  for (const std::string where : {">&-", ">/dev/full"}) {
    const Ran ran = run_shell("timeout 60 '" POLYMAX_BINARY "' serve --port 0 " + where);
    EXPECT_EQ(ran.code, 1) << ran.err;
    EXPECT_EQ(ran.err, "polymax: cannot write to standard output\n");
  }
}

TEST(streams, AFileThatMayNotGrowIsSaid) {
  const TemporaryFolder folder;
  const Ran ran = run_shell("ulimit -f 1; '" POLYMAX_BINARY
                            "' match 'hex3(side=3)' --players 'random;random;random' --games 300 "
                            "--records '" +
                            (folder / "r.jsonl") + "' >/dev/null 2>'" + (folder / "err") + "'");
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(file_text(folder / "err").find("r.jsonl': File too large"), std::string::npos)
      << file_text(folder / "err");
}

TEST(streams, HelpIsACommandToo) {
  EXPECT_EQ(run_polymax("help").out, run_polymax("--help").out);
  EXPECT_EQ(run_polymax("help think").out, run_polymax("think --help").out);
  EXPECT_EQ(run_polymax("help study run").out, run_polymax("study run --help").out);
  EXPECT_EQ(run_polymax("help").code, 0);
}

TEST(streams, BlanksBetweenMovesDoNotMatter) {
  const std::string think = "think 'hex(n=5)' --player mcts --budget evals=10 --moves ";
  const Ran ran = run_polymax(think + "' a1, b2 '");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out.substr(0, 20), run_polymax(think + "a1,b2").out.substr(0, 20));
}

}  // namespace
}  // namespace polymax::streams_test
