// Quadrothello against a naive second implementation: a map and plain loops.
#include "games/quadrothello.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "catalog/random_play.hpp"
#include "tests/games/against_naive.hpp"

namespace polymax::quadrothello_test {
namespace {

using Place = std::pair<int, int>;  // row from the top, column

struct Naive {
  int n;
  std::map<Place, int> stones;
  int turn = 0;
  bool over = false;
  Scores score;

  explicit Naive(int size) : n(size) {
    const int a = n / 2 - 2, b = n / 2 - 1, c = n / 2, d = n / 2 + 1;
    stones = {{{a, a}, 0}, {{b, b}, 0}, {{a, b}, 3}, {{b, a}, 3},   // top left
              {{a, d}, 1}, {{b, c}, 1}, {{a, c}, 0}, {{b, d}, 0},   // top right
              {{d, d}, 2}, {{c, c}, 2}, {{c, d}, 1}, {{d, c}, 1},   // bottom right
              {{d, a}, 3}, {{c, b}, 3}, {{c, a}, 2}, {{d, b}, 2}};  // bottom left
  }

  bool in_zone(int r, int c, int seat) const {
    switch (seat) {
      case 0:
        return r < n / 2;
      case 1:
        return c >= n / 2;
      case 2:
        return r >= n / 2;
      default:
        return c < n / 2;
    }
  }

  std::vector<Place> captures(Place at, int seat) const {
    std::vector<Place> out;
    if (stones.contains(at) || !in_zone(at.first, at.second, seat)) return out;
    for (int dr = -1; dr <= 1; ++dr)
      for (int dc = -1; dc <= 1; ++dc) {
        std::vector<Place> run;
        Place to{at.first + dr, at.second + dc};
        for (; stones.contains(to) && stones.at(to) != seat; to = {to.first + dr, to.second + dc})
          run.push_back(to);
        if (stones.contains(to)) out.insert(out.end(), run.begin(), run.end());
      }
    return out;
  }

  std::set<std::string> moves_of(int seat) const {
    std::set<std::string> out;
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c)
        if (!captures({r, c}, seat).empty())
          out.insert(std::string(1, static_cast<char>('a' + c)) + std::to_string(n - r));
    return out;
  }

  std::set<std::string> moves() const { return over ? std::set<std::string>{} : moves_of(turn); }

  void play(const std::string& text) {
    const Place at{n - std::stoi(text.substr(1)), text[0] - 'a'};
    for (const auto& stone : captures(at, turn)) stones[stone] = turn;
    stones[at] = turn;
    for (int i = 0; i < 4; ++i) {
      turn = (turn + 1) % 4;
      if (!moves_of(turn).empty()) return;
    }
    finish();
  }

  void finish() {
    over = true;
    for (const auto& [place, seat] : stones) ++score[seat];
  }

  Scores gain() const {
    Scores out;
    for (int p = 0; p < 4; ++p)
      out[p] = score[p] == *std::ranges::max_element(score.seats) ? 1.0f : -1.0f;
    return out;
  }
};

TEST(quadrothello, AgreesWithTheNaiveRules) {
  EXPECT_GT(naive::compare_games(quadrothello::Rules(), Naive(14), 12), 2000);
  for (const int n : {6, 8}) naive::compare_games(quadrothello::Rules({n}), Naive(n), 80);
  for (const int n : {10, 12}) naive::compare_games(quadrothello::Rules({n}), Naive(n), 8);
  for (const int n : {16, 18, 20}) naive::compare_games(quadrothello::Rules({n}), Naive(n), 1);
}

TEST(quadrothello, SameNumbersOfSequences) {
  for (const int n : {6, 14}) {
    const quadrothello::Rules game({n});
    for (int depth = 1; depth <= 4; ++depth)
      EXPECT_EQ(naive::count_sequences(game, game.start(0), depth),
                naive::count_sequences(Naive(n), depth));
  }
}

// a14-n14 is the top row. Seat 0 to move encloses the stones of 1, 2 and 3 in one run that ends in
// the lower half.
TEST(quadrothello, RunsMixColoursAndLeaveTheZone) {
  const quadrothello::Rules game;
  auto state = game.start(0);
  state.stones = {};
  for (int i = 0; i < 10; ++i)
    state.put(static_cast<std::size_t>(1 + i % 3), (3 + i) * 14);  // a11 .. a2
  state.put(0, 13 * 14);                                           // a1
  const auto given = game.give_turn(state, 0);
  ASSERT_TRUE(given.has_value());
  EXPECT_EQ(uniform::texts(game, *given), std::vector<std::string>{"a12"});
  auto next = *given;
  game.play(next, uniform::legal(game, next).front());
  EXPECT_EQ(next.stones[0].count(), 12);
  EXPECT_TRUE(game.over(next));
  EXPECT_FALSE(game.give_turn(state, 1).has_value());
}

TEST(quadrothello, EstimateSharesTheBoard) {
  const quadrothello::Rules game;
  for (const auto& state : uniform::random_game(game, 3).states) {
    const Scores guess = game.estimate(state);
    EXPECT_NEAR(std::accumulate(guess.seats.begin(), guess.seats.end(), 0.0f), 196, 1e-2);
  }
}

TEST(quadrothello, RandomPlay) {
  const auto r = play_randomly(quadrothello::Rules(), 5, {.games = 8000});
  const auto games = static_cast<double>(r.games);
  EXPECT_NEAR(static_cast<double>(r.moves) / games, 179.6, 0.3);
  EXPECT_EQ(r.longest, 180);
  EXPECT_NEAR(static_cast<double>(r.choices) / static_cast<double>(r.moves), 9.7, 0.1);
  EXPECT_NEAR(r.most_choices, 28, 4);
  const std::vector<double> wins{0.256, 0.250, 0.250, 0.243};
  for (std::size_t p = 0; p < 4; ++p) EXPECT_NEAR(r.wins[p] / games, wins[p], 0.025);
  EXPECT_EQ(r.draws, 0u);
}

TEST(quadrothello, OtherSizesObeyTheContract) {
  for (const int n : {6, 8, 10, 16, 20})
    uniform::check_game(quadrothello::Rules({n}), n < 10 ? 8 : 2);
}

TEST(quadrothello, BadOptionsThrow) {
  for (const auto* text :
       {"quadrothello(n=4)", "quadrothello(n=13)", "quadrothello(n=22)", "quadrothello(side=8)"})
    EXPECT_THROW(read_settings<quadrothello::Options>(Spec::parse(text)), Error) << text;
}

}  // namespace
}  // namespace polymax::quadrothello_test
