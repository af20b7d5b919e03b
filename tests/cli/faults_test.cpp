// What the system may refuse (open, write, fsync, rename, a thread), one call after the other: the
// program says so and ends with code 1, or goes on; nothing that it had acknowledged is lost,
// nothing half written is left, and the same command ends the work.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/process.hpp"
#include "tests/long_tests.hpp"

#ifdef POLYMAX_FAULTS

namespace polymax::faults_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::vector<std::string> kKinds{"open", "write", "fsync", "rename", "thread"};

// The command with the n-th call of a kind failing; `met`: there was such a call.
Ran run_with_fault(const std::string& arguments, const std::string& kind, int n,
                   const std::string& below, bool& met) {
  const TemporaryFolder folder;
  // one that waits for what the system refused would wait for ever
  const Ran out =
      run_shell("timeout -s KILL 900 env POLYMAX_FAULT=" + kind + ":" + std::to_string(n) +
                " POLYMAX_FAULT_BELOW='" + below + "' POLYMAX_FAULT_DONE='" + (folder / "done") +
                "' LD_PRELOAD='" + fs::absolute(POLYMAX_FAULTS).string() +
                "' '" POLYMAX_BINARY "' " + arguments);
  met = fs::exists(folder / "done");
  return out;
}

// Either done, or one clear line and code 1.
void expect_said(const Ran& ran, const std::string& where) {
  if (ran.code == 0) return;
  EXPECT_EQ(ran.code, 1) << where << ran.err;
  const auto line = ran.err.find("polymax: ");
  EXPECT_NE(line, std::string::npos) << where << ran.err;
  EXPECT_EQ(ran.err.find("terminate called"), std::string::npos) << where << ran.err;
}

// What a file needs and the system refused is never passed over.
void expect_refused(const Ran& ran, const std::string& kind, bool met, const std::string& where) {
  if (met && kind != "thread") {
    EXPECT_EQ(ran.code, 1) << where << ran.out;
  }
}

std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) out.push_back(fs::relative(entry.path(), folder).string());
  std::ranges::sort(out);
  return out;
}

// Calls `check(kind, n)` for every call of every kind that it meets; it returns whether it met one.
// needed: kinds of which the command makes one call at least; without it nothing would be tried.
template <class Check>
void each_fault(const std::set<std::string>& needed, const Check& check) {
  constexpr int kMost = 1000;
  for (const auto& kind : kKinds) {
    int n = 1;
    while (n < kMost && check(kind, n)) ++n;
    EXPECT_LT(n, kMost) << kind;
    EXPECT_TRUE(n > 1 || !needed.contains(kind)) << "no call of " << kind << " was met";
  }
}

const std::string kStudy = R"json({"games": ["hex3(side=3)"], "players": ["greedy(eval=$f)"],
  "benchmark": "random", "networks": {"evaluator": "playouts(n=1,seed=$i)"},
  "budget": "evals=5", "functions": 1, "repetitions": 2, "seed": 1})json";
constexpr int kMatches = 6;

struct StudyPlace {
  TemporaryFolder folder;
  StudyPlace() { std::ofstream(folder / "study.json") << kStudy; }
  std::string path() const { return folder / ""; }
  int done() const {
    const Ran ran = run_polymax("study status " + path() + " --json");
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.code == 0 ? json::parse(ran.out).at("done").get<int>() : -1;
  }
  std::string records() const { return run_polymax("study records " + path()).out; }
};

const std::string& study_records() {
  static const std::string out = [] {
    const StudyPlace place;
    EXPECT_EQ(run_polymax("study run " + place.path()).code, 0);
    return place.records();
  }();
  return out;
}

TEST(faults, StudyRunKeepsWhatItPlayed) {
  ASSERT_EQ(std::ranges::count(study_records(), '\n'), kMatches);
  const StudyPlace half;
  ASSERT_EQ(run_polymax("study run " + half.path() + " --shard 0/2").code, 0);
  ASSERT_EQ(half.done(), kMatches / 2);
  each_fault({"open", "write", "fsync", "thread"}, [&](const std::string& kind, int n) {
    const StudyPlace place;
    const std::string where = kind + " " + std::to_string(n) + ": ";
    fs::copy(half.path(), place.path(),
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    bool met = false;
    const Ran ran = run_with_fault("study run " + place.path() + " --json --threads 2", kind, n,
                                   place.path(), met);
    expect_said(ran, where);
    expect_refused(ran, kind, met, where);
    const int done = place.done();
    EXPECT_GE(done, kMatches / 2) << where << "what was there stays";
    if (ran.code == 0) {
      EXPECT_EQ(done, kMatches) << where;
    }
    const Ran again = run_polymax("study run " + place.path() + " --json");
    EXPECT_EQ(again.code, 0) << where << again.err;
    EXPECT_EQ(json::parse(again.out).at("played"), kMatches - done) << where;
    EXPECT_EQ(place.records(), study_records()) << where;
    return met;
  });
}

// A search for which the machine has no more threads goes on with those that it has.
TEST(faults, SearchesDoWithFewerThreads) {
  int n = 1, done = 0;
  for (bool met = true; met && n < 100; ++n) {
    const Ran ran = run_with_fault(
        "think 'hex(n=5)' --player 'unbounded_maxn(threads=4)' --budget evals=3000 --json",
        "thread", n, "/none", met);
    expect_said(ran, "thread " + std::to_string(n) + ": ");
    done += met && ran.code == 0 ? 1 : 0;
  }
  EXPECT_GE(done, 3) << "three threads besides the first";
}

// Into a new store, and into one that holds half of the matches.
TEST(faults, MergeIsWholeOrAsBefore) {
  const StudyPlace place;
  const std::string store = place.folder / "study.sqlite";
  const auto merge = [&] { return run_polymax("study merge " + place.path() + " --json"); };
  const auto matches = [](const Ran& ran) { return json::parse(ran.out).at("matches").get<int>(); };
  ASSERT_EQ(run_polymax("study run " + place.path() + " --shard 0/2").code, 0);
  const Ran first = merge();
  if (first.err.find("built without SQLite") != std::string::npos)
    GTEST_SKIP() << "built without SQLite";
  ASSERT_EQ(matches(first), kMatches / 2);
  const std::string half = file_text(store);
  ASSERT_EQ(run_polymax("study run " + place.path()).code, 0);
  for (const bool begun : {false, true})
    each_fault({"open", "write", "fsync"}, [&](const std::string& kind, int n) {
      const std::string where =
          std::string(begun ? "half, " : "new, ") + kind + " " + std::to_string(n) + ": ";
      fs::remove(store);
      if (begun) std::ofstream(store, std::ios::binary) << half;
      bool met = false;
      const Ran ran =
          run_with_fault("study merge " + place.path() + " --json", kind, n, place.path(), met);
      expect_said(ran, where);
      if (ran.code == 0) {
        EXPECT_EQ(matches(ran), kMatches) << where;
      }
      const Ran again = merge();
      EXPECT_EQ(again.code, 0) << where << again.err;
      EXPECT_EQ(matches(again), kMatches) << where;
      const int added = json::parse(again.out).at("added");
      EXPECT_TRUE(added == 0 || added == (begun ? kMatches / 2 : kMatches)) << where << added;
      EXPECT_EQ(place.records(), study_records()) << where;
      return met;
    });
}

TEST(faults, MatchRecordsAreWholeLines) {
  each_fault({"open", "write", "fsync", "thread"}, [&](const std::string& kind, int n) {
    const TemporaryFolder folder;
    const std::string where = kind + " " + std::to_string(n) + ": ", file = folder / "x.jsonl";
    bool met = false;
    const Ran ran = run_with_fault(
        "match 'hex3(side=3)' --players 'random;random;random' --games 4 --threads 2 --records " +
            file,
        kind, n, folder / "", met);
    expect_said(ran, where);
    expect_refused(ran, kind, met, where);
    const std::string text = fs::exists(file) ? file_text(file) : "";
    EXPECT_TRUE(text.empty() || text.back() == '\n') << where << text;
    if (!text.empty()) {
      EXPECT_EQ(run_polymax("record replay " + file).code, 0) << where;
    }
    if (ran.code == 0) {
      EXPECT_EQ(std::ranges::count(text, '\n'), 4) << where;
    }
    return met;
  });
}

TEST(faults, NetConvertWritesAllOrNothing) {
  const std::string net = "nets/triinversion/default.safetensors";
  each_fault({"open", "write", "fsync", "rename"}, [&](const std::string& kind, int n) {
    const TemporaryFolder folder;
    const std::string where = kind + " " + std::to_string(n) + ": ", to = folder / "x.safetensors";
    bool met = false;
    const Ran ran =
        run_with_fault("net convert " + net + " " + to + " --to fp32", kind, n, folder / "", met);
    expect_said(ran, where);
    expect_refused(ran, kind, met, where);
    EXPECT_LE(files_of(folder / "").size(), 1u) << where << "nothing half written beside it";
    if (fs::exists(to)) {
      EXPECT_EQ(run_polymax("net check " + to).code, 0) << where;
    }
    if (ran.code == 0) {
      EXPECT_TRUE(fs::exists(to)) << where;
    }
    return met;
  });
  const TemporaryFolder folder;
  const Ran ran = run_polymax("net convert " + net + " " + (folder / ""));
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_EQ(files_of(folder / ""), std::vector<std::string>{});
}

// Studies and learning both do without locks, and take the user at his word.
TEST(faults, FileSystemsWithoutLocksWillDo) {
  const StudyPlace study;
  bool met = false;
  const Ran played = run_with_fault("study run " + (study.folder / "") + " --json", "locks", 0,
                                    study.folder / "", met);
  EXPECT_EQ(played.code, 0) << played.err;
  EXPECT_TRUE(met) << "no lock was asked for";
  if (!has_torch()) return;
  const TemporaryFolder folder;
  const Ran learned =
      run_with_fault("train tictactoe --out " + (folder / "run") +
                         " --device cpu --threads 1 --net channels=4,blocks=0 --budget evals=10 "
                         "--matches 4 --learn warm_up=0 --json",
                     "locks", 0, folder / "", met);
  EXPECT_EQ(learned.code, 0) << learned.err;
  EXPECT_TRUE(met) << "no lock was asked for";
}

// Each run loads torch: the short form tries some calls of each kind.
TEST(faults, TrainGoesOnFromWhatItKept) {
  if (!has_torch()) GTEST_SKIP() << "learning needs the torch module";
  const std::string learn =
      " --device cpu --threads 1 --parallel 1 --net channels=4,blocks=0 --budget evals=10 --json"
      " --checkpoint-every 0.001 --journal-every 0.001 --learn warm_up=0";
  const auto check = [&](const std::string& kind, int n) {
    const TemporaryFolder folder;
    const std::string where = kind + " " + std::to_string(n) + ": ", run = folder / "run";
    const std::string command = "train tictactoe --out " + run + learn;
    bool met = false;
    const Ran ran = run_with_fault(command + " --matches 4", kind, n, folder / "", met);
    expect_said(ran, where);
    if (ran.code == 0) {
      EXPECT_EQ(json::parse(ran.out).at("matches"), 4) << where;
    }
    const bool there = fs::exists(run + "/run.json");
    for (const auto& file : fs::exists(run) ? files_of(run) : std::vector<std::string>{})
      EXPECT_FALSE(file.ends_with(".part")) << where << file;
    const Ran again = run_polymax(command + " --matches 6" + (there ? " --resume" : ""));
    EXPECT_EQ(again.code, 0) << where << again.err;
    if (again.code == 0) {
      EXPECT_EQ(json::parse(again.out).at("matches"), 6) << where;
    }
    return met;
  };
  if (long_tests()) return each_fault({kKinds.begin(), kKinds.end()}, check);
  for (const auto& [kind, n] : std::vector<std::pair<std::string, int>>{
           {"open", 3}, {"write", 2}, {"write", 9}, {"fsync", 4}, {"rename", 3}, {"thread", 2}})
    EXPECT_TRUE(check(kind, n)) << kind << " " << n << " was not met";
}

}  // namespace
}  // namespace polymax::faults_test

#endif
