// 3-Player Hex against a naive second implementation that asks by flood fill who can still connect.
#include "games/hex3.hpp"

#include <gtest/gtest.h>

#include <map>

#include "catalog/catalog.hpp"
#include "catalog/random_play.hpp"
#include "tests/games/against_naive.hpp"
#include "tests/games/naive_hexagon.hpp"

namespace polymax::hex3_test {
namespace {

using hex3::Blocked;

struct Naive {
  naive::Hexagon board;
  bool out_when_blocked;
  std::map<naive::Place, int> stones{};
  std::array<bool, 3> out{};
  int turn = 0;
  bool over = false;
  Scores score{};

  std::set<naive::Place> cells_of(int p, bool and_empty) const {
    std::set<naive::Place> found;
    for (const auto& c : board.cells()) {
      const auto stone = stones.find(c);
      if (stone == stones.end() ? and_empty : stone->second == p) found.insert(c);
    }
    return found;
  }

  std::set<std::string> moves() const {
    std::set<std::string> found;
    for (const auto& c : board.cells())
      if (!over && !stones.contains(c)) found.insert(naive::name(c));
    return found;
  }

  bool can_connect(int p) const { return board.joined(cells_of(p, true), p); }

  void play(const std::string& text) {
    const int mover = turn;
    stones[naive::place(text)] = mover;
    if (board.joined(cells_of(mover, false), mover)) return finish(mover);
    if (!out_when_blocked) {
      if (!can_connect(0) && !can_connect(1) && !can_connect(2)) over = true;
    } else {
      for (int p = 0; p < 3; ++p)
        if (p != mover && !can_connect(p)) out[static_cast<std::size_t>(p)] = true;
      if (std::ranges::count(out, true) == 2)
        return finish(static_cast<int>(std::ranges::find(out, false) - out.begin()));
    }
    do turn = (turn + 1) % 3;
    while (out[static_cast<std::size_t>(turn)]);
  }

  void finish(int winner) {
    over = true;
    for (int p = 0; p < 3; ++p) score[p] = p == winner ? 1.0f : -1.0f;
  }
};

hex3::Rules rules(int side, Blocked blocked) {
  return hex3::Rules({side, blocked});
}
Naive naive_start(int side, Blocked blocked) {
  return {{side}, blocked == Blocked::out};
}

TEST(hex3, AgreesWithTheNaiveRules) {
  int positions = 0;
  for (const auto blocked : {Blocked::draw, Blocked::out}) {
    positions += naive::compare_games(rules(7, blocked), naive_start(7, blocked), 12);
    for (const int side : {2, 3, 4, 5})
      positions += naive::compare_games(rules(side, blocked), naive_start(side, blocked), 50);
    positions += naive::compare_games(rules(10, blocked), naive_start(10, blocked), 1);
  }
  EXPECT_GT(positions, 10000);
}

// The state says of every seat whether it is cut off; flood fill must say the same.
TEST(hex3, CutOffIsWhatFloodFillSays) {
  const auto game = rules(6, Blocked::draw);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto played = uniform::random_game(game, seed);
    Naive naive = naive_start(6, Blocked::draw);
    for (std::size_t ply = 0; ply < played.moves.size(); ++ply) {
      naive.play(game.move_text(played.states[ply], played.moves[ply]));
      for (int p = 0; p < 3; ++p)
        ASSERT_EQ(played.states[ply + 1].cut >> p & 1, naive.can_connect(p) ? 0 : 1)
            << "seat " << p << ", ply " << ply;
    }
  }
}

TEST(hex3, CountsMoveSequencesLikeTheNaiveRules) {
  for (const auto& spec : {"hex3(side=2)", "hex3(side=2,blocked=out)"}) {
    const auto game = catalog::open_game(spec);
    const auto counts = game->perft(*game->start(0), 7).sequences;
    const Naive start =
        naive_start(2, std::string(spec).ends_with("out)") ? Blocked::out : Blocked::draw);
    for (int depth = 1; depth <= 7; ++depth)
      EXPECT_EQ(counts[static_cast<std::size_t>(depth - 1)], naive::count_sequences(start, depth))
          << spec << depth;
  }
}

// Side 2: the cells are a1 b1 (bottom), a2 b2 c2, b3 c3 (top); all but b2 are corners. Seat 0 joins
// top and bottom, seat 1 upper right (c2 c3) and lower left (a1 a2), seat 2 lower right (b1 c2) and
// upper left (a2 b3).
TEST(hex3, CornersLieOnBothSides) {
  for (const auto blocked : {Blocked::draw, Blocked::out}) {
    const auto game = rules(2, blocked);
    EXPECT_FALSE(game.over(uniform::after(game, {"c3", "a2", "b2", "c2", "b3"})));
    const auto left = uniform::after(game, {"a1", "c3", "b1", "b3", "b2"});
    EXPECT_FALSE(game.over(left));
  }
  const auto game = rules(2, Blocked::draw);
  for (const auto& moves : {std::vector<std::string>{"c3", "a2", "b2", "c2", "b3", "a1", "b1"},
                            std::vector<std::string>{"a1", "c3", "b1", "b3", "b2", "c2", "a2"}}) {
    const auto end = uniform::after(game, moves);
    ASSERT_TRUE(game.over(end));
    EXPECT_EQ(game.gain(end), one_winner(0, 3)) << "along the border, from corner to corner";
  }
}

// b3 and c3 shut the top; then b1 shuts seats 1 and 2 off at once, or 1 shuts off 2.
TEST(hex3, BlockedSeats) {
  const auto draw = rules(2, Blocked::draw), out = rules(2, Blocked::out);
  auto state = uniform::after(draw, {"b2", "b3", "c3"});
  EXPECT_EQ(draw.to_move(state), 0) << "seat 0 cannot connect but still plays";
  state = uniform::after(draw, {"b2", "b3", "c3", "b1"});
  EXPECT_TRUE(draw.over(state));
  EXPECT_EQ(draw.gain(state), Scores{});
  state = uniform::after(out, {"b2", "b3", "c3"});
  EXPECT_EQ(out.to_move(state), 1) << "seat 0 is out";
  EXPECT_FALSE(out.give_turn(state, 0).has_value());
  state = uniform::after(out, {"b2", "b3", "c3", "b1"});
  EXPECT_TRUE(out.over(state));
  EXPECT_EQ(out.gain(state), one_winner(1, 3)) << "the last seat left";
}

TEST(hex3, TheLastSeatThatCanConnectWinsWhenBlockedSeatsAreOut) {
  int out = 0, two_at_once = 0;
  const auto game = rules(4, Blocked::out);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto played = uniform::random_game(game, seed);
    for (std::size_t ply = 0; ply + 1 < played.states.size(); ++ply) {
      const auto &before = played.states[ply], &now = played.states[ply + 1];
      if (std::popcount(now.cut) == 1) {
        ++out;
        for (int p = 0; p < 3; ++p)
          EXPECT_EQ(game.give_turn(now, p).has_value(), !now.over && !(now.cut >> p & 1));
      }
      two_at_once += before.cut == 0 && std::popcount(now.cut) == 2;
    }
    EXPECT_NE(game.gain(played.states.back()), Scores{}) << "somebody wins";
  }
  EXPECT_GT(out, 100);
  EXPECT_GT(two_at_once, 0);
}

TEST(hex3, OtherSizesObeyTheContract) {
  for (const int side : {2, 3, 5, 10})
    for (const auto blocked : {Blocked::draw, Blocked::out})
      uniform::check_game(rules(side, blocked), 4);
  uniform::check_game(rules(7, Blocked::out), 4);
  uniform::check_estimate(rules(5, Blocked::out), 48, 7);
}

TEST(hex3, RandomGamesAreAsExpected) {
  const auto play = play_randomly(hex3::Rules(), 1, {.games = 6000});
  EXPECT_NEAR(static_cast<double>(play.moves) / 6000, 102, 1.5);
  EXPECT_NEAR(static_cast<double>(play.choices) / static_cast<double>(play.moves), 76, 1.5);
  EXPECT_EQ(play.most_choices, 127);
  EXPECT_NEAR(static_cast<double>(play.draws) / 6000, 0.993, 0.005);
  const auto out = play_randomly(rules(7, Blocked::out), 1, {.games = 2000});
  EXPECT_EQ(out.draws, 0u);
}

TEST(hex3, BadOptionsAreRefused) {
  for (const auto* spec : {"hex3(side=1)", "hex3(side=11)", "hex3(blocked=no)", "hex3(n=7)"})
    EXPECT_THROW(catalog::open_game(spec), Error) << spec;
}

}  // namespace
}  // namespace polymax::hex3_test
