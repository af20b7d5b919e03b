// Threehex against a naive second implementation: piles of pieces, flood fill.
#include "games/threehex.hpp"

#include <gtest/gtest.h>

#include <map>

#include "catalog/catalog.hpp"
#include "catalog/random_play.hpp"
#include "tests/games/against_naive.hpp"
#include "tests/games/naive_hexagon.hpp"

namespace polymax::threehex_test {
namespace {

struct Naive {
  naive::Hexagon board;
  std::map<naive::Place, std::vector<int>> piles{};  // lowest piece first
  int turn = 0;
  bool over = false;
  Scores score{};

  bool may_take(int p, naive::Place c) const {
    const auto pile = piles.find(c);
    return pile == piles.end() || pile->second == std::vector{(p + 2) % 3};
  }

  std::set<std::string> moves_of(int p) const {
    std::set<std::string> out;
    for (const auto& c : board.cells())
      if (!over && may_take(p, c)) out.insert(naive::name(c));
    return out;
  }
  std::set<std::string> moves() const { return moves_of(turn); }

  void play(const std::string& text) {
    piles[naive::place(text)].push_back(turn);
    std::set<naive::Place> own;
    for (const auto& [c, pile] : piles)
      if (std::ranges::count(pile, turn) > 0) own.insert(c);
    if (board.joined(own, turn)) {
      over = true;
      for (int p = 0; p < 3; ++p) score[p] = p == turn ? 1.0f : -1.0f;
      return;
    }
    for (int i = 0; i < 3; ++i) {
      turn = (turn + 1) % 3;
      if (!moves().empty()) return;
    }
    over = true;
  }
};

TEST(threehex, AgreesWithTheNaiveRules) {
  int positions = naive::compare_games(threehex::Rules(), Naive{{7}}, 12);
  for (const int side : {2, 3, 4, 5})
    positions += naive::compare_games(threehex::Rules({side}), Naive{{side}}, side == 2 ? 400 : 50);
  positions += naive::compare_games(threehex::Rules({10}), Naive{{10}}, 1);
  EXPECT_GT(positions, 10000);
}

TEST(threehex, CountsMoveSequencesLikeTheNaiveRules) {
  const auto game = catalog::open_game("threehex(side=2)");
  const auto counts = game->perft(*game->start(0), 7).sequences;
  for (int depth = 1; depth <= 7; ++depth)
    EXPECT_EQ(counts[static_cast<std::size_t>(depth - 1)],
              naive::count_sequences(Naive{{2}}, depth))
        << depth;
}

TEST(threehex, ASeatCoversOnlyItsPredecessorsSinglePieces) {
  const threehex::Rules game;
  const auto may = [&](const auto& state, const std::string& text) {
    const auto names = uniform::texts(game, state);
    return std::ranges::find(names, text) != names.end();
  };
  auto state = uniform::after(game, {"g7"});
  EXPECT_TRUE(may(state, "g7")) << "1 may cover 0";
  state = uniform::after(game, {"g7", "a1"});
  EXPECT_FALSE(may(state, "g7")) << "2 may not cover 0";
  EXPECT_TRUE(may(state, "a1")) << "2 may cover 1";
  state = uniform::after(game, {"g7", "g7"});
  EXPECT_FALSE(may(state, "g7")) << "two pieces are a full cell";
  const auto drawing = game.draw(state);
  const auto cell = std::ranges::find(drawing.cells, std::string("g7"), &DrawnCell::name);
  EXPECT_EQ(cell->owner, 1);
  EXPECT_EQ(cell->under, 0);
}

TEST(threehex, CoveredPiecesConnect) {
  const threehex::Rules game({2});
  const auto state = uniform::after(game, {"b1", "b1", "a2", "b2", "b2", "a1", "b3"});
  ASSERT_TRUE(game.over(state));
  EXPECT_EQ(game.gain(state), one_winner(0, 3))
      << "b1 under 1's piece, b2 under 2's, b3 of seat 0's: a column";
}

// Random games on small boards meet passes and draws.
TEST(threehex, PassesAndDraws) {
  int passes = 0, draws = 0;
  for (const int side : {2, 3, 4}) {
    const threehex::Rules game({side});
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
      int moves = 0, before = -1;
      const auto end = uniform::walk_randomly(game, seed, [&](const auto& state, const auto&) {
        passes += before >= 0 && game.to_move(state) != (before + 1) % 3;
        before = game.to_move(state);
        ++moves;
      });
      if (game.gain(end) != Scores{}) continue;
      ++draws;
      EXPECT_EQ(moves, game.max_length()) << "every cell holds two pieces";
    }
  }
  EXPECT_GT(passes, 0);
  EXPECT_GT(draws, 0);
}

TEST(threehex, OtherSizesObeyTheContract) {
  for (const int side : {2, 3, 5, 10}) uniform::check_game(threehex::Rules({side}), 4);
}

TEST(threehex, RandomGamesAreAsExpected) {
  constexpr int kGames = 3000;
  const auto play = play_randomly(threehex::Rules(), 1, {.games = kGames});
  EXPECT_NEAR(static_cast<double>(play.moves) / kGames, 178.5, 2);
  EXPECT_NEAR(static_cast<double>(play.choices) / static_cast<double>(play.moves), 73.6, 1);
  EXPECT_EQ(play.most_choices, 127);
  const std::array<double, 3> wins{0.346, 0.331, 0.323};
  for (std::size_t p = 0; p < 3; ++p) EXPECT_NEAR(play.wins[p] / kGames, wins[p], 0.03);
}

TEST(threehex, BadOptionsAreRefused) {
  for (const auto* spec : {"threehex(side=1)", "threehex(side=11)", "threehex(blocked=out)"})
    EXPECT_THROW(catalog::open_game(spec), Error) << spec;
}

}  // namespace
}  // namespace polymax::threehex_test
