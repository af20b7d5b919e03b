// A record looked at again: values before every move, what the moves threw away.
#include "arena/review.hpp"

#include <gtest/gtest.h>

#include "arena/record.hpp"
#include "catalog/catalog.hpp"
#include "core/error.hpp"

namespace polymax::arena::review_test {
namespace {

MatchRecord record_with(const std::string& spec, const std::vector<std::string>& moves) {
  const auto game = catalog::open_game(spec);
  const auto match = game->start(0);
  for (const auto& move : moves) match->play(move);
  std::vector<std::string> players(static_cast<std::size_t>(game->players()), "human");
  return record_of(*game, 0, players, *match);
}

ReviewSettings solving() {
  ReviewSettings out;
  out.player = "maxn";
  out.budget = catalog::parse_budget("depth=9");
  out.threads = 2;
  return out;
}

// Seat 2 answers the corner with a side: the centre alone would hold. Seat 1 wins by force.
TEST(review, FindsTheLosingMove) {
  const auto seen =
      review(record_with("tictactoe", {"a1", "a2", "b2", "c3", "c1", "a3", "b1"}), solving());
  ASSERT_EQ(seen.moves.size(), 7u);
  EXPECT_EQ(seen.moves[0].grade, Grade::fine);
  EXPECT_EQ(seen.moves[1].grade, Grade::blunder);
  EXPECT_DOUBLE_EQ(*seen.moves[1].chances_lost, 0.5);  // from a draw to a loss
  EXPECT_EQ(seen.moves[1].best, "b2");
  EXPECT_EQ(seen.moves[1].seat, 1);
  for (std::size_t i = 2; i < 7; ++i) EXPECT_EQ(seen.moves[i].grade, Grade::fine) << i;
  EXPECT_EQ(seen.moves[2].before.chances, (Scores{{1, 0}}));
  EXPECT_TRUE(seen.over);
  EXPECT_EQ(seen.after.chances, (Scores{{1, 0}}));
}

TEST(review, WhatTheWatcherThrowsComesBack) {
  const auto stop = [](std::size_t done, std::size_t) {
    if (done == 3) throw std::runtime_error("enough");
  };
  EXPECT_THROW(review(record_with("tictactoe", {"a1", "b2", "c3"}), solving(), stop),
               std::runtime_error);
}

// A record may tell its moves alone, and may be wrong.
TEST(review, SeatsAreThoseOfTheRules) {
  const auto of_line = [](const std::string& more) {
    return review(read_record_line(R"({"game":"tictactoe","seed":0,"players":["a","b"],)" + more),
                  solving());
  };
  const auto seen = of_line(R"("moves":["a1","b2"]})");
  ASSERT_EQ(seen.moves.size(), 2u);
  EXPECT_EQ(seen.moves[0].seat, 0);
  EXPECT_EQ(seen.moves[1].seat, 1);
  EXPECT_THROW(of_line(R"("moves":["a1","b2"],"seats":"13"})"), Error);
  EXPECT_THROW(of_line(R"("moves":["a1","b2"],"seats":"11"})"), Error);
  EXPECT_THROW(of_line(R"("moves":["a1","a1"]})"), Error);
  auto endless = solving();
  endless.player = "mcts";
  EXPECT_THROW(review(record_with("tictactoe", {"a1"}), endless), Error);
}

TEST(review, IsTheSameForAnyNumberOfThreads) {
  auto settings = solving();
  settings.player = "mcts";
  settings.budget = catalog::parse_budget("evals=50");
  const auto record = record_with("hex(n=4)", {"b2", "c3", "a1"});
  const Review two = review(record, settings);
  EXPECT_EQ(two.moves.size(), 3u);
  settings.threads = 1;
  EXPECT_TRUE(review(record, settings) == two);
}

TEST(review, SaysWhatIsWrong) {
  auto record = record_with("tictactoe", {"a1"});
  record.moves[0].move = "z9";
  EXPECT_THROW(review(record, solving()), Error);
  auto settings = solving();
  settings.player = "nobody";
  EXPECT_THROW(review(record_with("tictactoe", {"a1"}), settings), Error);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(review(record_with("tictactoe", {"a1"}), solving(), {}, stop.get_token()), Error);
}

}  // namespace
}  // namespace polymax::arena::review_test
