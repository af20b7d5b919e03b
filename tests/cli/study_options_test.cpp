// Options of studies, matches and networks as a user gives them: what is published, mended, set
// beside and left out.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/process.hpp"

namespace polymax::study_options_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kMatches = 12;
const std::string kStudy = R"json({"games": ["hex3(side=3)"],
  "players": ["greedy(eval=$f)", "mcts"], "benchmark": "random",
  "networks": {"evaluator": "playouts(n=1,seed=$i)"},
  "budget": "evals=5", "functions": 1, "repetitions": 2, "seed": 1})json";

Ran well(const std::string& arguments) {
  Ran ran = run_polymax(arguments);
  EXPECT_EQ(ran.code, 0) << arguments << "\n" << ran.err;
  return ran;
}

json json_of(const std::string& arguments) {
  return json::parse(well(arguments + " --json").out, nullptr, false);
}

// A study that is played to its end.
struct Played {
  TemporaryFolder folder;

  explicit Played(const std::string& text = kStudy) {
    std::ofstream(folder / "study.json") << text;
    well("study run " + path());
  }
  std::string path() const { return folder / ""; }
  std::string shard() const { return folder / "shards/0-of-1.jsonl"; }
  std::string records() const { return well("study records " + path()).out; }
};

TEST(study, PublishedResultsStandForTheMatches) {
  const Played study;
  well("study publish " + study.path());
  const TemporaryFolder folder;
  for (const char* name : {"study.json", "results.csv"})
    fs::copy(study.folder / name, folder / name);
  const json status = json_of("study status " + (folder / ""));
  EXPECT_EQ(status.at("done"), kMatches);
  EXPECT_EQ(status.at("shards"), 0);
  EXPECT_EQ(status.at("players"), json_of("study status " + study.path()).at("players"));
  EXPECT_EQ(json_of("study run " + (folder / "")).at("played"), 0);
}

TEST(study, RepairPlaysBrokenLinesAgain) {
  const Played study;
  const std::string records = study.records();
  std::string text = file_text(study.shard());
  text[text.size() / 2] ^= 1;
  std::ofstream(study.shard(), std::ios::binary) << text;
  const Ran refused = run_polymax("study run " + study.path());
  EXPECT_EQ(refused.code, 1) << refused.err;
  EXPECT_NE(refused.err.find("`study run --repair`"), std::string::npos) << refused.err;
  EXPECT_EQ(json_of("study run " + study.path() + " --repair").at("played"), 1);
  EXPECT_EQ(study.records(), records);
}

TEST(study, AReportSetsAnotherStudyBeside) {
  std::string more = kStudy;
  more.replace(more.find("evals=5"), 7, "evals=9");
  const Played study, other(more);
  const std::string page = study.folder / "report/report.html";
  well("study report " + study.path());
  EXPECT_EQ(file_text(page).find("evals=9"), std::string::npos);
  well("study report " + study.path() + " --beside " + other.path());
  EXPECT_NE(file_text(page).find("evals=9"), std::string::npos);
}

TEST(study, RecordsAreSgfOnDemand) {
  const Played study;
  const TemporaryFolder folder;
  std::ofstream(folder / "x.sgf") << well("study records " + study.path() + " --sgf").out;
  std::ofstream(folder / "x.jsonl") << study.records();
  const std::string matches = std::to_string(kMatches) + " matches, ";
  for (const char* name : {"x.sgf", "x.jsonl"})
    EXPECT_NE(well("record replay " + (folder / name)).out.find(matches), std::string::npos);
  const std::string third = well("study records " + study.path() + " --match 3 --sgf").out;
  EXPECT_EQ(third.find("(;FF[4]"), 0u) << third;
  EXPECT_NE(file_text(folder / "x.sgf").find(third), std::string::npos);
}

TEST(net, TheSecondHeadIsLeftOutOnDemand) {
  const TemporaryFolder folder;
  const std::string from = "nets/triinversion/moves.safetensors", to = folder / "x.safetensors";
  const json before = json_of("net info " + from);
  ASSERT_GT(before.at("move_planes"), 0);
  well("net convert " + from + " " + to + " --values-only");
  const json after = json_of("net info " + to);
  EXPECT_EQ(after.at("move_planes"), 0);
  EXPECT_EQ(after.at("channels"), before.at("channels"));
  EXPECT_LT(after.at("parameters"), before.at("parameters"));
  well("net check " + to);
}

TEST(match, CoresAreSharedOnDemandAlone) {
  const std::string match =
      "match tictactoe --players 'random;random' --games 2 --budget seconds=0.01 --threads 4000";
  EXPECT_EQ(run_polymax(match).code, 2);
  EXPECT_EQ(json_of(match + " --share-cores").at("played"), 2);
}

}  // namespace
}  // namespace polymax::study_options_test
