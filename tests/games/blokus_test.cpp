// Blokus against a naive second implementation: polyominoes grown cell by cell, every placement tried on a plain board.
#include "games/blokus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "core/spec.hpp"
#include "tests/games/uniform.hpp"

namespace polymax {
namespace {

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
      for (const auto& [r, c] : squares) next.insert(mirror && turn == 0 ? Square{-r, c} : Square{c, -r});
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
        const auto [entry, fresh] = pieces.insert({free_form(shape), static_cast<int>(pieces.size())});
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
        if (std::ranges::all_of(out.squares, [](Square s) { return s.first < kSide && s.second < kSide; }))
          placings[static_cast<std::size_t>(piece)].push_back(out);
      }
  }
};

const Box& box() {
  static const Box out;
  return out;
}

struct Naive {
  bool official = true;
  std::vector<std::vector<int>> owner = std::vector(kSide, std::vector(kSide, -1));
  std::vector<std::vector<int>> used = std::vector(4, std::vector<int>());  // pieces in the order they were placed
  int turn = 0;
  std::set<int> out;  // seats that could not play in their turn

  int at(int r, int c) const {
    return r < 0 || c < 0 || r >= kSide || c >= kSide ? -1
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
    for (const auto& [r, c] : p.squares) owner[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)] = turn;
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
    if (!official) return static_cast<int>(pieces.size());
    int sum = 0;
    for (const int piece : pieces) sum += box().sizes[static_cast<std::size_t>(piece)];
    if (pieces.size() == 21) sum += pieces.back() == 0 ? 20 : 15;
    return sum;
  }
};

void compare_ends(const blokus::Rules& game, const blokus::Rules::State& state, const Naive& naive) {
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
std::vector<blokus::Rules::Move> compare(const blokus::Rules& game, bool official, F choose) {
  std::vector<blokus::Rules::Move> played;
  auto state = game.start(0);
  Naive naive;
  naive.official = official;
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
  for (const bool official : {true, false}) {
    const blokus::Rules game({official ? blokus::Scoring::official : blokus::Scoring::pieces});
    Rng rng(official ? 1 : 2);
    for (int i = 0; i < 30 && !HasFailure(); ++i)
      compare(game, official,
              [&](const auto&, const auto& list) { return rng.below(static_cast<std::uint32_t>(list.size())); });
  }
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
  for (int seat = 0; seat < 4; ++seat) EXPECT_EQ(uniform::legal(game, uniform::start_with(game, 0, seat)).size(), 58u);
}

}  // namespace
}  // namespace polymax
