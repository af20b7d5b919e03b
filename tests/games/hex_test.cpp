// Hex against a naive second implementation: sets and flood fill, no bitboards.
#include "games/hex.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "tests/games/against_naive.hpp"

namespace polymax::hex_test {
namespace {

using Place = std::pair<int, int>;  // row from the top, column

struct Naive {
  int n;
  std::map<Place, int> stones{};
  int turn = 0;
  bool over = false;
  Scores score{};

  std::set<std::string> moves() const {
    std::set<std::string> out;
    for (int r = 0; r < n && !over; ++r)
      for (int c = 0; c < n; ++c)
        if (!stones.contains({r, c}))
          out.insert(std::string(1, static_cast<char>('a' + c)) + std::to_string(r + 1));
    return out;
  }

  void play(const std::string& text) {
    stones[{std::stoi(text.substr(1)) - 1, text[0] - 'a'}] = turn;
    over = connected(turn);
    if (over) score = one_winner(turn, 2);
    turn = 1 - turn;
  }

  bool connected(int p) const {
    std::set<Place> seen;
    std::vector<Place> open;
    for (const auto& [place, owner] : stones)
      if (owner == p && (p == 0 ? place.first : place.second) == 0) open.push_back(place);
    while (!open.empty()) {
      const auto [r, c] = open.back();
      open.pop_back();
      if (!seen.insert({r, c}).second) continue;
      if ((p == 0 ? r : c) == n - 1) return true;
      for (const auto& [dr, dc] :
           std::vector<Place>{{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {-1, 1}, {1, -1}}) {
        const auto next = stones.find({r + dr, c + dc});
        if (next != stones.end() && next->second == p) open.push_back(next->first);
      }
    }
    return false;
  }
};

TEST(hex, AgreesWithTheNaiveRules) {
  const auto compare = [](int n, int games) {
    return naive::compare_games(hex::Rules({n}), Naive{n}, games);
  };
  int positions = compare(11, 20) + compare(20, 2);
  for (const int n : {2, 3, 5, 8}) positions += compare(n, 60);
  EXPECT_GT(positions, 5000);
}

TEST(hex, OtherSizesObeyTheContract) {
  for (const int n : {2, 3, 6, 13, 20}) uniform::check_game(hex::Rules({n}), 4);
}

}  // namespace
}  // namespace polymax::hex_test
