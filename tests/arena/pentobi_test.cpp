// Pentobi's files of Blokus, in both directions.
#include "arena/pentobi.hpp"

#include <gtest/gtest.h>

#include "arena/record.hpp"
#include "arena/sgf.hpp"
#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::arena::pentobi_test {
namespace {

MatchRecord played(const std::string& spec) {
  const auto game = catalog::open_game(spec);
  MatchSetup setup;
  setup.game = game.get();
  setup.players = std::vector<Spec>(4, Spec::parse("random"));
  setup.budgets = std::vector<Budget>(4, catalog::parse_budget("evals=1"));
  return play_match(setup);
}

TEST(pentobi, AMatchSurvivesItsFile) {
  for (const char* spec : {"blokus", "blokus(score=pieces)"}) {
    const MatchRecord before = played(spec);
    const TemporaryFolder folder;
    write_file(folder / "x.blksgf", records_text({before}, folder / "x.blksgf"));
    const auto after = read_records(folder / "x.blksgf");
    ASSERT_EQ(after.size(), 1u);
    EXPECT_EQ(after[0].game, before.game);
    EXPECT_EQ(after[0].players, before.players);
    EXPECT_EQ(after[0].gain, before.gain);
    EXPECT_EQ(after[0].score, before.score);
    ASSERT_EQ(after[0].moves.size(), before.moves.size());
    for (std::size_t i = 0; i < before.moves.size(); ++i) {
      EXPECT_EQ(after[0].moves[i].move, before.moves[i].move);
      EXPECT_EQ(after[0].moves[i].seat, before.moves[i].seat);
    }
    EXPECT_NO_THROW(replay(after[0]));
  }
}

// A match of Pentobi 22.1 (level 1) with itself, as it wrote it: ours has the same moves to the
// letter, and ends where Pentobi found no more.
TEST(pentobi, ItsOwnFileIsReadAndWrittenAgain) {
  const std::string text = read_file("tests/arena/pentobi_game.blksgf");
  const auto records = read_sgf(text);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].moves.size(), 66u);
  EXPECT_TRUE(records[0].over);
  EXPECT_EQ(records[0].score, (Scores{{80, 74, 60, 70}}));
  std::string ours = blksgf_text(records[0]);
  std::erase(ours, '\n');
  EXPECT_EQ(ours.substr(ours.find(";1[")) + "\n", text.substr(text.find(";1[")));
}

TEST(pentobi, AFileHoldsOneMatch) {
  const MatchRecord one = played("blokus");
  EXPECT_NE(message_of([&] {
              records_text({one, one}, "x.blksgf");
            }).find("one match, not 2"),
            std::string::npos);
  EXPECT_NE(message_of([&] { records_text({}, "x.blksgf"); }).find("one match, not 0"),
            std::string::npos);
}

// As Pentobi writes it: variations, comments, marks, several values of one property.
TEST(pentobi, TheMainLineOfATreeIsRead) {
  const auto records = read_sgf(
      "(\n;CA[UTF-8]AP[Pentobi:22.1]GM[Blokus]DT[2024-01-01]P1[Anna [\\]]\n"
      ";1[a18,b18,a19,a20]C[good]TE[1]\n"
      "(;2[s20,t20]N[x]\n(;3[s1,t1];4[a1,b1])\n(;3[t1]))\n(;2[t20](;3[t1])(;3[s1,t1])))\n");
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].game, "blokus");
  EXPECT_EQ(records[0].players, (std::vector<std::string>{"Anna []", "human", "human", "human"}));
  ASSERT_EQ(records[0].moves.size(), 4u);
  EXPECT_EQ(records[0].moves[0].move, "a20-a19-a18-b18");
  EXPECT_EQ(records[0].moves[3].move, "a1-b1");
  EXPECT_FALSE(records[0].over);
}

TEST(pentobi, WhatCannotBePlayedIsRefused) {
  const auto wrong = [](const std::string& text) { return message_of([&] { read_sgf(text); }); };
  EXPECT_NE(wrong("(;GM[Blokus]A1[a20][b19];2[t20])").find("set up beforehand (A1)"),
            std::string::npos);
  EXPECT_NE(wrong("(;GM[Blokus];1[c3])").find("move 1: 'c3' is no legal move"), std::string::npos);
  EXPECT_NE(wrong("(;GM[Blokus];2[t20])").find("move 1: it is the turn of seat 1"),
            std::string::npos);
  EXPECT_NE(wrong("(;GM[Blokus];1[nonsense])").find("no list of cells"), std::string::npos);
  EXPECT_NE(wrong("(;GM[Blokus](;1[a20])(;1[a20)").find("without its ']'"), std::string::npos);
  EXPECT_NE(wrong("(;GM[Blokus](;1[a20])(;1[a20]").find("ends with ')'"), std::string::npos);
  MatchRecord hex;
  hex.game = "hex";
  EXPECT_THROW(blksgf_text(hex), Error);
}

}  // namespace
}  // namespace polymax::arena::pentobi_test
