// What a job says of its progress fits the terminal.
#include "cli/terminal.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/columns.hpp"
#include "tests/cli/process.hpp"

namespace polymax::cli::terminal_test {
namespace {

TEST(terminal, APartThatDoesNotFitIsLeftOutWithAllBehindIt) {
  const std::vector<std::string> parts{"12 of 30 matches", "", "5 s left", "a_long_name +0.25",
                                       "b"};
  EXPECT_EQ(line_of(parts, 80), "12 of 30 matches, 5 s left, a_long_name +0.25, b");
  EXPECT_EQ(line_of(parts, 46), "12 of 30 matches, 5 s left, a_long_name +0.25");
  EXPECT_EQ(line_of(parts, 44), "12 of 30 matches, 5 s left");
  EXPECT_EQ(line_of(parts, 5), "12 o…");
  EXPECT_EQ(line_of({}, 80), "");
}

// `script` gives the program a terminal; 40 columns.
TEST(terminal, ProgressDoesNotWrap) {
  if (run_shell("command -v script").code != 0) GTEST_SKIP() << "no `script` here";
  const TemporaryFolder folder;
  std::ofstream(folder / "study.json") << R"json({"games": ["hex3(side=3)"],
    "players": ["greedy(eval=$f)", "unbounded_maxn(decision=best,eval=$f)"], "benchmark": "random",
    "networks": {"evaluator": "playouts(n=1,seed=$i)"}, "budget": "evals=20", "functions": 3,
    "seed": 1})json";
  const Ran ran = run_shell("script -qec \"stty cols 40; '" POLYMAX_BINARY "' study run '" +
                            (folder / "") + "' > /dev/null\" /dev/null < /dev/null");
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::size_t lines = 0;
  for (std::size_t at = 0; at < ran.out.size();) {
    const auto end = std::min(ran.out.find_first_of("\r\n", at), ran.out.size());
    std::string line = ran.out.substr(at, end - at);
    if (line.starts_with("\x1b[K")) line.erase(0, 3);
    if (line.find(" matches") != std::string::npos &&
        line.find("new matches") == std::string::npos) {
      EXPECT_LT(columns_of(line), 40u) << line;
      ++lines;
    }
    at = end + 1;
  }
  EXPECT_GT(lines, 0u) << ran.out;
}

}  // namespace
}  // namespace polymax::cli::terminal_test
