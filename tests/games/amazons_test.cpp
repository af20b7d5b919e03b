// Amazons against a naive second implementation: a map of squares, steps one by one.
#include "games/amazons.hpp"

#include <gtest/gtest.h>

#include <map>
#include <queue>
#include <set>

#include "core/error.hpp"
#include "core/lists.hpp"
#include "tests/games/against_naive.hpp"

namespace polymax::amazons_test {
namespace {

using Place = std::pair<int, int>;  // column, row from the bottom, from 0
const std::vector<Place> kDirections{{1, 0}, {-1, 0}, {0, 1},  {0, -1},
                                     {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

std::string name(Place at) {
  return std::string(1, static_cast<char>('a' + at.first)) + std::to_string(at.second + 1);
}
Place place(const std::string& text) {
  return {text[0] - 'a', std::stoi(text.substr(1)) - 1};
}

struct Naive {
  int n;
  std::map<Place, char> board;  // '0' or '1' an amazon, 'x' an arrow
  int turn = 0;
  std::string shooter;
  bool over = false;  // who cannot move loses
  Scores score{};

  explicit Naive(int side) : n(side) {
    const int k = (n - 1) / 3;
    for (const auto& [c, r] : std::vector<Place>{{k, 0}, {n - 1 - k, 0}, {0, k}, {n - 1, k}}) {
      board[{c, r}] = '0';
      board[{c, n - 1 - r}] = '1';
    }
  }

  std::vector<Place> queen(Place from) const {
    std::vector<Place> out;
    for (const auto& [dc, dr] : kDirections)
      for (Place at{from.first + dc, from.second + dr}; empty(at);
           at = {at.first + dc, at.second + dr})
        out.push_back(at);
    return out;
  }

  bool empty(Place at) const {
    return at.first >= 0 && at.first < n && at.second >= 0 && at.second < n && !board.contains(at);
  }

  std::set<std::string> moves() const {
    std::set<std::string> out;
    if (!shooter.empty()) {
      for (const auto& at : queen(place(shooter))) out.insert(name(at));
      return out;
    }
    for (const auto& [from, what] : board)
      if (what == '0' + turn)
        for (const auto& to : queen(from)) out.insert(name(from) + "-" + name(to));
    return out;
  }

  void play(const std::string& text) {
    if (shooter.empty()) {
      const auto cells = split(text, '-');
      board[place(cells[1])] = board[place(cells[0])];
      board.erase(place(cells[0]));
      shooter = cells[1];
    } else {
      board[place(text)] = 'x';
      shooter.clear();
      turn = 1 - turn;
      over = moves().empty();
      if (over) score = one_winner(1 - turn, 2);
    }
  }

  // Moves from the seat's amazons to every square, at most `depth`.
  std::map<Place, int> distances(int seat, int depth, bool queens) const {
    std::map<Place, int> out;
    std::queue<Place> open;
    for (const auto& [at, what] : board)
      if (what == '0' + seat) {
        out[at] = 0;
        open.push(at);
      }
    for (; !open.empty() && out[open.front()] < depth; open.pop())
      for (const auto& to : queen(open.front())) {
        const bool near = std::abs(to.first - open.front().first) <= 1 &&
                          std::abs(to.second - open.front().second) <= 1;
        if ((queens || near) && out.emplace(to, out[open.front()] + 1).second) open.push(to);
      }
    return out;
  }
};

TEST(amazons, AgreesWithTheNaiveRules) {
  const auto compare = [](int n, int games) {
    return naive::compare_games(amazons::Rules({n}), Naive(n), games);
  };
  int positions = compare(10, 25);
  for (const int n : {4, 5, 6, 7, 8}) positions += compare(n, 60);
  for (const int n : {17, 18, 20}) positions += compare(n, 1);
  EXPECT_GT(positions, 10000);
}

TEST(amazons, KnownCounts) {
  const amazons::Rules game;
  const auto state = game.start(0);
  std::size_t turns = 0;
  for (const auto& move : uniform::legal(game, state)) {
    auto next = state;
    game.play(next, move);
    turns += uniform::legal(game, next).size();
  }
  EXPECT_EQ(turns, 2176u);
  EXPECT_EQ(naive::count_sequences(Naive(10), 2), 2176u);
  EXPECT_EQ(naive::count_sequences(Naive(10), 3), 168420u);
  EXPECT_EQ(naive::count_sequences(Naive(6), 3), 19936u);
  EXPECT_EQ(naive::count_sequences(Naive(4), 5), 44746u);
}

TEST(amazons, StartOfEverySize) {
  for (int n = 4; n <= 20; ++n) {
    const amazons::Rules game({n});
    std::map<Place, char> board;
    for (const auto& cell : game.draw(game.start(0)).cells)
      if (cell.owner >= 0) board[place(cell.name)] = static_cast<char>('0' + cell.owner);
    EXPECT_EQ(board, Naive(n).board) << n;
    EXPECT_EQ(board.size(), 8u) << n;
    EXPECT_EQ(game.max_length(), 2 * (n * n - 8));
  }
  EXPECT_EQ(read_settings<amazons::Options>(Spec::parse("amazons(n=4)")).n, 4);
  EXPECT_THROW(read_settings<amazons::Options>(Spec::parse("amazons(n=3)")), Error);
  EXPECT_THROW(read_settings<amazons::Options>(Spec::parse("amazons(n=21)")), Error);
}

TEST(amazons, WhichAmazonIsWhichDoesNotMatter) {
  const amazons::Rules game;
  const auto a = uniform::after(
      game, {"d1-e1", "e5", "d10-d9", "d10", "g1-g2", "g6", "g10-g9", "g10", "g2-f1", "f4"});
  const auto b = uniform::after(
      game, {"g1-e1", "e5", "d10-d9", "d10", "d1-d3", "g6", "g10-g9", "g10", "d3-f1", "f4"});
  EXPECT_TRUE(a == b);
  EXPECT_EQ(game.hash(a), game.hash(b));
  EXPECT_EQ(uniform::texts(game, a), uniform::texts(game, b)) << "same order of moves";
}

TEST(amazons, EstimateCountsWhoComesFirst) {
  for (const int n : {5, 10, 20}) {
    const amazons::Rules game({n});
    const auto played = uniform::random_game(game, 3);
    Naive naive(n);
    for (std::size_t ply = 0; ply < played.moves.size(); ++ply) {
      double lead = 0, all = 1;
      for (const bool queens : {true, false}) {
        const auto first = naive.distances(0, queens ? 2 : 4, queens),
                   second = naive.distances(1, queens ? 2 : 4, queens);
        std::set<Place> reached;
        for (const auto& distances : {first, second})
          for (const auto& [at, moves] : distances)
            if (moves > 0) reached.insert(at);
        for (const auto& at : reached) {
          const int a = first.contains(at) ? first.at(at) : 99,
                    b = second.contains(at) ? second.at(at) : 99;
          const bool next_is_0 = (naive.turn == 0) == naive.shooter.empty();
          lead += a < b ? 1 : a > b ? -1 : next_is_0 ? 0.2 : -0.2;
          all += 1;
        }
      }
      ASSERT_NEAR(game.estimate(played.states[ply])[0], lead / all, 1e-5)
          << "n " << n << " ply " << ply;
      naive.play(game.move_text(played.states[ply], played.moves[ply]));
    }
  }
}

TEST(amazons, OtherSizesObeyTheContract) {
  for (const int n : {4, 5, 7, 13, 20}) uniform::check_game(amazons::Rules({n}), 4);
}

}  // namespace
}  // namespace polymax::amazons_test
