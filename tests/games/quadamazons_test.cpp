// Quadamazons against a naive second implementation: a map of squares and steps one by one, after
// the paper's words.
#include "games/quadamazons.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "catalog/random_play.hpp"
#include "core/error.hpp"
#include "core/lists.hpp"
#include "tests/games/against_naive.hpp"

namespace polymax::quadamazons_test {
namespace {

using quadamazons::Options;
using quadamazons::Rules;

struct Place {
  int row = 0, column = 0;  // from the top left
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Naive {
  int n, d;
  std::map<Place, char> board;  // '0'..'3' an amazon, 'x' an arrow
  int turn = 0, step = 1;
  bool shooting = false;
  Place moved, origin;
  int first_zone = 0;  // reached in step 1
  std::vector<int> eliminated;

  Naive(int side, int distance) : n(side), d(distance) {
    const int a = (n - 4) / 4, b = n / 2 - 2, last = n - 1;
    for (const auto& [seat, row, column] :
         std::vector<std::tuple<int, int, int>>{{0, 0, b},
                                                {0, 0, last - b},
                                                {0, a, 0},
                                                {0, a, last},  // top
                                                {1, b, last},
                                                {1, last - b, last},
                                                {1, 0, last - a},
                                                {1, last, last - a},  // right
                                                {2, last, b},
                                                {2, last, last - b},
                                                {2, last - a, 0},
                                                {2, last - a, last},  // bottom
                                                {3, b, 0},
                                                {3, last - b, 0},
                                                {3, 0, a},
                                                {3, last, a}})  // left
      board[{row, column}] = static_cast<char>('0' + seat);
  }

  std::string name(Place at) const {
    return std::string(1, static_cast<char>('a' + at.column)) + std::to_string(n - at.row);
  }
  Place place(const std::string& text) const {
    return {n - std::stoi(text.substr(1)), text[0] - 'a'};
  }

  bool in_area(int seat, Place at) const {
    switch (seat) {
      case 0:
        return at.row < n / 2 + d;
      case 1:
        return at.column >= n / 2 - d;
      case 2:
        return at.row >= n / 2 - d;
      default:
        return at.column < n / 2 + d;
    }
  }
  int zone(int seat, Place at) const { return seat % 2 == 0 ? at.column < n / 2 : at.row < n / 2; }

  bool empty(Place at) const {
    return at.row >= 0 && at.row < n && at.column >= 0 && at.column < n && !board.contains(at);
  }
  std::vector<Place> queen(Place from) const {
    std::vector<Place> out;
    for (int dr = -1; dr <= 1; ++dr)
      for (int dc = -1; dc <= 1; ++dc)
        for (Place at{from.row + dr, from.column + dc}; empty(at);
             at = {at.row + dr, at.column + dc})
          out.push_back(at);
    return out;
  }

  std::set<std::string> amazon_moves(int seat, int at_step) const {
    std::set<std::string> out;
    for (const auto& [from, what] : board)
      if (what == '0' + seat)
        for (const auto& to : queen(from))
          if (in_area(seat, to) && (at_step == 1 || zone(seat, to) != first_zone))
            out.insert(name(from) + "-" + name(to));
    return out;
  }

  std::set<std::string> moves() const {
    if (over()) return {};
    if (!shooting) return amazon_moves(turn, step);
    std::set<std::string> out;
    for (const auto& to : queen(moved))
      if ((in_area(turn, to) && zone(turn, to) == zone(turn, moved)) || to == origin)
        out.insert(name(to));
    return out;
  }

  void play(const std::string& text) {
    if (!shooting) {
      const auto cells = split(text, '-');
      origin = place(cells[0]);
      moved = place(cells[1]);
      board[moved] = board[origin];
      board.erase(origin);
      shooting = true;
      return;
    }
    board[place(text)] = 'x';
    shooting = false;
    if (step == 1) {
      first_zone = zone(turn, moved);
      step = 2;
      if (!amazon_moves(turn, 2).empty()) return;
    }
    step = 1;
    for (turn = (turn + 1) % 4; !over(); turn = (turn + 1) % 4) {
      if (std::ranges::count(eliminated, turn) > 0) continue;
      if (!amazon_moves(turn, 1).empty()) return;
      eliminated.push_back(turn);
    }
  }

  bool over() const { return eliminated.size() == 3; }
  int last() const { return 6 - eliminated[0] - eliminated[1] - eliminated[2]; }

  std::vector<float> score() const {
    std::vector<float> out(4);
    const auto s = static_cast<float>(amazon_moves(last(), 1).size());
    if (s == 0) {  // all players are eliminated
      out[static_cast<std::size_t>(eliminated[0])] = -2;
      out[static_cast<std::size_t>(eliminated[1])] = -1;
      out[static_cast<std::size_t>(last())] = 1;
    } else {
      out[static_cast<std::size_t>(eliminated[0])] = -2 * s;
      out[static_cast<std::size_t>(eliminated[1])] = -s;
      out[static_cast<std::size_t>(last())] = s;
    }
    return out;
  }
};

// What happened in the games that were compared; every rule must have been met.
struct Met {
  int steps_left_out = 0, several_eliminated = 0, last_is_blocked = 0, shots_back = 0;
};

void compare(const Options& options, int games, Met& met) {
  const Rules game(options);
  for (int i = 0; i < games; ++i) {
    const auto played = uniform::random_game(game, static_cast<std::uint64_t>(i));
    Naive naive(options.n, options.d);
    for (std::size_t ply = 0; ply < played.states.size(); ++ply) {
      const auto& state = played.states[ply];
      const auto names = uniform::texts(game, state);
      const auto expected = naive.moves();
      ASSERT_EQ(names.size(), expected.size());
      ASSERT_EQ(std::set<std::string>(names.begin(), names.end()), expected);
      ASSERT_EQ(game.over(state), naive.over());
      if (ply == played.moves.size()) break;
      ASSERT_EQ(game.to_move(state), naive.turn);
      const auto text = game.move_text(state, played.moves[ply]);
      if (naive.shooting && text == naive.name(naive.origin) &&
          naive.zone(naive.turn, naive.origin) != naive.zone(naive.turn, naive.moved))
        ++met.shots_back;
      const bool first_shot = naive.shooting && naive.step == 1;
      const auto out = naive.eliminated.size();
      naive.play(text);
      if (first_shot && naive.step == 1) ++met.steps_left_out;
      if (naive.eliminated.size() > out + 1) ++met.several_eliminated;
    }
    const auto& end = played.states.back();
    const auto score = naive.score();
    for (int p = 0; p < 4; ++p) {
      ASSERT_EQ(game.score(end)[p], score[static_cast<std::size_t>(p)]);
      ASSERT_EQ(game.gain(end)[p], p == naive.last() ? 1 : -1);
    }
    if (naive.amazon_moves(naive.last(), 1).empty()) ++met.last_is_blocked;
  }
}

TEST(quadamazons, AgreesWithTheNaiveRules) {
  Met met;
  compare({14, 2}, 20, met);
  for (const int d : {0, 1, 2, 3, 4}) compare({8, d}, 40, met);
  for (const int d : {0, 2, 5}) compare({10, d}, 10, met);
  compare({12, 6}, 4, met);
  compare({18, 3}, 1, met);
  compare({20, 10}, 1, met);
  EXPECT_GT(met.steps_left_out, 10);
  EXPECT_GT(met.several_eliminated, 10);
  EXPECT_GT(met.last_is_blocked, 10);
  EXPECT_GT(met.shots_back, 10);
}

TEST(quadamazons, CountsOfMoves) {
  EXPECT_EQ(naive::count_sequences(Naive(14, 2), 2), 1960u);
  EXPECT_EQ(naive::count_sequences(Naive(8, 2), 3), 10894u);
  EXPECT_EQ(naive::count_sequences(Naive(8, 0), 4), 39020u);
}

TEST(quadamazons, TheSquareLeftCountsOnlyInTheOtherSubZone) {
  const Rules game;
  const std::vector<std::string> others{"f12",   "i14-i13", "i14",   "n9-m9", "n9",
                                        "n6-m6", "n6",      "f1-f2", "f1",    "i1-i2",
                                        "i1",    "a9-b9",   "a9",    "a6-b6", "a6"};
  const auto line = [&](const std::string& first, const std::string& last) {
    std::vector<std::string> out{first};
    out.insert(out.end(), others.begin(), others.end());
    out.push_back(last);
    return out;
  };
  const auto a = uniform::after(game, line("f14-e13", "e13-f14")),
             b = uniform::after(game, line("f14-g13", "g13-f14"));
  EXPECT_TRUE(a == b);
  EXPECT_EQ(game.hash(a), game.hash(b));
  EXPECT_EQ(uniform::texts(game, a), uniform::texts(game, b));
  const auto far = uniform::after(game, {"f14-i11"});
  EXPECT_EQ(uniform::texts(game, far).back(), "f14")
      << "left of the middle, but the square it came from";
}

TEST(quadamazons, StartOfEverySize) {
  for (int n = 8; n <= 20; n += 2) {
    const Rules game({n, 2});
    const Naive naive(n, 2);
    std::map<Place, char> board;
    for (const auto& cell : game.draw(game.start(0)).cells)
      if (cell.owner >= 0) board[naive.place(cell.name)] = static_cast<char>('0' + cell.owner);
    EXPECT_EQ(board, naive.board) << n;
    EXPECT_EQ(board.size(), 16u) << n;
    EXPECT_EQ(game.max_length(), 2 * (n * n - 16));
  }
}

TEST(quadamazons, BadOptionsAreNamed) {
  for (const auto* spec : {"q(n=6)", "q(n=9)", "q(n=22)", "q(d=-1)", "q(d=11)"})
    EXPECT_THROW(read_settings<Options>(Spec::parse(spec)), Error) << spec;
  EXPECT_NO_THROW(Rules({8, 4}));
  try {
    Rules({8, 5});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "d=5 is not allowed with n=8: d takes a whole number 0..4");
  }
}

TEST(quadamazons, RandomPlayIsAsExpected) {
  const auto played = play_randomly(Rules(), 1, {.games = 4000});
  const auto games = static_cast<double>(played.games), moves = static_cast<double>(played.moves);
  EXPECT_NEAR(moves / games, 288, 2);
  EXPECT_NEAR(static_cast<double>(played.choices) / moves, 16.0, 0.3);
  for (const double wins : played.wins) EXPECT_NEAR(wins / games, 0.25, 0.03);
  EXPECT_EQ(played.draws, 0u);
}

TEST(quadamazons, OtherSizesObeyTheContract) {
  for (const auto& options : std::vector<Options>{{8, 0}, {8, 4}, {10, 2}, {20, 3}})
    uniform::check_game(Rules(options), 4);
}

// Planes 20 to 23: areas; 28 to 31: the cells that an amazon of each seat can enter; 32 to 35:
// those it reaches first.
void check_reach_planes(const Rules& game, const Rules::State& state) {
  const PlaneShape shape = game.planes();
  const auto bits = uniform::planes_of(game, state);
  const auto seats_of = [&](int group, int cell) {
    std::set<int> out;
    for (int p = 0; p < 4; ++p)
      if (uniform::on(shape, bits, group + p, cell)) out.insert(p);
    return out;
  };
  MoveList<Rules> moves;
  game.moves(state, moves);
  std::set<int> targets, plane;
  for (const auto& move : moves) targets.insert(move.to);
  for (int cell = 0; cell < shape.cells(); ++cell) {
    const auto areas = seats_of(20, cell), near = seats_of(28, cell), first = seats_of(32, cell);
    if (near.contains(state.turn)) plane.insert(cell);
    EXPECT_TRUE(std::ranges::includes(areas, near));
    EXPECT_LE(first.size(), 1u);
    if (near.size() == 1) {
      EXPECT_EQ(first, near);
    }
    if (near.size() > 1) {
      EXPECT_TRUE(first.empty());
    }
  }
  EXPECT_EQ(plane, targets);
}

TEST(quadamazons, PlanesTellWhereAmazonsCanGo) {
  const Rules game{Options{}};
  int looked = 0;
  for (const auto& state : uniform::random_game(game, 5).states) {
    if (game.over(state) || state.shooter != Rules::kNone || state.used >= 0) continue;
    check_reach_planes(game, state);
    ++looked;
  }
  EXPECT_GT(looked, 20);
}

}  // namespace
}  // namespace polymax::quadamazons_test
