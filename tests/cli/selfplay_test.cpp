// A trainer and workers that meet in a folder, as a user runs them: one worker is killed, one comes
// late, the trainer is stopped and goes on.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/cli/process.hpp"

namespace polymax::selfplay_test {
namespace {

namespace fs = std::filesystem;

struct Cluster {
  TemporaryFolder folder;
  std::string in = folder / "x", run = in + "/run";

  std::string train(const std::string& more) const {
    return "'" POLYMAX_BINARY "' train tictactoe --in " + in + " --out " + run +
           " --device cpu --json " + more;
  }
  std::string new_run() const {
    return "--net channels=4,blocks=0 --budget evals=20 --journal-every 0.2";
  }
  std::string worker(const std::string& which, const std::string& more = "") const {
    return "'" POLYMAX_BINARY "' selfplay tictactoe --worker " + which + " --net-from " + run +
           " --out " + in + " --device cpu --parallel 1 --json " + more;
  }
  std::string first_err() const { return folder / "first.err"; }
  // Shell words that wait until a command succeeds or a process is gone.
  static std::string until(const std::string& command, const std::string& process) {
    return "until " + command + " >/dev/null 2>&1 || ! kill -0 " + process +
           " 2>/dev/null; do sleep 0.01; done; ";
  }
};

TEST(selfplay, OneWorkerIsKilledAndOneComesLate) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const Cluster c;
  const std::string err = c.folder / "trainer.err";
  // The first worker writes few lessons and waits: the second is needed.
  const Ran ran = run_shell(
      c.worker("0/2", "--unread 8") + " 2>" + c.first_err() + " & first=$!; " +
      c.until("grep -q 'waits for " + c.run + "/net.safetensors' " + c.first_err(), "$first") +
      c.train(c.new_run() + " --matches 60") + " 2>" + err + " & trainer=$!; " +
      c.until("ls " + c.in + "/lessons/0-of-2/*.lesson", "$first") +
      "kill -9 $first; wait $first; echo killed $?; " + c.worker("1/2") +
      " & second=$!; wait $trainer; echo trainer $?; wait $second; echo second $?");
  EXPECT_NE(ran.out.find("killed 137\n"), std::string::npos) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("trainer 0\n"), std::string::npos) << ran.out << ran.err << file_text(err);
  EXPECT_NE(ran.out.find("second 0\n"), std::string::npos) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("\"matches\":60,"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\"end\":\"over\""), std::string::npos)
      << "the trainer tells that it has all: " << ran.out;
  EXPECT_NE(file_text(c.first_err()).find("waits for "), std::string::npos)
      << file_text(c.first_err());
  const std::string trainer = file_text(err);
  EXPECT_NE(trainer.find("lessons waiting, "), std::string::npos) << trainer;
  EXPECT_EQ(run_polymax("net check " + c.run + "/net.safetensors").code, 0);
  EXPECT_TRUE(fs::exists(c.in + "/over"));
  const auto late = nlohmann::json::parse(file_text(c.in + "/lessons/1-of-2/worker.json"));
  EXPECT_GT(late.at("lessons"), 0);
  EXPECT_FALSE(late.at("alive"));
}

TEST(selfplay, TheTrainerIsStoppedAndGoesOnAndAWorkerEndsWithItsSignal) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const Cluster c;
  const Ran first = run_shell(
      c.train(c.new_run()) + " & trainer=$!; " + c.worker("0/1") + " & worker=$!; " +
      c.until("ls " + c.in + "/lessons/0-of-1/*.lesson", "$worker") +
      "sleep 0.3; kill -USR1 $trainer $worker; wait $trainer; echo trainer $?; wait $worker; "
      "echo worker $?");
  EXPECT_NE(first.out.find("trainer 75\n"), std::string::npos) << first.out << first.err;
  EXPECT_NE(first.out.find("worker 75\n"), std::string::npos) << first.out << first.err;
  EXPECT_FALSE(fs::exists(c.in + "/over")) << "it goes on";
  // 150 matches more than it has: the files that lie there are not enough, the worker is needed
  // again
  const auto line = first.out.find("{\"game\"");
  ASSERT_NE(line, std::string::npos) << first.out;
  const auto end = nlohmann::json::parse(first.out.substr(line, first.out.find('\n', line) - line));
  const auto goal = std::to_string(end.at("matches").get<int>() + 150);
  const Ran second =
      run_shell(c.train("--resume --matches " + goal) + " & trainer=$!; " + c.worker("0/1") +
                " & worker=$!; wait $trainer; echo trainer $?; wait $worker; echo worker $?");
  EXPECT_NE(second.out.find("trainer 0\n"), std::string::npos) << second.out << second.err;
  EXPECT_NE(second.out.find("\"matches\":" + goal + ","), std::string::npos) << second.out;
  EXPECT_NE(second.out.find("worker 0\n"), std::string::npos) << second.out << second.err;
  EXPECT_NE(second.err.find("worker 0/1, start 2,"), std::string::npos) << second.err;
}

// The tasks of train.sbatch without a Slurm: scontrol is a script that notes what it was asked and
// ends the task.
TEST(selfplay, TheSlurmArrayTrainsAndQueuesItselfAgain) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const Cluster c;
  const std::string queued = c.folder / "queued";
  std::ofstream(c.folder / "scontrol")
      << "#!/bin/sh\necho \"$@\" >>" << queued << "\nkill -9 $PPID\n";
  fs::permissions(c.folder / "scontrol", fs::perms::owner_all);
  std::string options = c.new_run();  // of the trainer
  const auto task = [&](const std::string& number) {
    return "SLURM_ARRAY_TASK_ID=" + number + " bash studies/slurm/train.sbatch " + c.in +
           " tictactoe --device cpu " + options;
  };
  const std::string cluster =
      "export PATH=" + (c.folder / "") +
      ":$PATH POLYMAX='" POLYMAX_BINARY
      "' SLURM_ARRAY_JOB_ID=9 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=3 "
      "POLYMAX_SELFPLAY='--device cpu --unread 8'; ";
  const Ran stopped =
      run_shell(cluster + task("0") + " & trainer=$!; " + task("1") + " & worker=$!; " +
                c.until("ls " + c.in + "/lessons/0-of-2/*.lesson", "$worker") +
                "kill -USR1 $trainer $worker; wait $trainer; wait $worker; cat " + queued);
  EXPECT_NE(stopped.out.find("worker 0/2: time is up: back into the queue"), std::string::npos)
      << stopped.out;
  EXPECT_NE(stopped.out.find("trainer: time is up: back into the queue"), std::string::npos)
      << stopped.out;
  EXPECT_NE(stopped.out.find("requeue 9_0\n"), std::string::npos) << stopped.out;
  EXPECT_NE(stopped.out.find("requeue 9_1\n"), std::string::npos) << stopped.out;
  std::smatch found;
  ASSERT_TRUE(
      std::regex_search(stopped.out, found, std::regex("net.safetensors: ([0-9]+) matches")))
      << stopped.out;
  const std::string goal = std::to_string(std::stoi(found[1]) + 30);
  options = "--matches " + goal;
  const Ran over = run_shell(cluster + task("0") + " & trainer=$!; " + task("1") + " & " +
                             task("2") + " & wait $trainer; echo ended $?; wait");
  EXPECT_NE(over.out.find("ended 0\n"), std::string::npos) << over.out << over.err;
  EXPECT_NE(over.out.find("run/net.safetensors: " + goal + " matches"), std::string::npos)
      << over.out;
  EXPECT_NE(over.out.find("worker 0/2: done"), std::string::npos) << over.out << over.err;
  EXPECT_NE(over.out.find("worker 1/2: done"), std::string::npos) << over.out << over.err;
  fs::remove_all(c.run);
  fs::remove(c.in + "/over");
  const Ran failed = run_shell(cluster + task("0") + " --learn nonsense=1");
  EXPECT_EQ(failed.code, 2) << failed.err;
  EXPECT_TRUE(fs::exists(c.in + "/over")) << "workers need not wait for it";
}

TEST(selfplay, AForeignWorkerIsNamed) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const Cluster c;
  ASSERT_EQ(
      run_polymax("train tictactoe --out " + c.run + " --matches 1 --device cpu " + c.new_run())
          .code,
      0);
  const Ran ran =
      run_polymax("selfplay 'hex(n=4)' --net-from " + c.run + " --out " + c.in + " --device cpu");
  EXPECT_NE(ran.code, 0);
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  EXPECT_NE(ran.err.find("tictactoe"), std::string::npos) << ran.err;
  const Ran played = run_shell(c.worker("0/1", "--matches 3"));
  EXPECT_EQ(played.code, 0) << played.err;
  EXPECT_EQ(nlohmann::json::parse(played.out).at("matches"), 3);
  const Ran other = run_polymax("train 'hex(n=4)' --in " + c.in + " --out " + (c.folder / "hex") +
                                " --matches 5 --device cpu " + c.new_run());
  EXPECT_EQ(other.code, 1) << other.err;
  EXPECT_NE(other.err.find(".lesson: lessons of tictactoe"), std::string::npos) << other.err;
}

// The network comes when a part of the worker's time has passed.
TEST(selfplay, MinutesCountFromTheStart) {
  const Cluster c;
  const std::string net = c.run + "/net.safetensors";
  fs::create_directories(c.run);
  const Ran ran = run_shell(
      "'" POLYMAX_BINARY "' selfplay fish --net-from " + c.run + " --out " + c.in +
      " --device cpu --parallel 1 --budget evals=1 --minutes 0.05 --json 2>" + c.first_err() +
      " & worker=$!; " + c.until("grep -q 'waits for ' " + c.first_err(), "$worker") +
      "sleep 1.5; cp nets/fish/default.safetensors " + net + ".part; mv " + net + ".part " + net +
      "; wait $worker");
  ASSERT_EQ(ran.code, 0) << file_text(c.first_err());
  const auto end = nlohmann::json::parse(ran.out);
  EXPECT_EQ(end.at("end"), "planned");
  EXPECT_LT(end.at("seconds"), 2.5) << "of three";
}

TEST(selfplay, BadInputIsOneLine) {
  const TemporaryFolder folder;
  const std::string base =
      "selfplay tictactoe --net-from " + (folder / "run") + " --out " + (folder / "x");
  for (const char* more : {" --worker 2/2", " --worker x", " --budget x", " --unread 0",
                           " --nothing", " --search mcts --device cpu"}) {
    const Ran ran = run_polymax(base + more);
    EXPECT_EQ(ran.code, 2) << more << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "x")) << more << ": no folder for a mistake";
  }
  EXPECT_EQ(run_polymax("selfplay tictactoe --out " + (folder / "x")).code, 2);
  EXPECT_EQ(run_polymax("selfplay tictactoe --net-from /tmp --out /dev/null/x").code, 1);
  EXPECT_NE(run_polymax("selfplay --help").out.find("Example: polymax selfplay"),
            std::string::npos);
}

}  // namespace
}  // namespace polymax::selfplay_test
