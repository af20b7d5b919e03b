// Merged studies: what the store holds, who may read it, and shards that disagree.
#include "arena/store.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "arena/gather.hpp"
#include "arena/shard.hpp"
#include "core/file.hpp"
#include "tests/arena/study_place.hpp"
#include "tests/message_of.hpp"

namespace polymax::arena::store_test {
namespace {

TEST(store, RowsAreThoseOfTheShards) {
  const StudyPlace place;
  place.run();
  const auto study = place.open();
  const auto table = load_table(study);
  ASSERT_EQ(table.rows.size(), kMatches);
  EXPECT_EQ(table.planned, kMatches);
  EXPECT_EQ(table.games[0].players, 3);
  for (std::uint64_t k = 0; k < kMatches; ++k) {
    const auto& row = table.rows[k];
    EXPECT_EQ(row.match, k);
    const auto record = play_match(study.setup(k));
    EXPECT_EQ(row.gain, record.gain);
    EXPECT_EQ(row.points, record.points);
    EXPECT_EQ(row.use[0].evaluations, record.use[0].evaluations);
    EXPECT_EQ(row.length, static_cast<int>(record.moves.size()));
  }
}

TEST(store, MergingAgainChangesNothing) {
  if (!store_available()) GTEST_SKIP() << "built without SQLite";
  const StudyPlace place;
  StudyRunSettings settings;
  settings.shard = {0, 2};
  place.run(settings);
  const auto study = place.open();
  EXPECT_EQ(merge_shards(study).added, kMatches / 2);
  EXPECT_EQ(merge_shards(study).added, 0u);
  settings.shard = {1, 2};
  place.run(settings);
  const auto merged = merge_shards(study);
  EXPECT_EQ(merged.added, kMatches / 2);
  EXPECT_EQ(merged.total, kMatches);
  const auto lines = [&] {
    std::string out;
    read_store(study, [&](std::uint64_t k, std::string_view line) {
      out += std::to_string(k) + " " + record_line(study_record(study, k, line), Timing::without) +
             "\n";
    });
    return out;
  };
  EXPECT_EQ(lines(), reference());
  std::filesystem::remove_all(place.folder / "shards");
  EXPECT_EQ(merge_shards(study).total, kMatches) << "what is merged stays";
  EXPECT_EQ(lines(), reference());
}

TEST(store, ReadingItDoesNotWrite) {
  if (!store_available()) GTEST_SKIP() << "built without SQLite";
  const StudyPlace place;
  const std::string store = place.folder / "study.sqlite";
  write_file(store, "");
  EXPECT_NE(message_of([&] { read_store(place.open(), {}); }).find("no such table"),
            std::string::npos)
      << "nobody makes tables for a reader";
  EXPECT_EQ(read_file(store), "");
}

// Somebody who may only look. Root may everything: it becomes nobody for a while.
TEST(store, AFolderThatMayNotBeWrittenCanBeRead) {
  namespace fs = std::filesystem;
  const StudyPlace place;
  place.run();
  const auto study = place.open();
  const auto table = [&] {
    fs::permissions(place.folder / "", fs::perms(0555));
    const uid_t me = geteuid();
    EXPECT_EQ(me == 0 ? seteuid(65534) : 0, 0);
    std::size_t rows = 0;
    const std::string said = message_of([&] { rows = load_table(study).rows.size(); });
    EXPECT_EQ(me == 0 ? seteuid(0) : 0, 0);
    fs::permissions(place.folder / "", fs::perms(0755));
    return std::pair(rows, said);
  };
  EXPECT_EQ(table(), std::pair(std::size_t{kMatches}, std::string("no error")));
  EXPECT_FALSE(fs::exists(place.folder / "study.sqlite"));
  if (!store_available()) return;
  merge_shards(study);
  EXPECT_EQ(table(), std::pair(std::size_t{kMatches}, std::string("no error")));
  fs::remove_all(place.folder / "shards");
  EXPECT_EQ(table(), std::pair(std::size_t{kMatches}, std::string("no error"))) << "from the store";
}

TEST(store, OfAnotherStudyIsRefused) {
  if (!store_available()) GTEST_SKIP() << "built without SQLite";
  const StudyPlace place;
  place.run();
  merge_shards(place.open());
  std::filesystem::remove_all(place.folder / "shards");
  std::string text = kStudyText;
  text.replace(text.find("\"seed\": 3"), 9, "\"seed\": 4");
  std::ofstream(place.folder / "study.json") << text;
  EXPECT_NE(message_of([&] { merge_shards(place.open()); }).find("seed: 3 is now 4"),
            std::string::npos);
  write_file(place.folder / "study.sqlite",
             "this is no database, it only has its name and some length");
  EXPECT_NE(
      message_of([&] { merge_shards(place.open()); }).find("study.sqlite': file is not a database"),
      std::string::npos);
}

TEST(gather, NoticesMatchesThatCameOutDifferently) {
  const StudyPlace place;
  place.run();
  StudyRunSettings settings;
  const auto study = place.open();
  const std::string text = read_file(place.shard());
  {
    ShardWriter other(study.folder(), {0, 3}, study.identity(), BrokenLines::refused);
    auto record = play_match(study.setup(0));
    other.append(study_line(study, 0, record, 1));
    record.moves[0].value[0] += 1;
    other.append(study_line(study, 3, record, 1));
  }
  const auto gathered = gather(study);
  EXPECT_EQ(gathered.twice, 2u);
  EXPECT_EQ(gathered.differing, (std::vector<std::uint64_t>{3}));
  EXPECT_EQ(gathered.matches, kMatches);
}

}  // namespace
}  // namespace polymax::arena::store_test
