// Studies and runs of learning below the served folder.
#include <filesystem>
#include <fstream>

#include "arena/results.hpp"
#include "arena/study.hpp"
#include "arena/study_run.hpp"
#include "nn/net_file.hpp"
#include "tests/server/client.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::server::folders_test {
namespace {

namespace fs = std::filesystem;

ServerSettings serving(const TemporaryFolder& folder) {
  auto out = quick_settings();
  out.house.root = fs::canonical(folder / ".").string();
  return out;
}

// A few matches of fish, whose start depends on the seed.
void play_study(const std::string& folder, int seed) {
  fs::remove_all(folder + "/shards");
  fs::create_directories(folder);
  std::ofstream(folder + "/study.json")
      << R"json({"games": ["fish"], "players": ["random"], "benchmark": "random",
        "networks": {"evaluator": "estimate"}, "budget": "evals=1", "functions": 1, "seed": )json"
      << seed << "}";
  arena::run_study(arena::Study::open(folder), {});
}

TEST(server_folders, SeedsOf64BitsSurviveThePage) {
  const TemporaryFolder folder;
  play_study(folder / "s", 1);
  const RunningServer server(serving(folder));
  const auto [found, match] = server.get("studies/match?folder=s&k=0");
  ASSERT_EQ(found, 200) << match.dump();
  ASSERT_TRUE(match["seed"].is_string()) << "a page would round this number: " << match["seed"];
  const json seats(match["players"].size(), "human");
  const auto [opened, state] = server.post("matches", {{"game", match["game"]},
                                                       {"seed", match["seed"]},
                                                       {"seats", seats},
                                                       {"moves", match["moves"]}});
  ASSERT_EQ(opened, 201) << state.dump();
  EXPECT_EQ(state["moves"], match["moves"]);
  EXPECT_EQ(state["seed"], match["seed"]);
  EXPECT_EQ(state["position"]["over"], true);

  const auto start = [&](const json& seed) {
    return server.post("position", {{"game", "fish"}, {"seed", seed}, {"moves", json::array()}});
  };
  const std::uint64_t large = (std::uint64_t{1} << 60) + 1;
  EXPECT_EQ(start(std::to_string(large)).second["drawing"], start(large).second["drawing"]);
  EXPECT_NE(start(std::to_string(large)).second["drawing"], start(large - 1).second["drawing"]);
  for (const json& bad : {json("x"), json("18446744073709551616"), json(-1), json(1.5), json("")})
    EXPECT_EQ(start(bad).first, 400) << bad;
}

TEST(server_folders, MatchesAreListedByGameAndPlayer) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "s");
  std::ofstream(folder / "s/study.json")
      << R"json({"games": ["tictactoe", "hex(n=3)"], "players": ["random", "greedy"],
        "benchmark": "random", "networks": {"evaluator": "zero"}, "budget": "evals=1",
        "functions": 1, "seed": 1})json";
  arena::run_study(arena::Study::open(folder / "s"), {});
  const RunningServer server(serving(folder));
  const auto listed = [&](const std::string& query) {
    const auto [status, progress] = server.get("studies/progress?folder=s" + query);
    EXPECT_EQ(status, 200) << progress.dump();
    return progress;
  };
  const auto all = listed("");
  EXPECT_EQ(all["games"].size(), 2u) << all["games"];
  EXPECT_EQ(all["players"], json({"random", "greedy"}));
  EXPECT_EQ(all["matches"].size(), all["done"]);
  const auto some = listed("&game=hex&player=greedy");
  EXPECT_EQ(some["done"], all["done"]) << "the numbers are of all matches";
  EXPECT_EQ(some["matches"].size() * 4, all["matches"].size());
  for (const auto& match : some["matches"]) {
    EXPECT_EQ(match["game"], "hex");
    EXPECT_EQ(match["player"], "greedy");
  }
  EXPECT_EQ(listed("&game=&player=")["matches"].size(), all["matches"].size());
  EXPECT_TRUE(listed("&player=nobody")["matches"].empty());
}

TEST(server_folders, AReportIsOfTheMatchesThatAreThere) {
  const TemporaryFolder folder;
  play_study(folder / "s", 1);
  const RunningServer server(serving(folder));
  const auto page = [&] {
    auto asked = server.client();
    const auto reply = asked.Get("/api/studies/report?folder=s");
    return reply ? reply->body : "";
  };
  const std::string before = page();
  ASSERT_NE(before.find("<html"), std::string::npos) << before.substr(0, 200);
  EXPECT_EQ(page(), before);
  play_study(folder / "s", 2);  // as many matches, other results
  EXPECT_NE(page(), before);
}

TEST(server_folders, AReportHasThePapersNumbersBesideIt) {
  const TemporaryFolder folder;
  play_study(folder / "s", 1);
  std::ofstream(folder / "paper.json")
      << R"({"title": "A paper of fish", "source": "", "corrections": [], "protocol": {"functions": 1},
             "games": [{"name": "fish", "title": "Fish", "matches": 9, "brs": false}],
             "players": [{"name": "random", "title": "Random", "latex": "", "batching": false}],
             "experiments": [{"name": "only", "seconds": 1,
                              "scores": [{"player": "random", "scores": {"fish": [-33, 2]}}],
                              "means": []}]})";
  const RunningServer server(serving(folder));
  auto asked = server.client();
  const auto page = asked.Get("/api/studies/report?folder=s");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200) << page->body;
  EXPECT_NE(page->body.find("Beside the paper"), std::string::npos);
}

TEST(server_folders, PublishedResultsAreSeen) {
  const TemporaryFolder folder;
  play_study(folder / "s", 1);
  const RunningServer server(serving(folder));
  const auto page = [&] {
    auto asked = server.client();
    const auto reply = asked.Get("/api/studies/report?folder=s");
    return reply ? reply->body : "";
  };
  const auto with_moves = [&] {
    return server.get("studies/progress?folder=s").second["with_moves"].get<int>();
  };
  EXPECT_GT(with_moves(), 0);
  arena::publish_results(arena::Study::open(folder / "s"));
  EXPECT_GT(with_moves(), 0);
  fs::remove_all(folder / "s/shards");
  EXPECT_EQ(with_moves(), 0);
  const std::string before = page();
  ASSERT_NE(before.find("<html"), std::string::npos) << before;
  const auto [status, answer] = server.get("studies/match?folder=s&k=0");
  EXPECT_EQ(status, 404);
  EXPECT_NE(answer["error"].get<std::string>().find("without its moves"), std::string::npos);
  EXPECT_NE(server.get("studies/match?folder=s&k=999999")
                .second["error"]
                .get<std::string>()
                .find("not played yet"),
            std::string::npos);
  fs::remove(folder / "s/results.csv");
  EXPECT_EQ(page().find("<html"), std::string::npos) << "nothing is left to report";
}

TEST(server_folders, FoldersOfTestsAreNotListed) {
  const TemporaryFolder folder;
  play_study(folder / "s", 1);
  play_study(folder / "tests/s", 1);
  const RunningServer server(serving(folder));
  const auto list = server.get("studies").second["studies"];
  ASSERT_EQ(list.size(), 1u) << list.dump();
  EXPECT_EQ(list[0]["folder"], "s");
  EXPECT_EQ(server.get("studies/progress?folder=tests/s").first, 200) << "who names it has it";
}

// The list needs the last line alone: a log may be long, and what is wrong far above stays unread.
TEST(server_folders, TheListOfRunsReadsTheEndsOfLogs) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "run");
  std::ofstream(folder / "run/run.json")
      << R"({"format": "polymax-run-1", "game": "tictactoe", "net": "", "learn": "",
             "search": "descent", "budget": "evals=9", "seed": 3})";
  {
    std::ofstream log(folder / "run/log.jsonl");
    log << "no entry\n";
    for (int i = 1; i <= 1000; ++i)
      log << R"({"matches":)" << i << R"(,"steps":)" << 2 * i
          << R"(,"seconds":1,"wins":[0.5,0.5],"loss":0.125,"note":")" << std::string(100, 'x')
          << "\"}\n";
  }
  const RunningServer server(serving(folder));
  const auto [status, list] = server.get("runs");
  ASSERT_EQ(status, 200);
  ASSERT_EQ(list["runs"].size(), 1u);
  EXPECT_EQ(list["runs"][0]["matches"], 1000) << list["runs"][0].dump();
  EXPECT_EQ(list["runs"][0]["steps"], 2000);
  const auto [found, progress] = server.get("runs/progress?folder=run");
  EXPECT_EQ(found, 200);
  EXPECT_EQ(progress["steps"], 2000);
  EXPECT_EQ(server.get("runs/report?folder=run").first, 500) << "which reads all of it";
}

TEST(server_folders, TheReportOfARunCountsItsNetworks) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "run/history");
  std::ofstream(folder / "run/run.json")
      << R"({"format": "polymax-run-1", "game": "tictactoe", "net": "", "learn": "",
             "search": "descent", "budget": "evals=9", "seed": 3})";
  std::ofstream(folder / "run/log.jsonl")
      << R"({"matches":90,"steps":9,"seconds":1,"wins":[0.5,0.5],"loss":0.125})" << '\n';
  const auto save = [&](const std::string& file, std::uint64_t matches) {
    Net net = untrained_net({{2, 3, 3}, 2, 4, 1, 8}, "tictactoe", 1, 7);
    net.training.matches = matches;
    save_net(net, folder / file, NetPrecision::fp32);
  };
  save("run/net.safetensors", 90);
  for (const int matches : {10, 30, 90})  // the newest is no earlier one
    save("run/history/m" + std::to_string(matches) + ".safetensors",
         static_cast<std::uint64_t>(matches));
  const RunningServer server(serving(folder));
  auto asked = server.client();
  const auto page = asked.Get("/api/runs/report?folder=run");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200) << page->body;
  EXPECT_NE(page->body.find("<b>2</b><span>earlier networks kept</span>"), std::string::npos);
  EXPECT_NE(page->body.find("4 channels"), std::string::npos);
}

}  // namespace
}  // namespace polymax::server::folders_test
