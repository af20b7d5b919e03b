// Hex against a naive second implementation: sets and flood fill, no bitboards.
#include "games/hex.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "tests/games/uniform.hpp"

namespace polymax {
namespace {

using Place = std::pair<int, int>;  // row from the top, column

struct Naive {
  int n;
  std::map<Place, int> stones;
  int turn = 0, winner = -1;

  std::set<std::string> moves() const {
    std::set<std::string> out;
    for (int r = 0; r < n && winner < 0; ++r)
      for (int c = 0; c < n; ++c)
        if (!stones.contains({r, c}))
          out.insert(std::string(1, static_cast<char>('a' + c)) + std::to_string(r + 1));
    return out;
  }

  void play(const std::string& text) {
    stones[{std::stoi(text.substr(1)) - 1, text[0] - 'a'}] = turn;
    if (connected(turn)) winner = turn;
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

void compare(int n, int games) {
  const hex::Rules game({n});
  for (int i = 0; i < games; ++i) {
    const auto played = uniform::random_game(game, static_cast<std::uint64_t>(i));
    Naive naive{n, {}};
    for (std::size_t ply = 0; ply < played.states.size(); ++ply) {
      const auto& state = played.states[ply];
      const auto names = uniform::texts(game, state);
      ASSERT_EQ(naive.moves(), std::set<std::string>(names.begin(), names.end()));
      ASSERT_EQ(naive.winner, state.winner);
      if (ply == played.moves.size()) break;
      ASSERT_EQ(naive.turn, game.to_move(state));
      naive.play(game.move_text(state, played.moves[ply]));
    }
  }
}

TEST(hex, AgreesWithTheNaiveRules) {
  compare(11, 20);
  for (const int n : {2, 3, 5, 8}) compare(n, 60);
  compare(20, 2);
}

TEST(hex, OtherSizesObeyTheContract) {
  for (const int n : {2, 3, 6, 13, 20}) uniform::check_game(hex::Rules({n}), 4);
}

}  // namespace
}  // namespace polymax
