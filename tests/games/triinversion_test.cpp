// Triinversion against a naive second implementation: a map of cells and plain walks along lines.
#include "games/triinversion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "catalog/random_play.hpp"
#include "tests/games/against_naive.hpp"

namespace polymax::triinversion_test {
namespace {

using Place = std::pair<int, int>;  // x, y

// Clockwise from the top left.
const std::vector<Place> kSteps{{0, 1}, {1, 1}, {1, 0}, {0, -1}, {-1, -1}, {-1, 0}};

struct Naive {
  int side;
  std::map<Place, int> pieces;
  int turn = 0;
  bool over = false;
  Scores score;

  explicit Naive(int given) : side(given) {
    for (std::size_t i = 0; i < 6; ++i)
      pieces[{side - 1 + kSteps[i].first, side - 1 + kSteps[i].second}] = static_cast<int>(i % 3);
  }

  bool is_cell(Place at) const {
    const auto [x, y] = at;
    if (x == side - 1 && y == side - 1) return false;
    return x >= 0 && y >= 0 && x < 2 * side - 1 && y < 2 * side - 1 && std::abs(x - y) < side;
  }

  // The next cell in a line; behind the centre where that is next.
  Place beyond(Place at, Place step) const {
    Place to{at.first + step.first, at.second + step.second};
    if (to == Place{side - 1, side - 1}) to = {to.first + step.first, to.second + step.second};
    return to;
  }

  std::vector<Place> captures(Place at, int seat) const {
    std::vector<Place> out;
    if (!is_cell(at) || pieces.contains(at)) return out;
    const int direct = seat == 0 ? 2 : seat - 1;
    for (const auto& step : kSteps) {
      std::vector<Place> run;
      Place to = beyond(at, step);
      for (; pieces.contains(to) && pieces.at(to) == direct; to = beyond(to, step))
        run.push_back(to);
      if (pieces.contains(to)) out.insert(out.end(), run.begin(), run.end());
    }
    return out;
  }

  std::set<std::string> moves_of(int seat) const {
    std::set<std::string> out;
    for (int x = 0; x < 2 * side - 1; ++x)
      for (int y = 0; y < 2 * side - 1; ++y)
        if (!captures({x, y}, seat).empty())
          out.insert(std::string(1, static_cast<char>('a' + x)) + std::to_string(y + 1));
    return out;
  }

  std::set<std::string> moves() const { return over ? std::set<std::string>{} : moves_of(turn); }

  void play(const std::string& text) {
    const Place at{text[0] - 'a', std::stoi(text.substr(1)) - 1};
    for (const auto& piece : captures(at, turn)) pieces[piece] = turn;
    pieces[at] = turn;
    for (int i = 0; i < 3; ++i) {
      turn = (turn + 1) % 3;
      if (!moves_of(turn).empty()) return;
    }
    finish();
  }

  void finish() {
    over = true;
    for (const auto& [place, seat] : pieces)
      for (const int p : {seat, seat == 0 ? 2 : seat - 1}) ++score[p];
  }

  Scores gain() const {
    Scores out;
    for (int p = 0; p < 3; ++p)
      out[p] = score[p] == *std::ranges::max_element(score.seats) ? 1.0f : -1.0f;
    return out;
  }
};

TEST(triinversion, AgreesWithTheNaiveRules) {
  EXPECT_GT(naive::compare_games(triinversion::Rules(), Naive(6), 30), 2400);
  for (const int side : {3, 4, 5})
    naive::compare_games(triinversion::Rules({side}), Naive(side), 60);
  for (const int side : {7, 8, 9, 10})
    naive::compare_games(triinversion::Rules({side}), Naive(side), 3);
}

TEST(triinversion, SameNumbersOfSequences) {
  for (const int side : {3, 6}) {
    const triinversion::Rules game({side});
    for (int depth = 1; depth <= 5; ++depth)
      EXPECT_EQ(naive::count_sequences(game, game.start(0), depth),
                naive::count_sequences(Naive(side), depth));
  }
}

// Max^n values of all positions below; the first or the last best move decides among ties.
struct Maxn {
  const triinversion::Rules& game;
  Points points;
  bool last;
  std::unordered_map<std::uint64_t, Scores> known{};

  Scores value(const triinversion::Rules::State& state) {
    if (game.over(state)) return terminal_points(game, state, points);
    if (const auto found = known.find(state.hash); found != known.end()) return found->second;
    const int p = state.turn;
    auto list = uniform::legal(game, state);
    if (last) std::ranges::reverse(list);
    Scores best;
    best[p] = -100;
    for (const auto& move : list) {
      auto next = state;
      game.play(next, move);
      const Scores below = value(next);
      if (below[p] > best[p]) best = below;
    }
    return known[state.hash] = best;
  }
};

// Joint wins make max^n cooperate when only they count.
TEST(triinversion, SideThreeIsSolved) {
  const triinversion::Rules game({3});
  for (const bool last : {false, true}) {
    Maxn gain{game, Points::gain, last}, score{game, Points::score, last};
    EXPECT_EQ(gain.value(game.start(0)), (Scores{{1, 1, 1}}));
    EXPECT_EQ(score.value(game.start(0)), (Scores{{10, 17, 9}}));
  }
}

TEST(triinversion, EstimateSharesTheBoard) {
  const triinversion::Rules game;
  for (const auto& state : uniform::random_game(game, 3).states) {
    const Scores guess = game.estimate(state);
    EXPECT_NEAR(std::accumulate(guess.seats.begin(), guess.seats.end(), 0.0f), 2 * 90, 1e-2);
  }
}

TEST(triinversion, RandomPlay) {
  const auto r = play_randomly(triinversion::Rules(), 5, {.games = 12000});
  const auto games = static_cast<double>(r.games);
  EXPECT_NEAR(static_cast<double>(r.moves) / games, 84.0, 0.05);
  EXPECT_EQ(r.longest, 84);
  EXPECT_NEAR(static_cast<double>(r.choices) / static_cast<double>(r.moves), 8.2, 0.15);
  EXPECT_NEAR(r.most_choices, 25, 3);
  const std::vector<double> wins{0.328, 0.348, 0.324};
  for (std::size_t p = 0; p < 3; ++p) EXPECT_NEAR(r.wins[p] / games, wins[p], 0.025);
  EXPECT_EQ(r.draws, 0u);
}

TEST(triinversion, OtherSizesObeyTheContract) {
  for (const int side : {3, 4, 5, 8, 10})
    uniform::check_game(triinversion::Rules({side}), side < 6 ? 8 : 2);
}

TEST(triinversion, BadOptionsThrow) {
  for (const auto* text : {"triinversion(side=2)", "triinversion(side=11)", "triinversion(n=6)"})
    EXPECT_THROW(read_settings<triinversion::Options>(Spec::parse(text)), Error) << text;
}

}  // namespace
}  // namespace polymax::triinversion_test
