// polymax train report as a user runs it: on folders that are no runs, and on a small made-up run
// with real networks.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "catalog/catalog.hpp"
#include "learn/loop.hpp"
#include "nn/net_file.hpp"
#include "tests/cli/process.hpp"

namespace polymax::train_report_test {
namespace {

namespace fs = std::filesystem;

const std::string kEntry =
    R"({"matches":20,"evaluations":900,"samples":80,"steps":4,"seconds":3,"loss":0.25,"rate":0.0001,"length":8,)"
    R"("wins":[0.5,0.25],"draws":0.25,"solved":0.5,"calibration":[1,1,1,1,1,1,0,0,0,0],"positions_per_second":300})"
    "\n";

struct MadeRun {
  TemporaryFolder folder;
  std::string path = folder / "a run";

  explicit MadeRun(const std::string& game = "tictactoe", const std::string& log = kEntry) {
    fs::create_directories(path + "/history");
    std::ofstream(path + "/run.json")
        << nlohmann::json{{"format", "polymax-run-1"}, {"game", game}}.dump();
    std::ofstream(path + "/log.jsonl") << log;
  }

  // An untrained network that says it learned from so many matches.
  void add_net(const std::string& name, int matches) const {
    const auto game = catalog::open_game("tictactoe");
    auto net = learn::begin_run(game->subject(), {4, 1, 0}, static_cast<std::uint64_t>(matches),
                                game->random_samples(1, {10}))
                   .net;
    net.training.matches = static_cast<std::uint64_t>(matches);
    save_net(net, path + "/" + name, NetPrecision::fp32);
  }

  Ran report(const std::string& options = "") const {
    return run_polymax("train report '" + path + "' " + options);
  }
};

void expect_refused(const Ran& ran, int code, const std::string& message) {
  EXPECT_EQ(ran.code, code) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  EXPECT_NE(ran.err.find(message), std::string::npos) << ran.err;
}

TEST(TrainReport, RefusesWhatIsNoRun) {
  const TemporaryFolder empty;
  expect_refused(run_polymax("train report"), 2, "DIR is required");
  expect_refused(run_polymax("train report " + (empty / "none")), 2, "there is no folder");
  expect_refused(run_polymax("train report " + (empty / "")), 2, "is not the folder of a run");
  expect_refused(run_polymax("train hex3 report " + (empty / "")), 2, "unexpected 'report'");
  expect_refused(run_polymax("train --out x"), 2, "GAME is required");
  expect_refused(MadeRun("tictactoe", "").report(), 1, "log.jsonl has no entry yet");
  expect_refused(MadeRun("tictactoe", "hello\n" + kEntry).report(), 1,
                 "log.jsonl, line 1: not an entry");
  expect_refused(MadeRun("chess").report(), 2, "no game 'chess'");
  expect_refused(MadeRun().report("--budget evals=0"), 2, "evals");
  expect_refused(MadeRun().report("--games 0"), 2, "--games");
  const MadeRun no_log;
  fs::remove(no_log.path + "/log.jsonl");
  expect_refused(no_log.report(), 1, "has no log.jsonl yet");
  const MadeRun no_run;
  std::ofstream(no_run.path + "/run.json") << "{}";
  expect_refused(no_run.report(), 1, "run.json is not the description of a run");
  const MadeRun broken;
  std::ofstream(broken.path + "/net.safetensors") << "nonsense";
  expect_refused(broken.report(), 1, "net.safetensors");
}

TEST(TrainReport, WithoutNetworksThePageSaysSo) {
  const MadeRun run;
  const Ran ran = run.report();
  EXPECT_EQ(ran.code, 0) << ran.err;
  const std::string page = file_text(run.path + "/report.html");
  EXPECT_NE(page.find("There is no net.safetensors yet"), std::string::npos);
  EXPECT_NE(page.find("No match for strength was played yet."), std::string::npos);
  run.add_net("net.safetensors", 20);
  EXPECT_EQ(run.report("--no-matches").code, 0);
  EXPECT_NE(file_text(run.path + "/report.html").find("There is no earlier network in history/"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(run.path + "/strength.jsonl"));
}

TEST(TrainReport, PlaysAPairingOnce) {
  const MadeRun run;
  run.add_net("net.safetensors", 20);
  run.add_net("history/net-10.safetensors", 10);
  run.add_net("history/net-20.safetensors", 20);  // as old as the newest: no opponent
  const std::string options = "--games 2 --budget evals=20 --threads 1 --json";
  const Ran first = run.report(options);
  ASSERT_EQ(first.code, 0) << first.err;
  const auto numbers = nlohmann::json::parse(first.out);
  ASSERT_EQ(numbers["strength"].size() + numbers["notes"].size(), 3u) << first.out;
  EXPECT_EQ(numbers["strength"][0]["opponent"], "mcts");
  EXPECT_EQ(numbers["strength"].back()["opponent"], "after 10 matches");
  for (const auto& result : numbers["strength"])
    EXPECT_EQ(result["wins"].get<int>() + result["draws"].get<int>() + result["losses"].get<int>(),
              4)
        << result;
  EXPECT_EQ(numbers["earlier_nets"], 1);
  const std::string kept = file_text(run.path + "/strength.jsonl"),
                    page = file_text(run.path + "/report.html");
  EXPECT_NE(page.find("after 10 matches"), std::string::npos);

  const Ran second = run.report(options);
  EXPECT_EQ(second.err.find("pairing"), std::string::npos) << second.err;
  EXPECT_EQ(second.out, first.out);
  EXPECT_EQ(file_text(run.path + "/strength.jsonl"), kept);
  EXPECT_EQ(file_text(run.path + "/report.html"), page);

  const Ran more = run.report("--games 3 --budget evals=20 --threads 1");
  EXPECT_NE(more.err.find("pairing 1 of 3"), std::string::npos) << more.err;
  EXPECT_TRUE(file_text(run.path + "/strength.jsonl").starts_with(kept));
}

}  // namespace
}  // namespace polymax::train_report_test
