#include "report/review_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "arena/record.hpp"
#include "catalog/catalog.hpp"
#include "report/review_svg.hpp"
#include "tests/count.hpp"

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

TEST(review_svg, MistakesAreDotsOnTheCurves) {
  arena::Review review = blundered();
  review.moves.resize(1);
  review.moves[0].grade = arena::Grade::fine;
  while (review.moves.size() < 300) review.moves.push_back(review.moves[0]);
  auto& move = review.moves[151];
  move.grade = arena::Grade::blunder;
  move.before.chances->seats[0] = 1;
  move.before.chances->seats[1] = 0;
  const std::string drawn = review_svg(review);
  EXPECT_EQ(drawn.find("<svg xmlns="), 0u);
  EXPECT_EQ(count(drawn, "<svg"), 1u);
  EXPECT_EQ(count(drawn, "</svg>"), 1u);
  const std::string dot = "<circle class=\"point s4\" cx=\"";
  const auto at = drawn.find(dot) + dot.size();
  ASSERT_NE(drawn.find(dot), std::string::npos);
  const std::string x = drawn.substr(at, drawn.find('"', at) - at);
  const auto up = drawn.find("cy=\"", at) + 4;
  const std::string y = drawn.substr(up, drawn.find('"', up) - up);
  EXPECT_NE(drawn.find("L" + x + " " + y), std::string::npos) << "not on its curve";
}

}  // namespace
}  // namespace polymax::report::review_text_test
