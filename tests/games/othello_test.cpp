// Othello against a naive second implementation (a map and plain loops), known counts and known
// results.
#include "games/othello.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "catalog/random_play.hpp"
#include "tests/games/against_naive.hpp"

namespace polymax::othello_test {
namespace {

using Place = std::pair<int, int>;  // row from the top, column

struct Naive {
  int n;
  std::map<Place, int> discs;
  int turn = 0;
  bool over = false;
  Scores score;

  explicit Naive(int size) : n(size) {
    const int h = n / 2;
    discs = {{{h - 1, h}, 0}, {{h, h - 1}, 0}, {{h - 1, h - 1}, 1}, {{h, h}, 1}};
  }

  std::vector<Place> flips(Place at, int seat) const {
    std::vector<Place> out;
    if (discs.contains(at)) return out;
    for (int dr = -1; dr <= 1; ++dr)
      for (int dc = -1; dc <= 1; ++dc) {
        std::vector<Place> run;
        Place to{at.first + dr, at.second + dc};
        for (; discs.contains(to) && discs.at(to) != seat; to = {to.first + dr, to.second + dc})
          run.push_back(to);
        if (discs.contains(to)) out.insert(out.end(), run.begin(), run.end());
      }
    return out;
  }

  std::set<std::string> moves_of(int seat) const {
    std::set<std::string> out;
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c)
        if (!flips({r, c}, seat).empty())
          out.insert(std::string(1, static_cast<char>('a' + c)) + std::to_string(n - r));
    return out;
  }

  std::set<std::string> moves() const { return over ? std::set<std::string>{} : moves_of(turn); }

  void play(const std::string& text) {
    const Place at{n - std::stoi(text.substr(1)), text[0] - 'a'};
    for (const auto& disc : flips(at, turn)) discs[disc] = turn;
    discs[at] = turn;
    if (!moves_of(1 - turn).empty()) turn = 1 - turn;
    if (moves_of(turn).empty()) finish();
  }

  void finish() {
    over = true;
    for (const auto& [place, seat] : discs) ++score[seat], --score[1 - seat];
  }
};

TEST(othello, AgreesWithTheNaiveRules) {
  EXPECT_GT(naive::compare_games(othello::Rules(), Naive(8), 60), 3000);
  for (const int n : {4, 6}) naive::compare_games(othello::Rules({n}), Naive(n), 150);
  for (const int n : {10, 12, 14}) naive::compare_games(othello::Rules({n}), Naive(n), 4);
  for (const int n : {16, 18, 20}) naive::compare_games(othello::Rules({n}), Naive(n), 1);
}

TEST(othello, KnownNumbersOfSequences) {
  const othello::Rules game;
  const std::vector<std::uint64_t> known{4, 12, 56, 244, 1396, 8200, 55092, 390216};
  for (int depth = 1; depth <= 8; ++depth)
    EXPECT_EQ(naive::count_sequences(game, game.start(0), depth),
              known[static_cast<std::size_t>(depth - 1)]);
  for (const int n : {4, 6})
    EXPECT_EQ(naive::count_sequences(othello::Rules({n}), othello::Rules({n}).start(0), 6),
              naive::count_sequences(Naive(n), 6));
}

float best_lead(const othello::Rules& game, const othello::Rules::State& state) {
  if (game.over(state)) return game.score(state)[0];
  const float sign = state.turn == 0 ? 1.0f : -1.0f;
  float best = -100;
  for (const auto& move : uniform::legal(game, state)) {
    auto next = state;
    game.play(next, move);
    best = std::max(best, sign * best_lead(game, next));
  }
  return sign * best;
}

std::uint64_t finished_games(const othello::Rules& game, const othello::Rules::State& state) {
  if (game.over(state)) return 1;
  std::uint64_t sum = 0;
  for (const auto& move : uniform::legal(game, state)) {
    auto next = state;
    game.play(next, move);
    sum += finished_games(game, next);
  }
  return sum;
}

// Well known: the second player wins on 4 x 4. By 11 discs to 3, and 60,060 different games are
// possible.
TEST(othello, FourByFourIsSolved) {
  const othello::Rules game({4});
  EXPECT_EQ(finished_games(game, game.start(0)), 60060u);
  EXPECT_EQ(best_lead(game, game.start(0)), -8);
}

TEST(othello, EstimateIsZeroSum) {
  const othello::Rules game;
  for (const auto& state : uniform::random_game(game, 3).states) {
    const Scores guess = game.estimate(state);
    EXPECT_EQ(guess[0], -guess[1]);
  }
}

TEST(othello, SymmetriesKeepTheStart) {
  const othello::Rules game;
  const auto start = game.start(0);
  for (const auto& symmetry : game.symmetries()) {
    const auto image = game.turned(start, symmetry);
    EXPECT_EQ(image.stones, start.stones);
    EXPECT_EQ(image.turn, symmetry.seats[0]);
    EXPECT_EQ(image == start, symmetry.seats[0] == 0);
  }
}

// The end of a game is one position, whoever moved last.
TEST(othello, TurnsArePassedOver) {
  const othello::Rules game({4});
  int passes = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto played = uniform::random_game(game, seed);
    for (std::size_t i = 1; i + 1 < played.states.size(); ++i)
      if (played.states[i].turn == played.states[i - 1].turn) ++passes;
    EXPECT_EQ(played.states.back().turn, 0);
  }
  EXPECT_GT(passes, 10);
}

TEST(othello, RandomPlay) {
  const auto r = play_randomly(othello::Rules(), 5, {.games = 20000});
  const auto games = static_cast<double>(r.games);
  EXPECT_NEAR(static_cast<double>(r.moves) / games, 60.0, 0.1);
  EXPECT_NEAR(static_cast<double>(r.choices) / static_cast<double>(r.moves), 8.5, 0.1);
  EXPECT_NEAR(r.wins[0] / games, 0.455, 0.015);
  EXPECT_NEAR(r.wins[1] / games, 0.504, 0.015);
  EXPECT_NEAR(static_cast<double>(r.draws) / games, 0.042, 0.008);
}

TEST(othello, OtherSizesObeyTheContract) {
  for (const int n : {4, 6, 10, 12, 16, 20})
    uniform::check_game(othello::Rules({n}), n < 12 ? 8 : 2);
}

TEST(othello, BadOptionsThrow) {
  for (const auto* text :
       {"othello(n=7)", "othello(n=2)", "othello(n=22)", "othello(side=8)", "othello(n=x)"})
    EXPECT_THROW(read_settings<othello::Options>(Spec::parse(text)), Error) << text;
}

}  // namespace
}  // namespace polymax::othello_test
