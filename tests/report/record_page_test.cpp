// The page of one recorded match.
#include "report/record_page.hpp"

#include <gtest/gtest.h>

#include "arena/record.hpp"
#include "catalog/catalog.hpp"

namespace polymax::report::record_page_test {
namespace {

TEST(record_page, TellsWhoForfeitedAndWhy) {
  const auto game = catalog::open_game("tictactoe");
  const auto match = game->start(0);
  match->play("b2");
  auto record = arena::record_of(*game, 0, {"random", "engine"}, *match);
  EXPECT_NE(record_page(*game, record, "a match", "0.sgf").find("Not finished."),
            std::string::npos);
  arena::end_by_forfeit(record, 1, "it <crashed>");
  const std::string page = record_page(*game, record, "a match", "0.sgf");
  EXPECT_NE(page.find("<b>Forfeited</b> by seat 2: it &lt;crashed&gt;"), std::string::npos) << page;
  EXPECT_EQ(page.find("Gain"), std::string::npos);
}

}  // namespace
}  // namespace polymax::report::record_page_test
