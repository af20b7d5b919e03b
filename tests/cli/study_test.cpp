// match, study and record as a user runs them: killed, stopped by signals, in shards, on a full
// disk; the records and reports are the same bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/process.hpp"
#include "tests/long_tests.hpp"

namespace polymax::study_test {
namespace {

// 3 players x 2 games x 3 seats x 16 pairs of functions; short searches where they are ten times
// slower
constexpr int kMatches = 288;
const std::string kStudy =
    R"json({"title": "test", "games": ["hex3(side=4)", "triinversion(side=4)"],
  "players": [{"name": "unbounded_maxn", "spec": "unbounded_maxn(eval=$f)"}, {"name": "brs", "spec": "brs(eval=$f)"},
              {"name": "mcts", "spec": "mcts"}],
  "benchmark": "maxn(eval=$f)", "networks": {"evaluator": "playouts(n=2,seed=$i)"},
  "budget": "evals=)json" +
    std::to_string(repetitions(100)) + R"json(", "functions": 4, "seed": 11})json";

// The same a hundred times over: it is not at its end whenever it is disturbed.
const std::string kEndless =
    std::string(kStudy).replace(kStudy.find("\"seed\""), 6, "\"repetitions\": 100, \"seed\"");

// What a command prints that must end well.
std::string out_of(const std::string& arguments) {
  const Ran ran = run_polymax(arguments);
  EXPECT_EQ(ran.code, 0) << arguments << "\n" << ran.err;
  return ran.code == 0 ? ran.out : "null";
}

struct StudyFolder {
  TemporaryFolder folder;
  std::string path;

  explicit StudyFolder(const std::string& text = kStudy) : path(folder / "s") {
    std::filesystem::create_directory(path);
    std::ofstream(path + "/study.json") << text;
  }

  std::string records() const { return out_of("study records " + path); }

  // All files of the report, one after the other.
  std::string report() const {
    const Ran ran = run_polymax("study report " + path);
    EXPECT_EQ(ran.code, 0) << ran.err;
    std::string out = ran.out;
    for (const char* end : {"md", "tex", "csv", "json", "html"}) {
      const std::string text = file_text(path + "/report/report." + end);
      EXPECT_GT(text.size(), 200u) << end;
      out += text;
    }
    return out;
  }
};

struct Reference {
  std::string records, report;
};

// One process, never disturbed.
const Reference& reference() {
  static const Reference out = [] {
    const StudyFolder study;
    const Ran ran = run_polymax("study run " + study.path + " --threads 1");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err.find("0 of 288 matches, 4 functions a game"), 0u) << "it speaks at once\n"
                                                                        << ran.err;
    EXPECT_NE(ran.out.find("unbounded_maxn"), std::string::npos)
        << "a complete study prints its table";
    return Reference{study.records(), study.report()};
  }();
  return out;
}

TEST(study, ThreadsAndShardsGiveTheSameRecordsAndReport) {
  EXPECT_EQ(std::ranges::count(reference().records, '\n'), kMatches);
  for (const int shards : {1, 2, 8}) {
    const StudyFolder study;
    std::string command = "pids=; ";
    for (int i = 0; i < shards; ++i)
      command += "'" POLYMAX_BINARY "' study run " + study.path + " --threads " +
                 (shards == 1 ? "3" : "1") + " --shard " + std::to_string(i) + "/" +
                 std::to_string(shards) + " & pids=\"$pids $!\"; ";
    const Ran ran = run_shell(command + "for pid in $pids; do wait $pid || exit 1; done");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(study.records(), reference().records) << shards;
    EXPECT_EQ(study.report(), reference().report) << shards;
  }
}

// The same with networks, whose values one instruction set computes; another is refused.
TEST(study, WithNetworksTooThreadsAndShardsGiveTheSameBytes) {
  const std::string nets = std::filesystem::absolute("tests/golden/canary/");
  const auto text = [&](const std::string& isa) {
    return R"json({"title": "networks", "games": ["fish", "tictactoe"],
      "players": [{"name": "u", "spec": "unbounded_maxn(eval=$f)"}, {"name": "m", "spec": "mcts(eval=$f)"}],
      "benchmark": "maxn(eval=$f)", "networks": {"by_game": {
        "fish": {"files": [")json" +
           nets + R"json(fish.safetensors"], "settings": "isa=)json" + isa + R"json("},
        "tictactoe": {"files": [")json" +
           nets + R"json(tictactoe.safetensors"], "settings": "isa=)json" + isa + R"json("}}},
      "budget": "evals=)json" +
           std::to_string(repetitions(30)) +
           R"json(", "functions": 1, "opening": 2, "repetitions": 2, "seed": 5})json";
  };
  const StudyFolder one(text("plain"));
  ASSERT_EQ(run_polymax("study run " + one.path + " --threads 1").code, 0);
  EXPECT_EQ(std::ranges::count(one.records(), '\n'), 20);
  const StudyFolder many(text("plain"));
  EXPECT_EQ(run_shell("pids=; for i in 0 1 2; do '" POLYMAX_BINARY "' study run " + many.path +
                      " --threads 2 --shard $i/3 & pids=\"$pids $!\"; done; "
                      "for pid in $pids; do wait $pid || exit 1; done")
                .code,
            0);
  EXPECT_EQ(many.records(), one.records());
  EXPECT_EQ(many.report(), one.report());
  const auto report = nlohmann::json::parse(file_text(one.path + "/report/report.json"));
  EXPECT_EQ(report.at("computed_by"), "cpu plain");
  EXPECT_NE(report.at("games")[0].at("evaluators")[0].at("name").get<std::string>().find("fish"),
            std::string::npos);
  std::ofstream(one.path + "/study.json") << text("auto");
  const Ran other = run_polymax("study run " + one.path);
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("isa="), std::string::npos) << other.err;
}

TEST(net, BoundsAreTheValuesInMatchesPlayedWithIt) {
  const TemporaryFolder folder;
  const std::string file = folder / "x.safetensors";
  std::filesystem::copy("tests/golden/canary/tictactoe.safetensors", file);
  const auto bounds = [&](const std::string& more) {
    const Ran ran = run_polymax("net bounds " + file + " --json --games 6 " + more);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return nlohmann::json::parse(ran.out);
  };
  const std::string before = file_text(file);
  const auto first = bounds("--threads 1");
  EXPECT_EQ(file_text(file), before) << "nothing is written unless asked";
  EXPECT_EQ(first.at("file_lo"), -1);
  EXPECT_LT(first.at("lo").get<double>(), first.at("hi").get<double>());
  EXPECT_GT(first.at("positions"), 6);
  // Each process chooses the instruction set that is fastest there: bf16 or not.
  const auto near = [](const nlohmann::json& a, const nlohmann::json& b) {
    EXPECT_NEAR(a.get<double>(), b.get<double>(), 0.01 * std::abs(b.get<double>()));
  };
  const auto plain = bounds("--settings isa=plain");
  near(plain.at("lo"), first.at("lo"));
  near(plain.at("hi"), first.at("hi"));
  const auto second = bounds("--threads 2 --write");
  near(second.at("lo"), first.at("lo"));
  near(second.at("hi"), first.at("hi"));
  const auto kept = bounds("");
  EXPECT_EQ(kept.at("file_lo").get<float>(), second.at("lo").get<float>());
  EXPECT_EQ(kept.at("file_hi").get<float>(), second.at("hi").get<float>());
  near(kept.at("lo"), first.at("lo"));  // the weights are the same
  EXPECT_EQ(run_polymax("net check " + file).code, 0);
}

// Shell words that start a run in the background and wait until its file holds `lines` lines.
std::string started(const StudyFolder& study, const std::string& lines) {
  const std::string shard = study.path + "/shards/0-of-1.jsonl";
  return "'" POLYMAX_BINARY "' study run " + study.path +
         " --json --threads 2 & pid=$!; until [ $(cat " + shard + " 2>/dev/null | wc -l) -ge " +
         lines + " ] || ! kill -0 $pid 2>/dev/null; do sleep 0.002; done; ";
}

TEST(study, KillingItLosesNothing) {
  const StudyFolder study;
  const int kills = long_tests() ? 100 : kSanitized ? 5 : 20;
  const Ran ran = run_shell(
      "for i in $(seq 1 " + std::to_string(kills) + "); do " + started(study, "$((i * 2))") +
      "sleep 0.00$((i * 7 % 10)); kill -9 $pid; wait $pid; [ $? = 137 ] && echo killed; done");
  EXPECT_GE(std::ranges::count(ran.out, '\n'), 1) << "it was killed while it played: " << ran.err;
  const Ran last = run_polymax("study run " + study.path + " --json --threads 2");
  ASSERT_EQ(last.code, 0) << last.err;
  const auto end = nlohmann::json::parse(last.out);
  EXPECT_EQ(end.at("study_done"), kMatches);
  EXPECT_LE(end.at("played"), kMatches - kills) << "what the killed ones played was kept";
  EXPECT_EQ(study.records(), reference().records);
  EXPECT_EQ(study.report(), reference().report);
  const Ran merged = run_polymax("study merge " + study.path + " --json");
  if (merged.err.find("built without SQLite") != std::string::npos) return;
  ASSERT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(nlohmann::json::parse(merged.out).at("added"), 0) << "the report has merged";
  EXPECT_EQ(nlohmann::json::parse(merged.out).at("matches"), kMatches);
}

TEST(study, SignalsEndItCleanlyAndItGoesOn) {
  const StudyFolder study(kEndless);
  int done = 0;
  for (const std::string signal : {"TERM", "USR1", "INT"}) {
    // twice: timeout(1) signals its child, and then its group
    const Ran ran = run_shell(started(study, std::to_string(done + 3)) + "kill -" + signal +
                              " $pid $pid; wait $pid");
    EXPECT_EQ(ran.code, 75) << ran.err;
    EXPECT_NE(ran.err.find("polymax: SIG" + signal), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("the same command goes on with them"), std::string::npos) << ran.err;
    const auto status = nlohmann::json::parse(out_of("study status " + study.path + " --json"));
    EXPECT_GE(status.at("done"), done + 2) << "it goes on with what it had";
    EXPECT_LT(status.at("done"), 100 * kMatches);
    EXPECT_EQ(nlohmann::json::parse(ran.out).at("study_done"), status.at("done"));
    done = status.at("done");
  }
}

TEST(study, AFullDiskIsSaidAndLosesNothing) {
  const StudyFolder study;
  const Ran full =
      run_shell("trap '' XFSZ; ulimit -f 100; '" POLYMAX_BINARY "' study run " + study.path);
  EXPECT_EQ(full.code, 1) << full.err;
  EXPECT_NE(full.err.find("cannot write '" + study.path +
                          "/shards/0-of-1.jsonl': File too large; all matches before "
                          "are safe"),
            std::string::npos)
      << full.err;
  const auto status =
      nlohmann::json::parse(run_polymax("study status " + study.path + " --json").out);
  EXPECT_GT(status.at("done"), 5);
  EXPECT_EQ(run_polymax("study run " + study.path).code, 0);
  EXPECT_EQ(study.records(), reference().records);
}

TEST(study, TwoProcessesOnOneShardAreRefused) {
  const StudyFolder study(kEndless);
  const Ran ran = run_shell(started(study, "1") + "'" POLYMAX_BINARY "' study run " + study.path +
                            "; echo refused $?; kill $pid; wait $pid");
  EXPECT_NE(ran.err.find("is being written by another process"), std::string::npos) << ran.err;
  EXPECT_NE(ran.out.find("refused 1\n"), std::string::npos) << ran.out;
}

TEST(study, BadInputIsOneLine) {
  const StudyFolder broken(R"json({"games": ["hex3"],
    "players": 3})json");
  for (const char* command : {"run", "status", "merge", "report", "records"}) {
    const Ran ran = run_polymax("study " + std::string(command) + " " + broken.path);
    EXPECT_EQ(ran.code, 2) << command;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
    EXPECT_NE(ran.err.find("study.json' line 2, key 'players': a list"), std::string::npos)
        << ran.err;
  }
  const StudyFolder study;
  for (const char* arguments : {" --shard 2/2", " --shard x", " --threads 0", " --nothing"})
    EXPECT_EQ(run_polymax("study run " + study.path + arguments).code, 2) << arguments;
  EXPECT_EQ(run_polymax("study run /no/such/folder").code, 2);
  EXPECT_EQ(run_polymax("study report " + study.path).code, 2) << "nothing was played";
  EXPECT_FALSE(std::filesystem::exists(study.path + "/report"));
  EXPECT_EQ(run_polymax("study records " + study.path + " --match 3").code, 2);
}

TEST(study, StatusSaysHowFarItIs) {
  const StudyFolder study;
  EXPECT_EQ(run_polymax("study run " + study.path + " --shard 1/4").code, 0);
  const Ran text = run_polymax("study status " + study.path);
  EXPECT_NE(text.out.find("72 of 288 matches (25.0 %), 4 functions a game, 1 shard file\n"),
            std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find(" left"), std::string::npos) << text.out;
  const auto json =
      nlohmann::json::parse(run_polymax("study status " + study.path + " --json").out);
  EXPECT_EQ(json.at("done"), 72);
  EXPECT_EQ(json.at("players").at(0).at("player"), "unbounded_maxn");
  EXPECT_EQ(json.at("players").at(0).at("results"), 24);
}

TEST(match, PrintsTableOrJsonAndKeepsRecords) {
  const TemporaryFolder folder;
  const std::string base =
      "match 'hex3(side=3)' --players 'unbounded_maxn;random' --against --games 4 --budget "
      "evals=50";
  const Ran text = run_polymax(base);
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("12 of 12 matches"), std::string::npos) << text.out;
  const auto result =
      nlohmann::json::parse(out_of(base + " --json --threads 3 --records " + (folder / "x.jsonl")));
  EXPECT_EQ(result.at("players").at(0).at("results"), 12);
  EXPECT_EQ(result.at("players").at(1).at("results"), 24);
  EXPECT_EQ(result.at("players").at(0).at("blocks"), 4);
  EXPECT_EQ(run_polymax("record replay " + (folder / "x.jsonl")).code, 0);
  EXPECT_EQ(run_polymax(base + " --records " + (folder / "x.jsonl")).code, 2)
      << "records are not written over";
}

TEST(match, TwoIntoOneFileOfRecordsAreRefused) {
  const TemporaryFolder folder;
  const std::string records = folder / "x.jsonl";
  const std::string base = "'" POLYMAX_BINARY
                           "' match 'hex3(side=3)' --players 'random;random;random' --games 4 "
                           "--records " +
                           records;
  const Ran other =
      run_shell("exec 9>>" + records + "; flock 9; " + base + " 9>&-; code=$?; exit $code");
  EXPECT_EQ(other.code, 1) << other.err;
  EXPECT_NE(other.err.find("is being written by another process"), std::string::npos) << other.err;
  EXPECT_EQ(run_shell(base).code, 0);
  EXPECT_EQ(std::ranges::count(file_text(records), '\n'), 4);
}

TEST(match, MoreBudgetWinsAndTheTestSeesIt) {
  const auto result = nlohmann::json::parse(
      out_of("match 'hex(n=4)' --players 'mcts;mcts' --budgets 'evals=1000;evals=10' --rotate "
             "--games 200 --sprt 0,0.2 --json"));
  EXPECT_EQ(result.at("sprt").at("state"), "accepted");
  EXPECT_LT(result.at("played"), 400) << "it ends early";
  EXPECT_GT(result.at("players").at(0).at("score"), 0.3);
  EXPECT_GT(result.at("players").at(0).at("elo").at("rating"),
            result.at("players").at(1).at("elo").at("rating"));
}

TEST(match, TheTableTellsEqualPlayersApartByTheirBudgets) {
  const std::string base = "match 'hex3(side=2)' --games 2 --players ";
  const std::string out = out_of(base + "'mcts;mcts;random' --budgets 'evals=20;evals=10;evals=5'");
  EXPECT_NE(out.find("\nmcts(eval=playouts), evals=20 "), std::string::npos) << out;
  EXPECT_NE(out.find("\nmcts(eval=playouts), evals=10 "), std::string::npos) << out;
  EXPECT_NE(out.find("\nrandom "), std::string::npos) << out;
  EXPECT_NE(out_of(base + "'mcts;mcts;mcts' --budget evals=5").find("\nmcts(eval=playouts)  "),
            std::string::npos);
}

TEST(match, BadInputIsOneLine) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"match hex3 --players 'random;random'", "has 3 seats, 2 players are given"},
      {"match hex3 --players 'random'", "1 player is given"},
      {"match hex3 --players 'random;random;random' --against", "needs two players"},
      {"match nohex --players 'random;random'", "no game 'nohex'"},
      {"match hex --players 'random;randm'", "randm"},
      {"match hex --players 'random;random' --budgets 'evals=1;evals=2;evals=3'",
       "3 budgets for 2 players"},
      {"match hex --players 'random;random' --budgets 'evals=1;x'", "x"},
      {"match hex --players 'random;random' --sprt 0,1", "--rotate or --against"},
      {"match hex --players 'random;random' --rotate --sprt 0", "not 1 numbers"},
      {"match hex --players 'random;random' --rotate --sprt 0,a",
       "--sprt takes a number from -1 to 1"},
      {"match hex --players 'random;random' --games 0", "--games"},
      {"match hex --players 'random;random' --threads 4000 --budget seconds=1",
       "a core for each match"},
  };
  for (const auto& [arguments, message] : wrong) {
    const Ran ran = run_polymax(arguments);
    EXPECT_EQ(ran.code, 2) << arguments << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
    EXPECT_NE(ran.err.find(message), std::string::npos) << ran.err;
  }
}

TEST(record, ShowTellsWhoForfeited) {
  const TemporaryFolder folder;
  std::ofstream(folder / "x.jsonl")
      << R"json({"game":"tictactoe","seed":0,"players":["random","random"],"moves":["b2"],)json"
      << R"json("seats":"1","forfeit":{"seat":2,"reason":"it crashed"},"score":[1,-1],)json"
      << R"json("gain":[1,-1],"points":[1,-1]})json";
  const Ran show = run_polymax("record show " + (folder / "x.jsonl"));
  EXPECT_EQ(show.code, 0) << show.err;
  EXPECT_NE(show.out.find("forfeited by seat 2: it crashed\n"), std::string::npos) << show.out;
}

TEST(record, ShowReplayConvert) {
  const TemporaryFolder folder;
  const std::string sgf = folder / "x.sgf", json = folder / "x.jsonl", back = folder / "y.sgf";
  ASSERT_EQ(
      run_polymax("match fish --players 'greedy;random;random' --games 2 --opening 1 --records " +
                  sgf)
          .code,
      0);
  EXPECT_EQ(run_polymax("record convert " + sgf + " " + json).code, 0);
  EXPECT_EQ(run_polymax("record convert " + json + " " + back).code, 0);
  EXPECT_EQ(file_text(back), file_text(sgf));
  EXPECT_NE(run_polymax("record replay " + json).out.find("2 matches, "), std::string::npos);
  const Ran show = run_polymax("record show " + sgf + " --number 2 --move 5");
  EXPECT_EQ(show.code, 0) << show.err;
  EXPECT_NE(show.out.find("seat 1  greedy"), std::string::npos) << show.out;
  EXPECT_NE(show.out.find("   5  seat 2"), std::string::npos) << show.out;
  EXPECT_EQ(nlohmann::json::parse(run_polymax("record show " + sgf + " --json").out).at("game"),
            "fish");
  EXPECT_EQ(run_polymax("record show " + sgf + " --number 3").code, 2);
  EXPECT_EQ(run_polymax("record convert " + sgf + " " + json).code, 2) << "it exists";
  EXPECT_EQ(run_polymax("record show " + (folder / "none")).code, 2) << "it was named";
}

TEST(study, HelpHasAnExample) {
  for (const char* command :
       {"match", "study", "study run", "study status", "study merge", "study report",
        "study records", "record", "record show", "record replay", "record convert"}) {
    const Ran ran = run_polymax(std::string(command) + " --help");
    EXPECT_EQ(ran.code, 0) << command;
    EXPECT_NE(ran.out.find("Example: polymax"), std::string::npos) << command;
  }
}

}  // namespace
}  // namespace polymax::study_test
