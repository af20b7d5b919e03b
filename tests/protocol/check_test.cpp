// check-engine accepts our engine in both languages and names the first fault of others.
#include "protocol/check.hpp"

#include <gtest/gtest.h>

#include "catalog/catalog.hpp"

namespace polymax::protocol::check_test {
namespace {

CheckedStep last_step(const std::string& game, const std::string& cmd, Language language,
                      bool expected) {
  CheckedStep last;
  std::string begun;
  TalkLimits limits;
  limits.start = limits.move = 60;
  limits.grace = 20;
  EXPECT_EQ(check_engine(*catalog::open_game(game), cmd, language, limits,
                         {[&](const std::string& step) { begun = step; },
                          [&](const CheckedStep& step) { last = step; }}),
            expected)
      << game << ": " << last.name << ", expected " << last.expected << ", got " << last.got;
  EXPECT_EQ(begun, last.name) << "a step is announced before the program is asked";
  return last;
}

std::string own(const std::string& game, const std::string& more = "",
                const std::string& player = "mcts") {
  return POLYMAX_BINARY " engine '" + game + "' --player " + player + " --budget evals=20 " + more;
}

TEST(check, OurEnginePasses) {
  for (const char* game : {"tictactoe", "threehex(side=2)", "othello(n=4)"}) {
    EXPECT_EQ(last_step(game, own(game), Language::ugi, true).name, "quit");
    EXPECT_EQ(last_step(game, own(game, "--gtp"), Language::gtp, true).name, "quit");
  }
  EXPECT_EQ(last_step("amazons(n=4)", own("amazons(n=4)", "--gtp"), Language::gtp, true).name,
            "quit");
  EXPECT_EQ(last_step("blokus", own("blokus", "--gtp", "random"), Language::gtp, true).name,
            "quit");
}

// As the player reads them: comments come before answers, and not everybody knows set_game.
TEST(check, AcceptsGtpOfOthers) {
  const std::string comments = " | sed -u 's/^[=?]/# so I think\\n&/'";
  EXPECT_EQ(last_step("tictactoe", own("tictactoe", "--gtp") + comments, Language::gtp, true).name,
            "quit");
  const std::string deaf = "sed -u 's/^set_game.*/no_such_command/' | " +
                           own("blokus", "--gtp", "random") + " | sed -u '/^set_game$/d'";
  EXPECT_EQ(last_step("blokus", deaf, Language::gtp, true).name, "quit");
}

TEST(check, NamesTheFirstStepThatFails) {
  const auto dead = last_step("tictactoe", FAKE_ENGINE " dead", Language::ugi, false);
  EXPECT_EQ(dead.name, "ugi");
  EXPECT_EQ(dead.expected, "id lines, then ugiok");
  EXPECT_NE(dead.got.find("exit code 7"), std::string::npos) << dead.got;
  const auto other = last_step("tictactoe", FAKE_ENGINE " other_game", Language::ugi, false);
  EXPECT_EQ(other.expected, "id game tictactoe");
  EXPECT_EQ(other.got, "'id game chess'");
  const auto wrong = last_step("hex", own("tictactoe", "--gtp"), Language::gtp, false);
  EXPECT_EQ(wrong.name, "the game");
  EXPECT_EQ(last_step("tictactoe", own("tictactoe"), Language::gtp, false).name,
            "protocol_version");
}

}  // namespace
}  // namespace polymax::protocol::check_test
