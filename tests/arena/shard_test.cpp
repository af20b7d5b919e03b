// What a crash, another process, another study or a bad disk may do to shards; and that any number
// of shards, threads and interruptions gives the same records.
#include "arena/shard.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <new>
#include <stdexcept>
#include <system_error>

#include "arena/gather.hpp"
#include "arena/record.hpp"
#include "arena/store.hpp"
#include "arena/study_lines.hpp"
#include "arena/study_run.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "tests/arena/study_place.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::arena::shard_test {
namespace {

TEST(shard, AnyNumberOfShardsAndThreadsGivesTheSameRecords) {
  EXPECT_EQ(std::ranges::count(reference(), '\n'), static_cast<std::ptrdiff_t>(kMatches));
  for (const int count : {2, 8}) {
    const StudyPlace place;
    for (int i = 0; i < count; ++i) {
      StudyRunSettings settings;
      settings.shard = {i, count};
      settings.threads = 1 + i % 3;
      place.run(settings);
    }
    EXPECT_EQ(records_of(place), reference()) << count;
    EXPECT_EQ(shard_files(place.folder / "").size(), static_cast<std::size_t>(count));
  }
}

TEST(shard, ARunGoesOnWhereItWasStopped) {
  const StudyPlace place;
  std::uint64_t played = 0;
  int runs = 0;
  for (;; ++runs) {
    std::stop_source stop;
    std::uint64_t in_run = 0;
    const auto progress = run_study(
        place.open(), {},
        [&](const StudyProgress&) {
          if (++in_run == 7) stop.request_stop();
        },
        stop.get_token());
    played += progress.played;
    EXPECT_EQ(progress.done(), played);
    if (progress.done() == progress.planned) break;
    ASSERT_LT(runs, 100);
  }
  EXPECT_GE(runs, 4);
  EXPECT_EQ(played, kMatches) << "none was played twice";
  EXPECT_EQ(records_of(place), reference());
}

TEST(shard, AnotherNumberOfShardsPlaysOnlyWhatIsMissing) {
  const StudyPlace place;
  StudyRunSettings settings;
  settings.shard = {1, 2};
  EXPECT_EQ(place.run(settings).played, kMatches / 2);
  EXPECT_EQ(place.run().played, kMatches / 2);
  EXPECT_EQ(records_of(place), reference());
}

// The file cut at every byte of its last lines: what a crash may leave.
TEST(shard, ATornTailIsCutOff) {
  const StudyPlace place;
  place.run();
  const std::string whole = read_file(place.shard());
  const auto lines = static_cast<std::size_t>(std::ranges::count(whole, '\n'));
  const auto last = whole.rfind('\n', whole.size() - 2) + 1;
  for (std::size_t size = last; size <= whole.size(); size += 97) {
    std::filesystem::resize_file(place.shard(), size);
    const auto scan = scan_shard(place.shard());
    EXPECT_EQ(scan.done.size(), lines - 2) << size;
    EXPECT_EQ(scan.good_bytes, last);
    EXPECT_EQ(scan.torn, size > last);
    EXPECT_TRUE(scan.broken.empty());
    EXPECT_EQ(place.run().played, 1u);
    EXPECT_EQ(records_of(place), reference());
  }
  const std::vector<std::string> tails{"{\"sum\":\"00", "garbage\n", std::string(100, '\0'), "\n"};
  for (const auto& tail : tails) {
    std::ofstream(place.shard(), std::ios::app) << tail;
    EXPECT_EQ(place.run().played, 0u);
    EXPECT_FALSE(scan_shard(place.shard()).torn) << "cut off";
    EXPECT_EQ(records_of(place), reference());
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{20}}) {
    std::filesystem::resize_file(place.shard(), size);
    EXPECT_EQ(place.run().played, kMatches) << "not even the first line was whole";
  }
}

TEST(shard, ABrokenLineInTheMiddleIsNamedAndRepaired) {
  const StudyPlace place;
  StudyRunSettings half;
  half.shard = {0, 2};
  place.run(half);
  half.shard = {1, 2};
  place.run(half);
  for (const char* name : {"0-of-2", "1-of-2"}) {
    std::string text = read_file(place.shard(name));
    const auto third = text.find('\n', text.find('\n') + 1) + 1;
    text[third + 60] = text[third + 60] == '1' ? '2' : '1';
    write_file(place.shard(name), text);
    const std::string said = message_of([&] { place.run(half); });
    EXPECT_NE(said.find(std::string(name) + ".jsonl' is broken in line 3"), std::string::npos)
        << said;
    EXPECT_NE(said.find("--repair"), std::string::npos) << said;
    EXPECT_NE(message_of([&] { records_of(place); }).find("line 3"), std::string::npos)
        << "nor is it merged";
    StudyRunSettings repair;
    repair.shard = {1, 2};
    repair.repair = true;
    place.run(repair);
    repair.shard = {0, 2};
    place.run(repair);
    EXPECT_EQ(records_of(place), reference());
    EXPECT_EQ(read_file(place.shard(name) + ".broken"), text) << "the old file is kept";
  }
}

TEST(shard, OneProcessAtATime) {
  const StudyPlace place;
  const auto study = place.open();
  const ShardWriter writer(study.folder(), {}, study.identity(), BrokenLines::refused);
  const std::string said = message_of([&] { place.run(); });
  EXPECT_NE(said.find("0-of-1.jsonl' is being written by another process"), std::string::npos)
      << said;
  StudyRunSettings other;
  other.shard = {0, 2};
  EXPECT_EQ(place.run(other).played, kMatches / 2) << "another shard is free";
}

TEST(shard, AChangedStudyIsRefusedWithTheDifferences) {
  const StudyPlace place;
  place.run();
  std::string text = kStudyText;
  text.replace(text.find("evals=15"), 8, "evals=16");
  std::ofstream(place.folder / "study.json") << text;
  for (const auto& act :
       std::vector<std::function<void()>>{[&] { place.run(); }, [&] { records_of(place); }}) {
    const std::string said = message_of(act);
    EXPECT_NE(said.find("0-of-1.jsonl': budget: \"evals=15\" is now \"evals=16\""),
              std::string::npos)
        << said;
  }
}

class Thrower final : public AnyPlayer {
 public:
  explicit Thrower(std::unique_ptr<AnyPlayer> inner) : inner_(std::move(inner)) {}
  const std::string& spec() const override { return inner_->spec(); }
  AnyVerdict think(const AnyMatch& match, const Budget& budget,
                   const polymax::Watch& watch) override {
    if (match.history().size() >= 4) throw std::runtime_error("the position is too hard");
    return inner_->think(match, budget, watch);
  }

 private:
  std::unique_ptr<AnyPlayer> inner_;
};

TEST(study_run, AFailedMatchIsRecordedAndTheStudyGoesOn) {
  const StudyPlace place;
  StudyRunSettings settings;
  settings.make_player = [](const MatchSetup& setup, int seat) -> std::unique_ptr<AnyPlayer> {
    auto player = setup.game->player(setup.players[static_cast<std::size_t>(seat)], 1);
    if (setup.players[static_cast<std::size_t>(seat)].name != "mcts") return player;
    return std::make_unique<Thrower>(std::move(player));
  };
  const auto progress = place.run(settings);
  EXPECT_EQ(progress.played, kMatches);
  EXPECT_EQ(progress.failed, kMatches / 2);
  EXPECT_NE(progress.first_error.find("mcts(eval=playouts): the position is too hard"),
            std::string::npos)
      << progress.first_error;
  EXPECT_EQ(place.run().played, 0u) << "failed is done: the report says so";
  std::uint64_t failed = 0;
  for (const auto& row : load_table(place.open()).rows) {
    failed += row.failed() ? 1 : 0;
    EXPECT_EQ(row.failed(), row.player == 1);
    EXPECT_GT(row.length, 0);
  }
  EXPECT_EQ(failed, kMatches / 2);
}

// Players of mcts that do something else in every match of the study.
StudyRunSettings with_mcts(const std::function<void(const AnyMatch&)>& instead) {
  class Other final : public AnyPlayer {
   public:
    Other(std::unique_ptr<AnyPlayer> inner, std::function<void(const AnyMatch&)> act)
        : inner_(std::move(inner)), act_(std::move(act)) {}
    const std::string& spec() const override { return inner_->spec(); }
    AnyVerdict think(const AnyMatch& match, const Budget& budget,
                     const polymax::Watch& watch) override {
      act_(match);
      return inner_->think(match, budget, watch);
    }

   private:
    std::unique_ptr<AnyPlayer> inner_;
    std::function<void(const AnyMatch&)> act_;
  };
  StudyRunSettings out;
  out.make_player = [instead](const MatchSetup& setup, int seat) -> std::unique_ptr<AnyPlayer> {
    const auto& spec = setup.players[static_cast<std::size_t>(seat)];
    auto player =
        setup.game->player(spec, derived_seed(setup.seed, static_cast<std::uint64_t>(seat)));
    if (spec.name != "mcts") return player;
    return std::make_unique<Other>(std::move(player), instead);
  };
  return out;
}

TEST(study_run, AMatchThatFailsBeforeItsFirstMoveIsReadable) {
  const StudyPlace place;
  place.run(with_mcts([](const AnyMatch&) { throw std::runtime_error("not in the mood"); }));
  const auto study = place.open();
  EXPECT_EQ(gather(study).failed.size(), kMatches / 2);
  std::size_t at_once = 0;
  for (const auto& row : load_table(study).rows) at_once += row.failed() && row.length == 0;
  EXPECT_GT(at_once, 0u);
  EXPECT_NE(message_of([&] { records_of(place); }).find("no error"), std::string::npos);
}

TEST(study_run, AFaultOfTheMachineIsNotRecorded) {
  const std::vector<std::pair<std::string, std::function<void(const AnyMatch&)>>> faults{
      {"cannot read 'x'",
       [](const AnyMatch&) { throw Error("cannot read 'x'", Error::Kind::failed); }},
      {"bad_alloc", [](const AnyMatch&) { throw std::bad_alloc(); }},
      {"temporarily unavailable", [](const AnyMatch&) {
         throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
       }}};
  for (const auto& [message, fault] : faults) {
    const StudyPlace place;
    auto settings = with_mcts([&](const AnyMatch& match) {
      if (match.history().size() >= 4) fault(match);
    });
    settings.threads = 3;
    const std::string said = message_of([&] { place.run(settings); });
    EXPECT_NE(said.find("could not be played: "), std::string::npos) << said;
    EXPECT_NE(said.find(message), std::string::npos) << said;
    EXPECT_TRUE(gather(place.open()).failed.empty());
    place.run();
    EXPECT_EQ(records_of(place), reference());
  }
  const StudyPlace place;
  StudyRunSettings gone;
  gone.make_player = [](const MatchSetup&, int) -> std::unique_ptr<AnyPlayer> {
    throw Error("network: there is no such file");  // whatever its kind: it was there before
  };
  EXPECT_NE(message_of([&] { place.run(gone); }).find("no such file"), std::string::npos);
  EXPECT_EQ(gather(place.open()).matches, 0u);
}

TEST(study_run, FailedMatchesArePlayedAgainWhenAsked) {
  const StudyPlace place;
  place.run(with_mcts([](const AnyMatch& match) {
    if (match.history().size() >= 4) throw std::logic_error("too hard");
  }));
  const auto study = place.open();
  const auto failed = gather(study).failed.size();
  EXPECT_GT(failed, kMatches / 3);
  load_table(study);  // failed ones are merged
  StudyRunSettings again;
  again.retry_failed = true;
  EXPECT_EQ(run_study(study, again).played, failed);
  EXPECT_EQ(run_study(study, again).played, 0u) << "none is left";
  const auto gathered = gather(study);
  EXPECT_TRUE(gathered.failed.empty());
  EXPECT_TRUE(gathered.differing.empty()) << "a failed match is not another result";
  EXPECT_EQ(records_of(place), reference());
  for (const auto& row : load_table(study).rows) EXPECT_FALSE(row.failed());
}

TEST(study_run, AMistakeInTheFileIsFoundBeforeAnythingIsWritten) {
  std::string text = kStudyText;
  text.replace(text.find("\"mcts\""), 6, "\"mctz\"");
  const StudyPlace place(text);
  EXPECT_NE(message_of([&] { place.run(); }).find("mctz"), std::string::npos);
  std::ofstream(place.folder / "study.json") << kStudyText;
  place.run();
  EXPECT_EQ(records_of(place), reference());
}

TEST(shard, AFileThatNeverWasAShardIsNotWrittenOver) {
  for (const std::string garbage : {"my diary\n", "one\ntwo\n", "no end of line"}) {
    const StudyPlace place;
    std::filesystem::create_directory(place.folder / "shards");
    write_file(place.shard(), garbage);
    EXPECT_NE(message_of([&] { place.run(); }).find("broken in line 1"), std::string::npos);
    EXPECT_EQ(read_file(place.shard()), garbage);
    StudyRunSettings repair;
    repair.repair = true;
    place.run(repair);
    EXPECT_EQ(records_of(place), reference());
    EXPECT_EQ(read_file(place.shard() + ".broken"), garbage);
  }
}

// A study that names networks that ship is the same wherever its folder and the program lie.
TEST(study_run, ShippedNetworksHaveNoPlace) {
  const auto text = [](const std::string& file) {
    return R"json({"games": ["triinversion"], "players": ["greedy(eval=$f)"], "benchmark": "random",
      "networks": {"files": ")json" +
           file + R"json("}, "budget": "evals=2", "functions": "all", "seed": 3})json";
  };
  for (const std::string file :
       {"$nets/$game/default.safetensors", "$nets/$game/def*.safetensors"}) {
    const StudyPlace here(text(file)), there(text(file));
    EXPECT_EQ(here.open().identity(), there.open().identity());
    EXPECT_NE(here.open().identity().find("$nets/triinversion/default.safetensors"),
              std::string::npos)
        << here.open().identity();
    EXPECT_EQ(here.run().played, 3u);
  }
  const StudyPlace none(text("$nets/$game/no_such.safetensors"));
  EXPECT_NE(message_of([&] { none.open(); }).find("0 found as '$nets/triinversion/no_such"),
            std::string::npos);
}

TEST(study_run, AnyBytesOfAnEngineAreWrittenAndRead) {
  const StudyPlace place;
  const auto study = place.open();
  MatchRecord record = play_match(study.setup(0));
  record.error = "it said \xff\xfe";
  const std::string line = "{" + study_line(study, 0, record, 1);
  EXPECT_NE(study_record(study, 0, line).error.find("it said "), std::string::npos);
}

TEST(study_run, OtherRoundingIsNotMixedIn) {
  const std::string net = std::filesystem::absolute("tests/golden/canary/triinversion.safetensors");
  const std::string text = R"json({"games": ["triinversion"], "players": ["greedy(eval=$f)"],
    "benchmark": "random", "networks": {"files": ")json" +
                           net + R"json(", "settings": "isa=plain"}, "budget": "evals=2",
    "functions": 1, "seed": 3})json";
  const StudyPlace place(text);
  EXPECT_EQ(place.open().computed_by(), "cpu plain");
  {
    const auto study = place.open();
    ShardWriter other(study.folder(), {1, 2}, study.identity(), BrokenLines::refused, "cpu amx");
    other.append(study_line(study, 1, play_match(study.setup(1)), 1));
  }
  const std::string said = message_of([&] { place.run(); });
  EXPECT_NE(said.find("computed by cpu plain here and were by cpu amx"), std::string::npos) << said;
  StudyRunSettings both;
  both.mix_engines = true;
  EXPECT_EQ(place.run(both).played, 2u);
  EXPECT_EQ(load_table(place.open()).computed, "cpu amx, and cpu plain");
}

}  // namespace
}  // namespace polymax::arena::shard_test
