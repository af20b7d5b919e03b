// Options of studies, matches and networks as a user gives them: what is published, mended, mixed,
// set beside and left out.
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

TEST(study, EnginesAreMixedOnDemandAlone) {
  const auto text = [](const std::string& isa) {
    return R"json({"games": ["tictactoe"], "players": ["greedy(eval=$f)"], "benchmark": "random",
      "networks": {"files": [")json" +
           fs::absolute("tests/golden/canary/tictactoe.safetensors").string() +
           R"json("], "settings": "isa=)json" + isa +
           R"json("}, "budget": "evals=5", "functions": 1, "seed": 1})json";
  };
  const TemporaryFolder folder;
  std::ofstream(folder / "study.json") << text("plain");
  EXPECT_EQ(json_of("study run " + (folder / "") + " --shard 0/2").at("study_done"), 1);
  std::ofstream(folder / "study.json") << text("auto");
  const Ran refused = run_polymax("study run " + (folder / ""));
  if (refused.code == 0) GTEST_SKIP() << "this machine has no other instruction set";
  EXPECT_EQ(refused.code, 2) << refused.err;
  EXPECT_NE(refused.err.find("--mix-engines"), std::string::npos) << refused.err;
  EXPECT_EQ(json_of("study run " + (folder / "") + " --mix-engines").at("study_done"), 2);
}

TEST(study, AReportSetsAnotherStudyBeside) {
  std::string more = kStudy;
  more.replace(more.find("evals=5"), 7, "evals=9");
  const Played study, other(more);
  const std::string alone = well("study report " + study.path()).out,
                    both = well("study report " + study.path() + " --beside " + other.path()).out;
  EXPECT_EQ(alone.find("evals=9"), std::string::npos) << alone;
  EXPECT_NE(both.find("evals=9"), std::string::npos) << both;
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
