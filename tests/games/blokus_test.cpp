// Blokus against a naive second implementation: polyominoes grown cell by cell, every placement
// tried on a plain board.
#include "games/blokus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <utility>

#include "catalog/random_play.hpp"
#include "core/lists.hpp"
#include "core/spec.hpp"
#include "tests/games/uniform.hpp"

namespace polymax::blokus_test {
namespace {

using blokus::Scoring;

using Square = std::pair<int, int>;  // row from the top, column
using Squares = std::set<Square>;

constexpr int kSide = 20;
const std::vector<Square> kEdges{{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
const std::vector<Square> kDiagonals{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

const std::vector<Square> kStarts{{0, 0}, {0, kSide - 1}, {kSide - 1, kSide - 1}, {kSide - 1, 0}};

Squares at_origin(const Squares& squares) {
  int top = kSide, left = kSide;
  for (const auto& [r, c] : squares) top = std::min(top, r), left = std::min(left, c);
  Squares out;
  for (const auto& [r, c] : squares) out.insert({r - top, c - left});
  return out;
}

// The smallest of the eight images: the same for all orientations of a piece.
Squares free_form(Squares squares) {
  std::set<Squares> images;
  for (const bool mirror : {false, true})
    for (int turn = 0; turn < 4; ++turn) {
      Squares next;
      for (const auto& [r, c] : squares)
        next.insert(mirror && turn == 0 ? Square{-r, c} : Square{c, -r});
      squares = next;
      images.insert(at_origin(squares));
    }
  return *images.begin();
}

struct Placing {
  std::vector<Square> squares;  // in reading order
  int piece = 0;
  std::string text;
};

// All placements on the empty board; pieces are numbered as they are met, the monomino is 0.
struct Box {
  std::vector<std::vector<Placing>> placings;  // by piece
  std::vector<int> sizes;                      // by piece
  int orientations = 0;

  Box() {
    std::map<Squares, int> pieces;
    std::set<Squares> level{{{0, 0}}};
    for (int size = 1; size <= 5; ++size) {
      orientations += static_cast<int>(level.size());
      std::set<Squares> next;
      for (const auto& shape : level) {
        const auto [entry, fresh] =
            pieces.insert({free_form(shape), static_cast<int>(pieces.size())});
        if (fresh) sizes.push_back(size), placings.emplace_back();
        place_everywhere(shape, entry->second);
        for (const auto& [r, c] : shape)
          for (const auto& [dr, dc] : kEdges) {
            Squares larger = shape;
            if (larger.insert({r + dr, c + dc}).second) next.insert(at_origin(larger));
          }
      }
      level = next;
    }
  }

  void place_everywhere(const Squares& shape, int piece) {
    for (int r = 0; r < kSide; ++r)
      for (int c = 0; c < kSide; ++c) {
        Placing out{{}, piece, {}};
        for (const auto& [dr, dc] : shape) {
          out.squares.push_back({r + dr, c + dc});
          if (!out.text.empty()) out.text += '-';
          out.text += static_cast<char>('a' + c + dc) + std::to_string(kSide - r - dr);
        }
        if (std::ranges::all_of(out.squares,
                                [](Square s) { return s.first < kSide && s.second < kSide; }))
          placings[static_cast<std::size_t>(piece)].push_back(out);
      }
  }
};

const Box& box() {
  static const Box out;
  return out;
}

struct Naive {
  Scoring scoring = Scoring::official;
  std::vector<std::vector<int>> owner = std::vector(kSide, std::vector(kSide, -1));
  // Pieces in the order they were placed.
  std::vector<std::vector<int>> used = std::vector(4, std::vector<int>());
  int turn = 0;
  std::set<int> out;  // seats that could not play in their turn

  int at(int r, int c) const {
    return r < 0 || c < 0 || r >= kSide || c >= kSide
               ? -1
               : owner[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
  }
  const std::vector<int>& used_by(int seat) const { return used[static_cast<std::size_t>(seat)]; }

  bool fits(const Placing& p, int seat) const {
    bool touches = false;
    for (const auto& [r, c] : p.squares) {
      if (at(r, c) != -1) return false;
      for (const auto& [dr, dc] : kEdges)
        if (at(r + dr, c + dc) == seat) return false;
      for (const auto& [dr, dc] : kDiagonals) touches |= at(r + dr, c + dc) == seat;
      if (used_by(seat).empty()) touches |= Square{r, c} == kStarts[static_cast<std::size_t>(seat)];
    }
    return touches;
  }

  // All placements, or only the first that is found.
  std::vector<const Placing*> moves(int seat, bool one = false) const {
    std::vector<const Placing*> found;
    for (const auto& placings : box().placings) {
      if (std::ranges::count(used_by(seat), placings[0].piece) > 0) continue;
      for (const auto& p : placings) {
        if (fits(p, seat)) found.push_back(&p);
        if (one && !found.empty()) return found;
      }
    }
    return found;
  }

  bool over() const { return out.size() == 4; }

  void play(const Placing& p) {
    for (const auto& [r, c] : p.squares)
      owner[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)] = turn;
    used[static_cast<std::size_t>(turn)].push_back(p.piece);
    const int mover = turn;
    for (int step = 1; step <= 4; ++step) {
      turn = (mover + step) % 4;
      if (out.contains(turn)) continue;
      if (!moves(turn, true).empty()) return;
      out.insert(turn);
    }
  }

  int score(int seat) const {
    const auto& pieces = used_by(seat);
    if (scoring == Scoring::pieces) return static_cast<int>(pieces.size());
    int sum = 0;
    for (const int piece : pieces) sum += box().sizes[static_cast<std::size_t>(piece)];
    if (pieces.size() == 21) sum += pieces.back() == 0 ? 20 : 15;
    return sum;
  }
};

void compare_ends(const blokus::Rules& game, const blokus::Rules::State& state,
                  const Naive& naive) {
  const Scores score = game.score(state), gain = game.gain(state);
  int best = 0;
  for (int p = 0; p < 4; ++p) best = std::max(best, naive.score(p));
  for (int p = 0; p < 4; ++p) {
    ASSERT_EQ(score[p], static_cast<float>(naive.score(p)));
    ASSERT_EQ(gain[p], naive.score(p) == best ? 1.0f : -1.0f);
  }
}

// Plays both side by side; choose(state, moves) gives the index of the next move.
template <class F>
std::vector<blokus::Rules::Move> compare(const blokus::Rules& game, Scoring scoring, F choose) {
  std::vector<blokus::Rules::Move> played;
  auto state = game.start(0);
  Naive naive;
  naive.scoring = scoring;
  while (!game.over(state)) {
    EXPECT_FALSE(naive.over());
    EXPECT_EQ(naive.turn, game.to_move(state));
    std::map<std::string, const Placing*> expected;
    for (const auto* p : naive.moves(naive.turn)) expected[p->text] = p;
    const auto list = uniform::legal(game, state);
    std::set<std::string> names, wanted;
    for (const auto& move : list) names.insert(game.move_text(state, move));
    for (const auto& [text, placing] : expected) wanted.insert(text);
    EXPECT_EQ(names, wanted);
    EXPECT_EQ(names.size(), list.size());
    if (::testing::Test::HasFailure()) return played;
    played.push_back(list[choose(state, list)]);
    naive.play(*expected.at(game.move_text(state, played.back())));
    game.play(state, played.back());
  }
  EXPECT_TRUE(naive.over());
  compare_ends(game, state, naive);
  return played;
}

TEST(blokus, AgreesWithTheNaiveRules) {
  for (const auto scoring : {Scoring::official, Scoring::pieces}) {
    Rng rng(scoring == Scoring::official ? 1 : 2);
    for (int i = 0; i < 20 && !HasFailure(); ++i)
      compare(blokus::Rules({scoring}), scoring, [&](const auto&, const auto& list) {
        return rng.below(static_cast<std::uint32_t>(list.size()));
      });
  }
}

// Seat 0 lays its best piece and keeps the monomino to the end; the others play at random.
std::vector<blokus::Rules::Move> game_of_a_miser(std::uint64_t seed) {
  const blokus::Rules game;
  Rng rng(seed);
  return compare(game, Scoring::official, [&](const auto& state, const auto& list) {
    std::size_t best = rng.below(static_cast<std::uint32_t>(list.size()));
    if (game.to_move(state) != 0) return best;
    float most = -1;
    for (std::size_t i = 0; i < list.size(); ++i) {
      auto next = state;
      game.play(next, list[i]);
      const bool monomino = split(game.move_text(state, list[i]), '-').size() == 1;
      const float value = monomino ? 0 : game.estimate(next)[0];
      if (value > most) most = value, best = i;
    }
    return best;
  });
}

// The same moves with seat 0's last two exchanged.
std::vector<blokus::Rules::Move> last_two_exchanged(const blokus::Rules& game,
                                                    std::vector<blokus::Rules::Move> moves) {
  std::vector<std::size_t> of_seat_0;
  auto state = game.start(0);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (game.to_move(state) == 0) of_seat_0.push_back(i);
    game.play(state, moves[i]);
  }
  std::swap(moves[of_seat_0[of_seat_0.size() - 1]], moves[of_seat_0[of_seat_0.size() - 2]]);
  return moves;
}

TEST(blokus, AMonominoLaidLastIsWorthFive) {
  int finished = 0, exchanged = 0;
  for (std::uint64_t seed = 1; seed <= 8 && !HasFailure(); ++seed) {
    const auto moves = game_of_a_miser(seed);
    const blokus::Rules official, pieces({Scoring::pieces});
    auto usual = official.start(0), usual_pieces = usual, other = usual, other_pieces = usual;
    ASSERT_TRUE(uniform::replay(official, usual, moves));
    ASSERT_TRUE(uniform::replay(pieces, usual_pieces, moves));
    if (usual.left[0] != 0) continue;
    ++finished;
    EXPECT_EQ(official.score(usual)[0], 109);
    EXPECT_EQ(pieces.score(usual_pieces)[0], 21);
    const auto swapped = last_two_exchanged(official, moves);
    if (!uniform::replay(official, other, swapped)) continue;
    ++exchanged;
    EXPECT_EQ(official.score(other)[0], 104);
    EXPECT_FALSE(other == usual);
    EXPECT_NE(official.hash(other), official.hash(usual));
    EXPECT_NE(uniform::planes_of(official, other), uniform::planes_of(official, usual));
    ASSERT_TRUE(uniform::replay(pieces, other_pieces, swapped));
    EXPECT_TRUE(other_pieces == usual_pieces) << "the order of pieces does not count here";
    EXPECT_EQ(pieces.hash(other_pieces), pieces.hash(usual_pieces));
  }
  EXPECT_GT(finished, 0);
  EXPECT_GT(exchanged, 0);
}

TEST(blokus, CountsPiecesAndPlacements) {
  EXPECT_EQ(box().orientations, 91);
  std::size_t placings = 0;
  for (const auto& of_piece : box().placings) placings += of_piece.size();
  EXPECT_EQ(placings, 30433u);
  EXPECT_EQ(box().sizes.size(), 21u);
  EXPECT_EQ(std::accumulate(box().sizes.begin(), box().sizes.end(), 0), 89);
  std::size_t count = 0;
  for (const auto& piece : kPolyominoes) count += orientations(piece).size();
  EXPECT_EQ(count, 91u);
  const blokus::Rules game;
  for (int seat = 0; seat < 4; ++seat)
    EXPECT_EQ(uniform::legal(game, uniform::start_with(game, 0, seat)).size(), 58u);
}

TEST(blokus, PiecesAsScoreObeyTheContract) {
  uniform::check_game(blokus::Rules({Scoring::pieces}), 4);
  uniform::check_estimate(blokus::Rules({Scoring::pieces}), 24, 3);
}

// The expected figures are means over 116,000 games.
TEST(blokus, RandomPlayLooksAsExpected) {
  const RandomPlay r = play_randomly(blokus::Rules(), 1, {.games = 4000});
  const auto games = static_cast<double>(r.games), moves = static_cast<double>(r.moves);
  EXPECT_NEAR(moves / games, 59.0, 0.3);
  EXPECT_NEAR(static_cast<double>(r.choices) / moves, 176, 2);
  EXPECT_GE(r.shortest, 44);
  EXPECT_LE(r.longest, 76);
  EXPECT_GT(r.most_choices, 850);
  const std::vector<double> wins{30.7, 26.5, 22.8, 20.0};
  for (std::size_t p = 0; p < 4; ++p)
    EXPECT_NEAR(100 * r.wins[p] / games, wins[p], 2.5) << "seat " << p;
}

TEST(blokus, BadOptionsThrow) {
  EXPECT_THROW(read_settings<blokus::Options>(Spec::parse("blokus(score=stars)")), Error);
  EXPECT_THROW(read_settings<blokus::Options>(Spec::parse("blokus(side=14)")), Error);
}

// The last planes but one: open cells, corners and cells near enough to a corner, of each seat.
TEST(blokus, EveryPlacementLiesInThePlanesOfItsSeat) {
  const blokus::Rules game;
  const PlaneShape shape = game.planes();
  for (const auto& state : uniform::random_game(game, 4).states) {
    if (game.over(state)) break;
    const auto bits = uniform::planes_of(game, state);
    const auto has = [&](int kind, int cell) {
      return uniform::on(shape, bits, 100 + 4 * kind + state.turn, cell);
    };
    for (const auto& name : uniform::texts(game, state)) {
      int touched = 0;
      std::istringstream squares(name);
      for (std::string square; std::getline(squares, square, '-');) {
        const int cell = (20 - std::stoi(square.substr(1))) * 20 + (square[0] - 'a');
        EXPECT_TRUE(has(0, cell) && has(2, cell)) << name;
        touched += has(1, cell) ? 1 : 0;
      }
      EXPECT_GT(touched, 0) << name;
    }
    for (int cell = 0; cell < shape.cells(); ++cell) EXPECT_LE(has(1, cell), has(0, cell));
  }
}

}  // namespace
}  // namespace polymax::blokus_test
