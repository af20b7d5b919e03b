// Results without moves: what is published is what was played, and nothing of it is played again.
#include "arena/results.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "arena/gather.hpp"
#include "arena/standing.hpp"
#include "arena/store.hpp"
#include "core/file.hpp"
#include "tests/arena/study_place.hpp"
#include "tests/message_of.hpp"

namespace polymax::arena::results_test {
namespace {

namespace fs = std::filesystem;

// A study that was played in two halves, of which the first is published and its shards are gone.
struct HalfPublished : StudyPlace {
  HalfPublished() {
    run_half();
    publish_results(open());
    forget();
  }
  void run_half() const {
    StudyRunSettings settings;
    settings.shard = {0, 2};
    run(settings);
  }
  void forget() const {
    fs::remove_all(folder / "shards");
    fs::remove(folder / "study.sqlite");
  }
  std::string file() const { return results_file(folder / ""); }
};

bool same_result(const StudyRow& a, const StudyRow& b) {
  const auto counted = [](StudyRow row) {
    for (auto& use : row.use) use.seconds = use.overrun = 0;
    return row;
  };
  const StudyRow x = counted(a), y = counted(b);
  return x.match == y.match && x.game == y.game && x.player == y.player && x.i == y.i &&
         x.j == y.j && x.repetition == y.repetition && x.seat == y.seat && x.error == y.error &&
         x.gain == y.gain && x.points == y.points && x.length == y.length && x.use == y.use &&
         x.forfeit == y.forfeit && x.reason == y.reason;
}

TEST(results, HoldWhatWasPlayed) {
  const StudyPlace place;
  place.run();
  const auto study = place.open();
  const auto before = load_table(study);
  EXPECT_EQ(publish_results(study), kMatches);
  fs::remove_all(place.folder / "shards");
  fs::remove(place.folder / "study.sqlite");
  for (const auto& table : {load_table(study), shard_table(study)}) {
    ASSERT_EQ(table.rows.size(), kMatches);
    EXPECT_EQ(table.computed, before.computed);
    for (std::size_t k = 0; k < kMatches; ++k)
      EXPECT_TRUE(same_result(table.rows[k], before.rows[k])) << k;
  }
  const auto again = place.run();
  EXPECT_EQ(again.played, 0u) << "what is published is not played again";
  EXPECT_EQ(again.before, kMatches);
  EXPECT_FALSE(fs::exists(place.folder / "shards")) << "and nothing begins to";
}

TEST(results, OnlyTheRestIsPlayed) {
  const HalfPublished place;
  const auto progress = place.run();
  EXPECT_EQ(progress.before, kMatches / 2);
  EXPECT_EQ(progress.played, kMatches / 2);
  const auto study = place.open();
  const auto table = load_table(study);
  ASSERT_EQ(table.rows.size(), kMatches);
  const StudyPlace whole;
  whole.run();
  const auto reference = load_table(whole.open());
  for (std::size_t k = 0; k < kMatches; ++k)
    EXPECT_TRUE(same_result(table.rows[k], reference.rows[k])) << k;
  const auto standing = standing_of(study), expected = standing_of(whole.open());
  EXPECT_EQ(standing.gathered.matches, kMatches);
  EXPECT_EQ(standing.results, expected.results);
  EXPECT_EQ(standing.score_sum, expected.score_sum);
  EXPECT_EQ(publish_results(study), kMatches) << "published and new ones together";
}

TEST(results, AShardComesFirst) {
  const HalfPublished place;
  std::string text = read_file(place.file());
  auto results = read_results_text(text);
  results.matches[0].row.length += 1000;
  write_file(place.file(), results_text(results));
  EXPECT_GT(load_table(place.open()).rows[0].length, 1000);
  fs::remove(place.file());
  place.run_half();
  write_file(place.file(), results_text(results));
  EXPECT_LT(load_table(place.open()).rows[0].length, 1000);
  EXPECT_EQ(gather(place.open()).published.size(), 0u);
}

TEST(results, APublishedResultComesBeforeAFailure) {
  const HalfPublished place;
  const auto study = place.open();
  const auto published = load_table(study);
  {  // another process failed to play a match that is published, and one that is not
    ShardWriter shard(study.folder(), {0, 3}, study.identity(), BrokenLines::refused);
    MatchRecord record;
    record.error = "no memory";
    shard.append(study_line(study, 0, record, 1));
    shard.append(study_line(study, 3, record, 1));
  }
  const auto gathered = gather(study);
  EXPECT_EQ(gathered.matches, kMatches / 2 + 1);
  EXPECT_EQ(gathered.failed, (std::set<std::uint64_t>{3}));
  EXPECT_EQ(gathered.published.size(), kMatches / 2);
  EXPECT_EQ(standing_of(study).failed, (std::vector<std::uint64_t>{0, 1}));
  for (const auto& table : {load_table(study), shard_table(study)}) {
    ASSERT_EQ(table.rows.size(), kMatches / 2 + 1);
    EXPECT_TRUE(same_result(table.rows[0], published.rows[0]));
    EXPECT_TRUE(table.rows[2].failed());
  }
}

TEST(results, AreRefusedWhereTheyAreOfAnotherStudy) {
  const HalfPublished place;
  write_file(place.folder / "study.json",
             std::string(kStudyText).replace(kStudyText.find("evals=15"), 8, "evals=16"));
  const auto message = message_of([&] { gather(place.open()); });
  EXPECT_NE(message.find("evals=15"), std::string::npos) << message;
  EXPECT_NE(message.find("results.csv"), std::string::npos) << message;
  EXPECT_NE(message_of([&] { place.run(); }), "no error");
}

TEST(results, DamageIsNamedByItsLine) {
  const HalfPublished place;
  const std::string text = read_file(place.file());
  const auto refused = [&](const std::string& damaged) {
    write_file(place.file(), damaged);
    return message_of([&] { gather(place.open()); });
  };
  for (const std::size_t at : {std::size_t{3}, text.find("\n0,") + 3, text.size() / 2}) {
    std::string damaged = text;
    damaged[at] = damaged[at] == '7' ? '8' : '7';
    EXPECT_NE(refused(damaged).find("results.csv': line "), std::string::npos) << at;
  }
  EXPECT_NE(refused(text.substr(0, text.size() / 2)).find("is not whole"), std::string::npos);
  EXPECT_NE(refused(text + "1\n").find("should be the last"), std::string::npos);
  EXPECT_EQ(refused(text), "no error");
}

TEST(results, FailedMatchesAndTimesStay) {
  Results results{"{}", {"cpu avx2", "cpu amx"}, true, {}};
  StudyRow failed;
  failed.match = 3;
  failed.length = 7;
  failed.error = "player in seat 2: a, b";
  StudyRow timed;
  timed.match = 9;
  timed.gain = {{1, 0, -1}};
  timed.points = {{0.1f, -3, 1e9f}};
  timed.use[0] = {4, 1ull << 40, 0.1 + 0.2, 1e-9};
  results.matches = {{failed, 0}, {timed, 3}};
  const auto read = read_results_text(results_text(results));
  EXPECT_EQ(read.computed, results.computed);
  ASSERT_EQ(read.matches.size(), 2u);
  EXPECT_EQ(read.matches[0].row.error, failed.error);
  EXPECT_EQ(read.matches[0].row.length, 7);
  EXPECT_EQ(read.matches[1].seats, 3u);
  EXPECT_EQ(read.matches[1].row.gain, timed.gain);
  EXPECT_EQ(read.matches[1].row.points, timed.points);
  EXPECT_EQ(read.matches[1].row.use, timed.use);
  EXPECT_EQ(results_text(read), results_text(results));
}

TEST(results, ForfeitsAndUnknownPointsStay) {
  Results results{"{}", {}, false, {}};
  StudyRow forfeited;
  forfeited.match = 1;
  forfeited.gain = forfeited.points = gain_of_forfeit(1, 3);
  forfeited.forfeit = 1;
  forfeited.reason = "late, and rude";
  StudyRow unknown;
  unknown.match = 2;
  unknown.gain = {{0, -1, 1}};
  unknown.points.seats.fill(std::numeric_limits<float>::quiet_NaN());
  results.matches = {{forfeited, 3}, {unknown, 3}};
  const std::string text = results_text(results);
  EXPECT_NE(text.find("\n1,0,WFW,1 -1 1,0 0 0,0 0 0,late, and rude\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n2,0,DLW,,0 0 0,0 0 0,\n"), std::string::npos) << text;
  const auto read = read_results_text(text);
  ASSERT_EQ(read.matches.size(), 2u);
  EXPECT_TRUE(same_result(read.matches[0].row, forfeited));
  EXPECT_TRUE(std::isnan(read.matches[1].row.points[2]));
  EXPECT_EQ(read.matches[1].row.gain, unknown.gain);
  EXPECT_EQ(read.matches[1].row.forfeit, -1);
  results.matches[0].row.reason = "";
  EXPECT_EQ(read_results_text(results_text(results)).matches[0].row.forfeit, 1);
}

}  // namespace
}  // namespace polymax::arena::results_test
