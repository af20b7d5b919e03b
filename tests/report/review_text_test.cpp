#include "report/review_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "arena/record.hpp"
#include "catalog/catalog.hpp"

namespace polymax::report::review_text_test {
namespace {

// Seat 2 answers the corner with a side, which loses.
arena::Review blundered() {
  const auto game = catalog::open_game("tictactoe");
  const auto match = game->start(0);
  for (const char* move : {"a1", "a2", "b2"}) match->play(move);
  arena::ReviewSettings settings;
  settings.player = "maxn";
  settings.budget = catalog::parse_budget("depth=9");
  return review(arena::record_of(*game, 0, {"human", "human"}, *match), settings);
}

TEST(review_text, TheTableMarksMistakes) {
  const std::string text = review_text(blundered());
  EXPECT_NE(text.find("??"), std::string::npos) << text;
  EXPECT_NE(text.find("seat 2  human: 0 mistakes, 1 blunders"), std::string::npos) << text;
}

TEST(review_text, TheLineHasEveryMove) {
  const auto json = nlohmann::json::parse(review_line(blundered()));
  ASSERT_EQ(json.at("moves").size(), 3u);
  EXPECT_EQ(json.at("moves").at(1).at("grade"), "blunder");
  EXPECT_EQ(json.at("moves").at(1).at("best"), "b2");
  EXPECT_EQ(json.at("over"), false);
  EXPECT_EQ(json.at("after").at("chances").size(), 2u);
}

}  // namespace
}  // namespace polymax::report::review_text_test
