// Scores of several seats and the three terminal evaluations.
#include "core/points.hpp"

#include <gtest/gtest.h>

namespace polymax::points_test {
namespace {

TEST(scores, SeatsBeyondThePlayersStayZero) {
  EXPECT_EQ(all_seats(3, 2.0f), (Scores{{2, 2, 2, 0}}));
  EXPECT_EQ(all_seats(4, -1.0f), (Scores{{-1, -1, -1, -1}}));
  EXPECT_EQ(one_winner(1, 2), (Scores{{-1, 1, 0, 0}}));
  EXPECT_EQ(one_winner(3, 4), (Scores{{-1, -1, -1, 1}}));
}

TEST(scores, AllLeadersWin) {
  EXPECT_EQ(leaders_win({{5, 7, 6}}, 3), (Scores{{-1, 1, -1, 0}}));
  EXPECT_EQ(leaders_win({{7, 5, 7}}, 3), (Scores{{1, -1, 1, 0}}));
  EXPECT_EQ(leaders_win({{4, 4, 4, 4}}, 4), (Scores{{1, 1, 1, 1}}));
  EXPECT_EQ(leaders_win({{-5, -7}}, 2), (Scores{{1, -1}})) << "the empty seats' zeros do not count";
}

TEST(scores, JointWinsAreShared) {
  std::array<double, kMaxPlayers> wins{};
  EXPECT_TRUE(add_wins({{1, -1, -1}}, 3, wins));
  EXPECT_TRUE(add_wins({{1, 1, -1}}, 3, wins));
  EXPECT_FALSE(add_wins({}, 3, wins)) << "a draw";
  EXPECT_EQ(wins, (std::array<double, kMaxPlayers>{1.5, 0.5}));
}

TEST(scores, AreReadAndWrittenBySeat) {
  Scores scores;
  scores[2] = 1.5f;
  EXPECT_EQ(scores, (Scores{{0, 0, 1.5f, 0}}));
  EXPECT_EQ(static_cast<const Scores&>(scores)[2], 1.5f);
}

TEST(points, DepthPrefersQuickWinsAndLateLosses) {
  EXPECT_EQ(additive_depth({{1, -1, -1}}, 127, 100), (Scores{{28, -28, -28}}));
  EXPECT_EQ(additive_depth({{1, -1, -1}}, 127, 127), (Scores{{1, -1, -1}}));
  EXPECT_EQ(additive_depth({}, 127, 60), Scores{});
  EXPECT_GT(additive_depth({{1, -1}}, 9, 5)[0], additive_depth({{1, -1}}, 9, 6)[0]);
  EXPECT_LT(additive_depth({{1, -1}}, 9, 5)[1], additive_depth({{1, -1}}, 9, 6)[1]);
}

struct MadeUpGame {
  struct State {};
  State end{};
  Scores score(State) const { return {{12, 30, 7}}; }
  Scores gain(State) const { return {{-1, 1, -1}}; }
  int played(State) const { return 15; }
  int max_length() const { return 20; }
};

TEST(points, AreTheChosenOnes) {
  const MadeUpGame game{};
  EXPECT_EQ(terminal_points(game, game.end, Points::score), (Scores{{12, 30, 7}}));
  EXPECT_EQ(terminal_points(game, game.end, Points::gain), (Scores{{-1, 1, -1}}));
  EXPECT_EQ(terminal_points(game, game.end, Points::depth), (Scores{{-6, 6, -6}}));
}

TEST(points, NamesFollowTheEnumerators) {
  EXPECT_EQ(kPointsNames[static_cast<std::size_t>(Points::score)], "score");
  EXPECT_EQ(kPointsNames[static_cast<std::size_t>(Points::depth)], "depth");
  EXPECT_EQ(kPointsNames[static_cast<std::size_t>(Points::gain)], "gain");
}

}  // namespace
}  // namespace polymax::points_test
