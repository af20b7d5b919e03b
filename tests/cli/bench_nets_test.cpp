// polymax bench nets as a user meets it: a line for every measurement, and the ratios of one run.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/process.hpp"

namespace polymax::bench_nets_test {
namespace {

std::vector<nlohmann::json> rows_of(const std::string& text) {
  std::vector<nlohmann::json> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out.push_back(nlohmann::json::parse(line));
  return out;
}

TEST(bench_nets, PrintsEveryMeasurementAndTheirRatios) {
  const Ran ran =
      run_polymax("bench nets --channels 8 --blocks 1 --batch 1,3 --seconds 0.02 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::vector<nlohmann::json> ratios;
  int measured = 0;
  for (const auto& row : rows_of(ran.out)) {
    if (row.at("bench") == "nets_ratios") {
      ratios.push_back(row);
      continue;
    }
    ++measured;
    EXPECT_GT(row.at("positions_per_second"), 0);
    EXPECT_GT(row.at("share_of_peak"), 0);
    EXPECT_GT(row.at("peak_gflops"), 0);
    EXPECT_GE(row.at("fastest_gflops"), row.at("gflops"));
    EXPECT_LT(row.at("difference_from_plain"), 0.02);
  }
  EXPECT_GE(measured, 2);
  ASSERT_EQ(ratios.size(), 2u);
  EXPECT_EQ(ratios[0].at("batch"), 1);
  EXPECT_EQ(ratios[1].at("batch"), 3);
  for (const auto& row : ratios) {
    EXPECT_GE(row.at("best_over_fp32"), 1);
    EXPECT_TRUE(row.at("best_over_torch").is_null() || row.at("best_over_torch") > 0);
  }
}

// libtorch computes in a thread of the service: what that spends counts, not what its caller does,
// who only waits and would be ten times as quick as the processor can be.
TEST(bench_nets, LibtorchIsNoQuickerThanTheProcessor) {
  if (!has_torch()) GTEST_SKIP() << "built without torch";
  const Ran ran =
      run_polymax("bench nets --channels 64 --blocks 2 --batch 8 --seconds 0.02 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  int measured = 0;
  for (const auto& row : rows_of(ran.out)) {
    if (row.at("bench") != "nets" || row.at("engine") != "torch") continue;
    ++measured;
    EXPECT_LT(row.at("share_of_peak"), 2);
  }
  EXPECT_GT(measured, 0);
}

TEST(bench_nets, RefusesWhatItCannotMeasure) {
  EXPECT_EQ(run_polymax("bench nets --isa mmx").code, 2);
  EXPECT_EQ(run_polymax("bench nets --game chess").code, 2);
  EXPECT_EQ(run_polymax("bench nets --batch 0").code, 2);
}

}  // namespace
}  // namespace polymax::bench_nets_test
