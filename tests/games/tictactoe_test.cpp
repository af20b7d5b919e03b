// Tic-tac-toe against naive rules: a map of cells, all lines looked at after every move.
#include "games/tictactoe.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/games/against_naive.hpp"

namespace polymax::tictactoe_test {
namespace {

struct Naive {
  std::map<std::string, int> stones;
  int turn = 0;
  bool over = false;
  Scores score;

  std::set<std::string> moves() const {
    std::set<std::string> out;
    for (const char column : {'a', 'b', 'c'})
      for (const char row : {'1', '2', '3'})
        if (const std::string name{column, row}; !over && !stones.contains(name)) out.insert(name);
    return out;
  }

  bool owns(int p, const std::string& cell) const {
    const auto found = stones.find(cell);
    return found != stones.end() && found->second == p;
  }

  void play(const std::string& cell) {
    stones[cell] = turn;
    const std::vector<std::vector<std::string>> lines{
        {"a1", "b1", "c1"}, {"a2", "b2", "c2"}, {"a3", "b3", "c3"}, {"a1", "a2", "a3"},
        {"b1", "b2", "b3"}, {"c1", "c2", "c3"}, {"a1", "b2", "c3"}, {"a3", "b2", "c1"}};
    for (const auto& line : lines)
      if (owns(turn, line[0]) && owns(turn, line[1]) && owns(turn, line[2])) {
        over = true;
        score[turn] = 1;
        score[1 - turn] = -1;
      }
    over |= stones.size() == 9;
    turn = 1 - turn;
  }
};

TEST(tictactoe, AgreesWithTheNaiveRules) {
  EXPECT_GT(naive::compare_games(tictactoe::Rules(), Naive{}, 500), 3000);
}

TEST(tictactoe, NaiveRulesConfirmTheGoldenCounts) {
  EXPECT_EQ(naive::count_sequences(Naive{}, 5), 15120u);
  EXPECT_EQ(naive::count_sequences(Naive{}, 6), 54720u);
}

}  // namespace
}  // namespace polymax::tictactoe_test
