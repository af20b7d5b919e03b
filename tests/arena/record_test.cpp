// Records as JSON and SGF: every game there and back, and what is wrong in a file is said.
#include "arena/record.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "arena/sgf.hpp"
#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::arena::record_test {
namespace {

MatchRecord played(const AnyGame& game, const std::string& player, const std::string& budget) {
  const auto seats = static_cast<std::size_t>(game.players());
  MatchSetup setup;
  setup.game = &game;
  setup.players = std::vector<Spec>(seats, Spec::parse(player));
  setup.budgets = std::vector<Budget>(seats, catalog::parse_budget(budget));
  setup.start = 18'000'000'000'000'000'001u;
  setup.opening = 2;
  return play_match(setup);
}

TEST(record, EveryGameGoesThereAndBack) {
  for (const auto& entry : catalog::games()) {
    const auto game = catalog::open_game(entry.entry.name);
    const auto record = played(*game, "greedy", "seconds=1e-6");
    ASSERT_TRUE(record.over) << entry.entry.name << record.error;
    EXPECT_EQ(read_record_line(record_line(record)), record) << entry.entry.name;
    const auto back = read_sgf(sgf_text(record));
    ASSERT_EQ(back.size(), 1u);
    EXPECT_EQ(back[0], record) << entry.entry.name;
    EXPECT_NO_THROW(replay(back[0]));
  }
}

TEST(record, TimesStandApart) {
  const auto game = catalog::open_game("tictactoe");
  auto record = played(*game, "greedy", "evals=10");
  const std::string line = record_line(record, Timing::without);
  for (auto& move : record.moves) move.seconds += 1;
  EXPECT_EQ(record_line(record, Timing::without), line);
  EXPECT_NE(record_line(record), line);
  EXPECT_TRUE(record_line(record).starts_with(line.substr(0, line.size() - 1)))
      << "time is the last member";
}

TEST(record, FailedAndUnfinishedMatchesToo) {
  const auto game = catalog::open_game("hex3(side=3)");
  auto record = played(*game, "random", "evals=1");
  record.moves.resize(3);
  record.over = false;
  record.score = record.gain = record.points = {};
  record.error = "seat 2, x(a=\"b]c\\\\\"): it said [\"no\"]\nand more";
  sum_use(record);
  EXPECT_EQ(read_record_line(record_line(record)), record);
  EXPECT_EQ(read_sgf(sgf_text(record)).at(0), record);
}

TEST(record, FilesHoldManyAndSayTheirFormat) {
  const TemporaryFolder folder;
  const auto game = catalog::open_game("hex(n=3)");
  const std::vector<MatchRecord> records{played(*game, "random", "evals=1"),
                                         played(*game, "greedy", "evals=1")};
  for (const char* name : {"x.sgf", "x.jsonl"}) {
    write_file(folder / name, records_text(records, name));
    EXPECT_EQ(read_records(folder / name), records) << name;
  }
}

TEST(record, BudgetsGoThereAndBack) {
  MatchRecord record;
  record.game = "hex3(side=3)";
  record.players = {"human", "mcts", "maxn"};
  EXPECT_EQ(record_line(record).find("budgets"), std::string::npos) << "where none are told";
  record.budgets = {"", "evals=600,seconds=2", "seconds=1"};
  EXPECT_EQ(read_record_line(record_line(record)).budgets, record.budgets);
  const std::string sgf = sgf_text(record);
  EXPECT_NE(sgf.find("P3[maxn]B2[evals=600,seconds=2]B3[seconds=1]"), std::string::npos) << sgf;
  EXPECT_EQ(read_sgf(sgf).at(0).budgets, record.budgets);
  record.budgets.pop_back();
  EXPECT_NE(message_of([&] { read_record_line(record_line(record)); }).find("different lengths"),
            std::string::npos);
}

TEST(record, WhatIsNamedSgfIsReadAsSgf) {
  const auto wrong = [](const char* text, const char* name) {
    return message_of([&] { records_of_text(text, name); });
  };
  EXPECT_EQ(wrong("nonsense", "a.sgf"), "'a.sgf': line 1: a game begins with '('");
  EXPECT_NE(wrong("nonsense", "a.jsonl").find("'a.jsonl' line 1: no record"), std::string::npos);
  EXPECT_NE(wrong("{\"game\":", "a.sgf").find("no JSON"), std::string::npos)
      << "JSON lines are read whatever their name";
}

TEST(record, ReadsASavedGame) {
  const auto record = read_record_line(
      R"json({"game":"hex(n=3)","seed":4,"players":["human","greedy"],"moves":["a1","b2"]})json");
  EXPECT_EQ(record.moves.size(), 2u);
  EXPECT_EQ(record.moves[1].move, "b2");
  EXPECT_FALSE(record.over);
}

TEST(record, SeedsThatDoublesWouldLoseAreText) {
  MatchRecord record;
  record.game = "hex(n=3)";
  record.players = {"a", "b"};
  record.start = (std::uint64_t{1} << 53) - 1;
  EXPECT_NE(record_line(record).find(R"("seed":9007199254740991,)"), std::string::npos);
  record.start = ~std::uint64_t{0};
  EXPECT_NE(record_line(record).find(R"("seed":"18446744073709551615")"), std::string::npos);
  EXPECT_EQ(read_record_line(record_line(record)).start, record.start);
  for (const char* bad : {"-1", "1.5", "\"x\"", "\"18446744073709551616\"", "null"})
    EXPECT_THROW(read_record_line(R"({"game":"hex","players":[],"moves":[],"seed":)" +
                                  std::string(bad) + "}"),
                 Error)
        << bad;
}

TEST(record, ReplayTellsSeatsThatTheRecordDoesNot) {
  const auto record = replay(read_record_line(
      R"json({"game":"hex(n=3)","seed":4,"players":["human","greedy"],"moves":["a1","b2"]})json"));
  EXPECT_EQ(record.moves[0].seat, 0);
  EXPECT_EQ(record.moves[1].seat, 1);
}

TEST(record, ReplayFindsWhatIsWrong) {
  const auto game = catalog::open_game("hex3(side=3)");
  const auto good = played(*game, "random", "evals=1");
  EXPECT_EQ(message_of([&] { replay(good); }), "no error");
  const auto broken = [&](const std::function<void(MatchRecord&)>& change) {
    MatchRecord record = good;
    change(record);
    return message_of([&] { replay(record); });
  };
  EXPECT_NE(broken([](auto& r) { r.moves[4].move = "z9"; }).find("move 5: 'z9' is no legal move"),
            std::string::npos);
  EXPECT_NE(broken([](auto& r) { r.moves[1].seat = 2; }).find("move 2: seat 2 is to move, not 3"),
            std::string::npos);
  EXPECT_NE(broken([](auto& r) { r.moves.pop_back(); }).find("not over after the last move"),
            std::string::npos);
  EXPECT_NE(broken([](auto& r) { r.gain[0] += 1; }).find("result"), std::string::npos);
  EXPECT_NE(broken([](auto& r) { r.points[1] += 1; }).find("result"), std::string::npos);
  EXPECT_NE(broken([](auto& r) {
              r.points[0] = std::numeric_limits<float>::quiet_NaN();
              r.points[1] += 1;
            }).find("result"),
            std::string::npos)
      << "points that are told for some seats are told";
  EXPECT_EQ(broken([](auto& r) { r.points.seats.fill(std::numeric_limits<float>::quiet_NaN()); }),
            "no error");
  EXPECT_NE(broken([](auto& r) { r.moves.push_back(r.moves[0]); }).find("over before"),
            std::string::npos);
  EXPECT_NE(broken([](auto& r) { r.players.pop_back(); }).find("2 players, the game has 3 seats"),
            std::string::npos);
}

TEST(record, BadFilesAreNamedWithTheirLine) {
  const TemporaryFolder folder;
  const auto wrong = [&](const std::string& text) {
    write_file(folder / "x", text);
    return message_of([&] { read_records(folder / "x"); });
  };
  const std::string good =
      R"json({"game":"hex(n=3)","seed":4,"players":["a","b"],"moves":["a1"],"seats":"1"})json";
  EXPECT_EQ(wrong(good + "\n"), "no error");
  EXPECT_NE(wrong(good + "\n{\"game\":1\n").find("line 2"), std::string::npos);
  EXPECT_NE(
      wrong(R"json({"game":"hex","seed":4,"players":["a","b"],"moves":["a1"],"seats":"9"})json")
          .find("digits 1..4"),
      std::string::npos);
  EXPECT_NE(wrong("").find("holds no record"), std::string::npos);
  EXPECT_NE(wrong("(;GM[hex]\n;1[a1").find("line 2: a value without its ']'"), std::string::npos);
  EXPECT_NE(wrong("(;GM[hex];1[a1](;2[b1])(;2[c1]))").find("variations"), std::string::npos);
  EXPECT_NE(wrong("(;FF[4];1[a1])").find("no GM"), std::string::npos);
  EXPECT_NE(wrong("(;GM[hex]SD[x])").find("SD[x] is no number"), std::string::npos);
}

TEST(record, OtherSgfPropertiesArePassedOver) {
  const auto records =
      read_sgf("( ;GM[hex(n=3)] XY[1] C[a comment \\] ]\n ;1[b2]C[good!] ;2[a1] )\n");
  ASSERT_EQ(records.size(), 1u);
  ASSERT_EQ(records[0].moves.size(), 2u);
  EXPECT_EQ(records[0].moves[0].move, "b2");
  EXPECT_FALSE(records[0].moves[0].valued) << "a comment is not a value unless EV stands beside it";
}

}  // namespace
}  // namespace polymax::arena::record_test
