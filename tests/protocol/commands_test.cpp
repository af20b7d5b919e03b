// The commands of this room as a user gives them.
#include <gtest/gtest.h>
#include <sys/types.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/file.hpp"
#include "tests/cli/process.hpp"
#include "tests/protocol/processes.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::commands_test {
namespace {

using Json = nlohmann::json;

TEST(commands, AMatchWithOneSeatOutside) {
  for (const char* protocol : {"ugi", "gtp"}) {
    const std::string gtp = std::string(protocol) == "gtp" ? " --gtp" : "";
    const Ran ran = run_polymax(
        "match 'threehex(side=3)' --players 'mcts;mcts;engine(cmd=\"true; " POLYMAX_BINARY
        " engine \\\"$POLYMAX_GAME\\\" --player mcts" +
        gtp + "\",protocol=" + protocol + ")' --games 1 --rotate --budget evals=20 --json");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto json = Json::parse(ran.out);
    EXPECT_EQ(json.at("played"), 3);
    EXPECT_EQ(json.at("forfeits"), 0) << ran.out;
    EXPECT_GT(json.at("players").at(2).at("moves"), 0);
  }
}

TEST(commands, AFaultIsInTheRecordAndTheTable) {
  const TemporaryFolder folder;
  const Ran ran = run_polymax("match tictactoe --players 'random;engine(cmd=\"" FAKE_ENGINE
                              " illegal\")' --games 2 --budget evals=5 --records '" +
                              (folder / "games.jsonl") + "'");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("2 forfeited (match 0: seat 2: illegal move"), std::string::npos)
      << ran.out;
  const Ran shown = run_polymax("record replay '" + (folder / "games.jsonl") + "'");
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(read_file(folder / "games.jsonl").find(R"("forfeit":{"seat":2,"reason":"illegal move)"),
            std::string::npos);
}

TEST(commands, AFaultEndsAGameInTheTerminal) {
  const Ran ran =
      run_polymax("play tictactoe --players 'random;engine(cmd=\"" FAKE_ENGINE " crash\")' --json");
  EXPECT_EQ(ran.code, 0) << ran.err;
  const auto json = Json::parse(ran.out);
  EXPECT_EQ(json.at("forfeit").at("seat"), 2);
  EXPECT_EQ(json.at("gain"), Json({1, -1}));
}

// Every match of the program ends by its crash; the study goes on, the records say why.
TEST(commands, AStudyWithAProgramThatCrashes) {
  const TemporaryFolder folder;
  const std::string engine = "engine(cmd=\\\"" FAKE_ENGINE " crash\\\")";
  write_file(folder / "study.json", R"({"title": "outside", "games": ["tictactoe"], "players": [
    {"name": "outside", "spec": ")" + engine +
                                        R"("}, {"name": "greedy", "spec": "greedy"}],
    "benchmark": {"name": "random", "spec": "random"}, "networks": {"evaluator": "estimate"},
    "functions": 1, "opening": 1, "budget": "evals=5", "repetitions": 2, "seed": 1})");
  const Ran ran = run_polymax("study run '" + (folder / "") + "' --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto json = Json::parse(ran.out);
  EXPECT_EQ(json.at("done"), json.at("study_planned"));
  EXPECT_EQ(json.at("failed"), 0);
  EXPECT_EQ(json.at("forfeits"), json.at("done").get<int>() / 2);
  EXPECT_NE(ran.err.find("forfeited, which counts as lost; the first: match "), std::string::npos)
      << ran.err;
  EXPECT_NE(read_file(folder / "shards/0-of-1.jsonl").find("signal 6"), std::string::npos);
}

// The engine hangs and does not care for the end of its input, nor does one that it has started.
TEST(commands, AnEngineDoesNotOutliveAKilledProgram) {
  const TemporaryFolder folder;
  const std::string engine = folder / "engine", script = folder / "script";
  std::filesystem::copy_file(FAKE_ENGINE, engine);
  write_file(script, "'" + engine + "' stays & exec '" + engine + "' hang\n");
  const Ran started =
      run_shell("'" POLYMAX_BINARY "' match tictactoe --players 'random;engine(cmd=\"sh " + script +
                "\")' --budget evals=5 --threads 1 & echo $!");
  ASSERT_EQ(started.code, 0) << started.err;
  EXPECT_TRUE(soon_running_with(engine, 2));
  ::kill(static_cast<pid_t>(std::stol(started.out)), SIGKILL);
  EXPECT_TRUE(soon_running_with(engine, 0));
}

TEST(commands, AProgramThatIsNotThereIsRefusedBeforeTheMatches) {
  const Ran ran = run_polymax("match tictactoe --players 'random;engine(cmd=/no/such)' --games 2");
  EXPECT_NE(ran.code, 0);
  EXPECT_NE(ran.err.find("/no/such: not found"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.out, "");
}

TEST(commands, AnalyzeAnswersLines) {
  const Ran ran =
      run_polymax("analyze --game 'hex(n=4)' --player mcts --budget evals=30 --threads 2",
                  "{\"id\":1}\n{\"id\":2,\"moves\":[\"a1\"]}\nnonsense\n");
  ASSERT_EQ(ran.code, 0) << ran.err;
  int answers = 0, errors = 0;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) {
    const auto json = Json::parse(line);
    errors += json.contains("error");
    answers += json.contains("best");
  }
  EXPECT_EQ(answers, 2);
  EXPECT_EQ(errors, 1);
  EXPECT_EQ(run_polymax("analyze --game chess", "").code, 2);
  EXPECT_EQ(run_polymax("analyze --budget everything", "").code, 2);
}

TEST(commands, AnalyzeLooksAtARecord) {
  const TemporaryFolder folder;
  const std::string file = folder / "game.jsonl", picture = folder / "curve.svg";
  ASSERT_EQ(run_polymax("play 'hex(n=3)' --players random --seed 3 --save '" + file + "'").code, 0);
  const Ran text = run_polymax("analyze --record '" + file + "' --player mcts --budget evals=50 " +
                               "--svg '" + picture + "'");
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("hex(n=3), seen by mcts"), std::string::npos) << text.out;
  const std::string svg = read_file(picture);
  EXPECT_TRUE(svg.starts_with("<svg xmlns=")) << svg.substr(0, 100);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  const Ran json =
      run_polymax("analyze --record '" + file + "' --player mcts --budget evals=50 --json");
  EXPECT_EQ(Json::parse(json.out).at("over"), true);
  EXPECT_EQ(run_polymax("analyze --record '" + file + "' --number 2").code, 2);
}

TEST(commands, CheckEngineSaysWhatFailed) {
  const Ran good = run_polymax("check-engine '" POLYMAX_BINARY
                               " engine tictactoe --player maxn --budget depth=2'");
  EXPECT_EQ(good.code, 0) << good.out;
  const Ran bad = run_polymax("check-engine '" FAKE_ENGINE " exit' --start 2 --json");
  EXPECT_EQ(bad.code, 1);
  EXPECT_NE(bad.out.find(R"("passed":false)"), std::string::npos) << bad.out;
  const Ran mute = run_polymax("check-engine cat --start 0.1");
  EXPECT_EQ(mute.code, 1);
  EXPECT_EQ(mute.err.find("waits for the program: ugi\n"), 0u) << mute.err;
}

TEST(commands, PentobisFilesBothWays) {
  const TemporaryFolder folder;
  const auto in = [&](const char* name) { return "'" + (folder / name) + "'"; };
  ASSERT_EQ(run_polymax("play blokus --players random --seed 0 --save " + in("a.jsonl")).code, 0);
  ASSERT_EQ(run_polymax("record convert " + in("a.jsonl") + " " + in("b.blksgf")).code, 0);
  ASSERT_EQ(run_polymax("record convert " + in("b.blksgf") + " " + in("c.jsonl")).code, 0);
  const auto without_budgets = [&](const char* name) {  // which Pentobi's files do not hold
    Json record = Json::parse(read_file(folder / name));
    record.erase("budgets");
    return record.dump();
  };
  EXPECT_EQ(without_budgets("a.jsonl"), without_budgets("c.jsonl"));
  EXPECT_TRUE(read_file(folder / "b.blksgf").starts_with("(;GM[Blokus]"));
}

}  // namespace
}  // namespace polymax::commands_test
