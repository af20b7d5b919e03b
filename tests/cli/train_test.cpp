// polymax train as a user meets it: killed and resumed, stopped by signals, bad folders, a full
// disk.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/process.hpp"
#include "tests/long_tests.hpp"

namespace polymax::train_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string kSmall =
    " --device cpu --net channels=4,blocks=0 --budget evals=20 --checkpoint-every 0.05 --json";

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

std::string train(const std::string& folder, const std::string& more) {
  return "'" POLYMAX_BINARY "' train tictactoe --out '" + folder + "' " + more;
}

std::vector<json> diary(const std::string& run) {
  std::istringstream lines(file_text(run + "/log.jsonl"));
  std::vector<json> out;
  for (std::string line; std::getline(lines, line);) out.push_back(json::parse(line));
  return out;
}

void expect_refused(const Ran& ran, const std::string& message) {
  EXPECT_NE(ran.code, 0);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find(message), std::string::npos) << ran.err;
}

// Runs a command until a condition of the shell holds, however long that takes, and ends it by
// SIGTERM.
Ran ended_when(const std::string& condition, const std::string& command) {
  const TemporaryFolder folder;
  const std::string said = folder / "said";
  return run_shell("said='" + said + "'; " + command + " 2>$said & pid=$!; until { " + condition +
                   "; } 2>/dev/null || ! kill -0 $pid 2>/dev/null; do sleep 0.01; done; "
                   "kill -TERM $pid; wait $pid; code=$?; cat $said >&2; exit $code");
}

// Kills a run when it has learned from more matches than $known and kept them in a checkpoint,
// however long that takes; $after: how much later.
const std::string kKillOnce = R"sh(
matches() { tail -n 1 $run/log.jsonl 2>/dev/null | sed -n 's/.*"matches":\([0-9]*\).*/\1/p'; }
newest() { ls $run 2>/dev/null | grep 'checkpoint.*pmx$' | tail -n 1; }
eval "exec $learn" >/dev/null 2>&1 & pid=$!
until n=$(matches); [ ${n:-0} -gt $known ] || ! kill -0 $pid; do sleep 0.01; done
last=$(newest)
until [ "$(newest)" != "$last" ] || ! kill -0 $pid; do sleep 0.01; done
sleep $after; kill -9 $pid; wait $pid; [ $? = 137 ] && echo killed)sh";

TEST(train, KilledAtAnyMomentItEndsWithTheSameCounters) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const TemporaryFolder folder;
  const std::string run = folder / "run";
  const int kills = long_tests() ? 20 : kSanitized ? 2 : 4;
  std::uint64_t reached = 0;
  for (int i = 0; i < kills; ++i) {
    const std::string learn =
        train(run, "--matches 100000 --journal-every 0.05" + kSmall + (i == 0 ? "" : " --resume"));
    const Ran killed =
        run_shell("run='" + run + "'; known=" + std::to_string(reached) + "; after=0.0" +
                  std::to_string(i * 7 % 10) + "; learn=\"" + learn + "\"" + kKillOnce);
    ASSERT_EQ(killed.out, "killed\n") << killed.err;
    // what a checkpoint had is not lost: `--matches 1` learns nothing more where there is one
    const Ran now = run_shell(train(run, "--resume --device cpu --json --matches 1"));
    ASSERT_EQ(now.code, 0) << now.err;
    const auto matches = json::parse(now.out).at("matches").get<std::uint64_t>();
    EXPECT_GT(matches, reached) << "kill " << i;
    reached = matches;
  }
  for (const auto& entry : fs::directory_iterator(run))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
  // now to the end: the counters are those of the plan
  const Ran end = run_shell(
      train(run, "--resume --device cpu --json --matches " + std::to_string(reached + 40)));
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(json::parse(end.out).at("matches"), reached + 40);
  EXPECT_EQ(run_polymax("net check '" + run + "/net.safetensors'").code, 0);
  // the diary has no match twice
  std::uint64_t matches = 0;
  for (const auto& entry : diary(run)) {
    EXPECT_GE(entry.at("matches"), matches);
    matches = entry.at("matches");
  }
  EXPECT_EQ(matches, reached + 40);
  // a position is learned as often as in a run that nobody kills
  const std::string whole = folder / "whole";
  ASSERT_EQ(run_shell(train(whole, "--matches " + std::to_string(reached + 40) + kSmall)).code, 0);
  const auto uses = [](const json& last) {
    return last.at("learned").get<double>() / last.at("samples").get<double>();
  };
  EXPECT_NEAR(uses(diary(run).back()) / uses(diary(whole).back()), 1, 0.1);
}

// The command of a run that learns quadrothello(n=8) by matches of little thought.
std::string quick_lessons(const std::string& folder, const std::string& more) {
  return "'" POLYMAX_BINARY "' train 'quadrothello(n=8)' --out '" + folder +
         "' --device cpu --net channels=16,blocks=1 --budget evals=20 --search "
         "'descent(opening=2)' --learn schedule=constant,rate=1e-3 --checkpoint-every 0.2 "
         "--journal-every 0.1 --json " +
         more;
}

// Of 400 matches of one run's network alone against three of another's, those it wins.
int wins_alone(const std::string& one, const std::string& others) {
  const auto greedy = [](const std::string& run) {
    return "greedy(eval=network(file=\"" + run + "/net.safetensors\"))";
  };
  const Ran ran =
      run_polymax("match 'quadrothello(n=8)' --players '" + greedy(one) + ";" + greedy(others) +
                  "' --against --games 100 --opening 4 --seed 1 --json");
  EXPECT_EQ(ran.code, 0) << ran.err;
  return ran.code == 0 ? json::parse(ran.out).at("players")[0].at("wins").get<int>() : -1;
}

// Kills a run so many times, each time when it has learned from more matches than ever and kept
// them in a checkpoint; prints a line for every kill.
const std::string kKillAgain = R"sh(
matches() { tail -n 1 $run/log.jsonl 2>/dev/null | sed -n 's/.*"matches":\([0-9]*\).*/\1/p'; }
newest() { ls $run 2>/dev/null | grep 'checkpoint.*pmx$' | tail -n 1; }
for i in $(seq 1 $kills); do
  known=$(matches)
  eval "exec $learn $([ -e $run/run.json ] && echo --resume)" >/dev/null 2>&1 & pid=$!
  until n=$(matches); [ ${n:-0} -gt ${known:-0} ] || ! kill -0 $pid; do sleep 0.01; done
  last=$(newest)
  until [ "$(newest)" != "$last" ] || ! kill -0 $pid; do sleep 0.00$((i * 7 % 10)); done
  kill -9 $pid; wait $pid; [ $? = 137 ] && echo killed
done)sh";

// Killed again and again while it learns, it goes on from every checkpoint; in the long form it
// plays in the end as well as a run that nobody killed. Bounds: seven seeds of 150 matches won 171
// to 228 against the untrained network, which won 28 to 38, and 98 to 119 against the whole run.
TEST(train, KilledOftenItLearnsAsWell) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const TemporaryFolder folder;
  const int kills = long_tests() ? 30 : kSanitized ? 2 : 4;
  const std::string killed = folder / "killed", whole = folder / "whole",
                    untrained = folder / "untrained";
  const Ran ran = run_shell("run='" + killed + "' kills=" + std::to_string(kills) + " learn=\"" +
                            quick_lessons(killed, "--matches 100000") + "\"" + kKillAgain);
  EXPECT_EQ(std::ranges::count(ran.out, '\n'), kills)
      << "it was killed while it learned: " << ran.err;
  const Ran now = run_shell(quick_lessons(killed, "--resume --matches 1"));
  ASSERT_EQ(now.code, 0) << now.err;
  const int reached = json::parse(now.out).at("matches");
  EXPECT_GE(reached, kills) << "every checkpoint went on from the one before";
  if (!long_tests()) return;
  const std::string end = "--matches " + std::to_string(std::max(1000, 2 * reached));
  for (const std::string& command :
       {quick_lessons(killed, end + " --resume"), quick_lessons(whole, end),
        quick_lessons(untrained, "--matches 1 --seed 1")}) {
    const Ran done = run_shell(command);
    ASSERT_EQ(done.code, 0) << done.err;
  }
  EXPECT_GT(wins_alone(killed, untrained), 130);
  EXPECT_LT(wins_alone(untrained, killed), 70);
  EXPECT_GT(wins_alone(killed, whole), 75);
}

TEST(train, AFolderHasOneTrainer) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const TemporaryFolder folder;
  const std::string run = folder / "run";
  const Ran both =
      run_shell(train(run, "--journal-every 0.1" + kSmall) + " 2>/dev/null & pid=$!; until [ -s '" +
                run + "/log.jsonl' ] || ! kill -0 $pid; do sleep 0.01; done; " +
                train(run, "--resume --device cpu --matches 1") +
                "; echo second $?; kill -TERM $pid; wait $pid");
  EXPECT_NE(both.out.find("second 1\n"), std::string::npos) << both.out << both.err;
  EXPECT_NE(both.err.find("another process is learning there"), std::string::npos) << both.err;
  // what one that was killed left half written goes; a damaged checkpoint is told of
  write_text(run + "/checkpoint-000000000077.pmx.part", "half");
  write_text(run + "/checkpoint-000000999999.pmx", "damaged");
  const Ran after = run_shell(train(run, "--resume --device cpu --json --matches 1"));
  ASSERT_EQ(after.code, 0) << after.err;
  EXPECT_FALSE(fs::exists(run + "/checkpoint-000000000077.pmx.part"));
  EXPECT_TRUE(fs::exists(run + "/checkpoint-000000999999.pmx.bad"));
  EXPECT_NE(after.err.find("renamed to .bad"), std::string::npos) << after.err;
}

// One that was killed before its run was described left nothing that a new one must not take.
TEST(train, BeginsWhereAnotherDiedAtOnce) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const TemporaryFolder folder;
  const std::string run = folder / "run";
  fs::create_directories(run);
  write_text(run + "/lock", "");
  write_text(run + "/run.json.part", "{");
  const Ran ran = run_shell(train(run, "--matches 3" + kSmall));
  EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST(train, ResumeKeepsSettingsAndTheEnd) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const TemporaryFolder folder;
  const std::string run = folder / "run";
  const std::string options = "--matches 12 --keep-resolved 3 --learn memory=9" + kSmall;
  ASSERT_EQ(run_shell(train(run, options)).code, 0);
  const auto kept = [&] { return json::parse(file_text(run + "/run.json")); };
  EXPECT_EQ(kept().at("learn"), "memory=9,batch=250")
      << "the batch of the CPU, wherever it goes on";
  EXPECT_EQ(kept().at("keep_resolved"), 3);
  const Ran again = run_shell(train(run, "--resume --device cpu --json"));
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(json::parse(again.out).at("matches"), 12) << "it had its end already";
  ASSERT_EQ(
      run_shell(train(run, "--resume --device cpu --matches 15 --learn memory=8,batch=20")).code,
      0);
  EXPECT_EQ(kept().at("learn"), "memory=8,batch=20") << "what was said last is kept";
  EXPECT_EQ(kept().at("matches"), 15);
  EXPECT_EQ(kept().at("keep_resolved"), 3);
  ASSERT_EQ(
      run_shell(train(run, "--resume --device cpu --matches 16 --learn rate=1e-3,batch=30")).code,
      0);
  EXPECT_EQ(kept().at("learn"), "memory=8,batch=30,rate=1e-3")
      << "one setting does not reset the others";
  expect_refused(run_shell(train(run, "--resume --device cpu --matches 17 --learn memroy=3")),
                 "memroy");
}

TEST(train, ResumeKeepsTheWorkersFolder) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const TemporaryFolder folder;
  const std::string run = folder / "run", in = folder / "lessons";
  const std::string begins = "grep -q 'from the workers' $said";
  const Ran begun = ended_when(begins, train(run, "--in '" + in + "'" + kSmall));
  EXPECT_NE(begun.err.find("from the workers in " + in), std::string::npos) << begun.err;
  const Ran more = ended_when(begins, train(run, "--resume --device cpu"));
  EXPECT_NE(more.err.find("from the workers in " + in), std::string::npos) << more.err;
  const Ran here = run_shell(train(run, "--resume --device cpu --matches 3 --in ''"));
  EXPECT_EQ(here.code, 0) << here.err;
  EXPECT_NE(here.err.find("matches at once"), std::string::npos) << here.err;
}

TEST(train, ASignalWritesACheckpointFirst) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const TemporaryFolder folder;
  const std::string run = folder / "run";
  const std::string options =
      "--checkpoint-every 1000 --journal-every 0.05 --device cpu --net channels=4,blocks=0 "
      "--budget evals=20";
  const Ran ran = ended_when("grep -Eq '\"matches\":([2-9]|[1-9][0-9])' " + run + "/log.jsonl",
                             train(run, options));
  EXPECT_NE(ran.err.find("stopped by SIGTERM; --resume goes on"), std::string::npos) << ran.err;
  const Ran more = run_shell(train(run, "--resume --device cpu --json --matches 1"));
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_GT(json::parse(more.out).at("matches"), 1) << "all of the stopped run is there";
}

TEST(train, BeginsOnRandomMatches) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const TemporaryFolder folder;
  const std::string small = " --device cpu --net channels=4,blocks=0 --budget evals=20 --json";
  // a slow machine gets more time
  std::string run;
  json first;
  for (const std::string minutes : {"0.02", "0.2", "2"}) {
    run = folder / ("run" + minutes);
    const Ran warm = run_shell(train(
        run, "--journal-every 0.2 --learn warm_up=1,batch=50" + small + " --minutes " + minutes));
    ASSERT_EQ(warm.code, 0) << warm.err;
    first = json::parse(warm.out);
    EXPECT_EQ(first.at("matches"), 0);
    if (first.at("steps") == 0) continue;
    const auto line = warm.err.find("warm-up on random matches, loss ");
    ASSERT_NE(line, std::string::npos) << warm.err;
    const std::string said = warm.err.substr(line, warm.err.find('\n', line) - line);
    EXPECT_NE(said.find(", CPU "), std::string::npos) << "how busy the machine is: " << said;
    EXPECT_NE(said.find(" s left"), std::string::npos) << said;
    break;
  }
  ASSERT_GT(first.at("steps"), 0);
  // it is over when its part of the time is: matches follow
  json last;
  for (const std::string minutes : {"0.04", "0.4", "4"}) {
    const Ran more = run_shell(train(
        run, "--resume --device cpu --json --learn warm_up=0.5,batch=50 --minutes " + minutes));
    ASSERT_EQ(more.code, 0) << more.err;
    last = json::parse(more.out);
    if (last.at("matches") > 0) break;
  }
  EXPECT_GT(last.at("matches"), 0);
  EXPECT_GT(last.at("steps"), first.at("steps"));
}

// A batch system signals every process of a job, and the job's script hands its own signal on.
TEST(train, ASecondSignalLosesNothing) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const TemporaryFolder folder;
  const std::string run = folder / "run";
  const std::string options =
      "--journal-every 0.1 --device cpu --net channels=4,blocks=0 --budget evals=20";
  const Ran ran = run_shell(train(run, options) + " & pid=$!; until [ -s " + run +
                            "/log.jsonl ] || ! kill -0 $pid; do sleep 0.01; done; kill -TERM $pid; "
                            "kill -USR1 $pid; kill -TERM $pid; wait $pid; echo ended $?");
  EXPECT_NE(ran.out.find("ended 75\n"), std::string::npos) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("stopped by SIG"), std::string::npos) << ran.err;
  EXPECT_TRUE(fs::exists(run + "/compact.pmx")) << ran.err;
}

TEST(train, RefusesFoldersThatAreNotItsOwn) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const TemporaryFolder folder;
  const std::string run = folder / "run", foreign = folder / "foreign";
  ASSERT_EQ(run_shell(train(run, "--matches 3" + kSmall)).code, 0);
  expect_refused(run_shell(train(run, "--matches 3" + kSmall)),
                 "holds a run already; --resume goes on with it");
  fs::create_directories(foreign);
  write_text(foreign + "/letter.txt", "dear");
  expect_refused(run_shell(train(foreign, "--matches 3" + kSmall)), "is not an empty folder");
  expect_refused(run_shell(train(foreign, "--matches 3 --resume")), "there is no run to resume");
  EXPECT_EQ(file_text(foreign + "/letter.txt"), "dear");
  expect_refused(run_polymax("train 'hex(n=3)' --resume --out '" + run + "'"),
                 "is a run of tictactoe, not of hex(n=3)");
  write_text(run + "/run.json", "{");
  expect_refused(run_shell(train(run, "--resume")), "is not the description of a run");
  expect_refused(run_polymax("train tictactoe --matches 3"), "--out is required");
  expect_refused(run_shell(train(folder / "x", "--learn rate=7")), "rate");
  expect_refused(run_shell(train(folder / "x", "--search mcts --matches 1 --device cpu")),
                 "does not make learning data");
  expect_refused(run_shell(train("/proc/nothing/here", "--matches 1 --device cpu")),
                 "/proc/nothing/here");
}

TEST(train, TurnedBoards) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const TemporaryFolder folder;
  const std::string run = folder / "run", net = run + "/net.safetensors",
                    game = "'quadrothello(n=6)'";
  const std::string small = " --device cpu --budget evals=20 --json";
  const Ran first =
      run_polymax("train " + game + " --out '" + run + "' --matches 10 --net turned=on" + small);
  ASSERT_EQ(first.code, 0) << first.err;
  const Ran ran =
      run_polymax("train " + game + " --out '" + run + "' --matches 20 --resume" + small);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out).at("matches"), 20);
  const auto info = json::parse(run_polymax("net info --json '" + net + "'").out);
  EXPECT_EQ(info.at("turned"), true);
  EXPECT_EQ(info.at("channels"), 16) << "turned=on alone leaves the sizes of the CPU";
  EXPECT_EQ(run_polymax("net check '" + net + "'").code, 0);
  const Ran match = run_polymax("match " + game + " --players 'greedy(eval=network(file=\"" + net +
                                "\"));random' --against --games 1 --json");
  EXPECT_EQ(match.code, 0) << match.err;
  // without a word of it, boards are turned where that is possible
  const auto turned = [&](const std::string& name, const std::string& options) {
    const Ran made =
        run_polymax("train " + options + " --out '" + (folder / name) + "' --matches 1" + small);
    EXPECT_EQ(made.code, 0) << made.err;
    const Ran told = run_polymax("net info --json '" + (folder / name) + "/net.safetensors'");
    return json::parse(told.out).at("turned").get<bool>();
  };
  EXPECT_TRUE(turned("default", game));
  EXPECT_FALSE(turned("off", game + " --net turned=off"));
  EXPECT_FALSE(turned("impossible", "tictactoe"));
  expect_refused(run_shell(train(folder / "x", "--matches 1 --net turned=on" + small)),
                 "turned=on: 'tictactoe' has a seat that no symmetry of the game makes seat 1");
  EXPECT_FALSE(fs::exists(folder / "x"));
}

TEST(train, GoesOnAtAnotherSizeOfTheGame) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const TemporaryFolder folder;
  const auto run = [&](const std::string& game, const std::string& name, const std::string& more) {
    return run_polymax("train '" + game + "' --out '" + (folder / name) + "' " + more + kSmall);
  };
  ASSERT_EQ(run("hex3(side=2)", "small", "--matches 5").code, 0);
  for (const std::string file : {"compact.pmx", "net.safetensors"}) {
    const std::string from = "--from '" + (folder / "small") + "/" + file + "' ";
    const Ran large = run("hex3(side=3)", "large-" + file, from + "--matches 12");
    ASSERT_EQ(large.code, 0) << large.err;
    EXPECT_NE(large.err.find("begins with the weights of hex3(side=2)"), std::string::npos)
        << large.err;
    EXPECT_EQ(json::parse(large.out).at("matches"), 12);
    const auto info = json::parse(
        run_polymax("net info --json '" + (folder / ("large-" + file)) + "/net.safetensors'").out);
    EXPECT_EQ(info.at("game"), "hex3(side=3)");
    EXPECT_EQ(info.at("training.parent").get<std::string>().substr(0, 13), "hex3(side=2) ")
        << "and its hash";
    EXPECT_FALSE(info.at("training.commit").get<std::string>().empty());
    EXPECT_FALSE(fs::is_empty(folder / ("large-" + file) +
                              "/history"));  // a network of this size to compare with
    expect_refused(run("hex3(side=3,blocked=out)", "out", from + "--matches 8"),
                   "is of hex3(side=2)");
    expect_refused(run("threehex(side=2)", "other", from + "--matches 8"),
                   "is of hex3(side=2), not of threehex(side=2)");
  }
}

TEST(train, AFullDiskLeavesTheLastCheckpoint) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const TemporaryFolder folder;
  const std::string run = folder / "run";
  ASSERT_EQ(run_shell(train(run, "--matches 20" + kSmall)).code, 0);
  // files may not grow beyond 16 KiB: the next checkpoint does not fit
  const Ran full = run_shell("trap '' XFSZ; ulimit -f 16; " +
                             train(run, "--resume --device cpu --json --matches 60"));
  EXPECT_EQ(full.code, 1) << full.err;
  EXPECT_NE(full.err.find("polymax: cannot write '"), std::string::npos) << full.err;
  const Ran intact = run_shell(train(run, "--resume --device cpu --json --matches 1"));
  ASSERT_EQ(intact.code, 0) << intact.err;
  EXPECT_GE(json::parse(intact.out).at("matches"), 20) << "the checkpoint of before is there";
  const Ran more = run_shell(train(run, "--resume --device cpu --json --matches 60"));
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_EQ(json::parse(more.out).at("matches"), 60);
}

TEST(train, WhatCannotWorkLeavesNoFolder) {
  const TemporaryFolder folder;
  const std::string run = folder / "run";
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"--search nothing --device cpu", "nothing"},
      {"--search maxn --device cpu", "does not make learning data"},
      {"--search mcts --device cpu", "does not make learning data"},
      {"--search 'descent(decision=7)' --device cpu", "7"},
      {"--device tpu", "tpu"},
      {"--budget evals=x", "evals=x"},
      {"--net channels=0 --device cpu", "channels"},
      {"--learn batch=0 --device cpu", "batch"}};
  for (const auto& [options, message] : wrong) {
    expect_refused(run_shell(train(run, "--matches 1 " + options)), message);
    EXPECT_FALSE(fs::exists(run)) << options;
  }
  if (!has_torch()) return;
  EXPECT_EQ(run_shell(train(run, "--matches 1" + kSmall)).code, 0) << "the corrected command works";
  const Ran resumed = run_shell(train(run, "--resume --matches 2 --search nothing" + kSmall));
  expect_refused(resumed, "nothing");
  EXPECT_EQ(run_shell(train(run, "--resume --matches 2" + kSmall)).code, 0)
      << "the mistake was not kept";
}

TEST(train, TwoReportsAtOnceLoseNothing) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const TemporaryFolder folder;
  const std::string run = folder / "run";
  ASSERT_EQ(run_shell(train(run, "--matches 5" + kSmall)).code, 0);
  const std::string report =
      "'" POLYMAX_BINARY "' train report '" + run + "' --games 2 --budget evals=10";
  const Ran other = run_shell("exec 9>>'" + run + "/strength.jsonl'; flock 9; " + report +
                              " 9>&-; code=$?; exit $code");
  EXPECT_EQ(other.code, 1) << other.err;
  EXPECT_NE(other.err.find("is being written by another process"), std::string::npos) << other.err;
  ASSERT_EQ(run_shell("printf '{\"torn' >>'" + run + "/strength.jsonl'; " + report).code, 0);
  const std::string lines = file_text(run + "/strength.jsonl");
  EXPECT_GT(std::ranges::count(lines, '\n'), 0);
  EXPECT_EQ(lines.find("torn"), std::string::npos);
  ASSERT_EQ(run_shell(report).code, 0);
  EXPECT_EQ(file_text(run + "/strength.jsonl"), lines) << "all was known";
}

}  // namespace
}  // namespace polymax::train_test
