// Checks that hold for every game, whatever its rules. A test file is generated for each game with
// default options (tests/CMakeLists.txt); games_test files call check_game for other sizes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "board/bitboard.hpp"
#include "core/evaluator.hpp"
#include "core/game.hpp"
#include "core/lists.hpp"
#include "core/rng.hpp"
#include "core/searcher.hpp"
#include "eval/estimate.hpp"
#include "nn/lead.hpp"
#include "search/greedy.hpp"
#include "tests/games/transpositions.hpp"

namespace polymax::uniform {

template <Game G>
void check_end(const G& game, const typename G::State& end) {
  EXPECT_TRUE(legal(game, end).empty());
  const Scores gain = game.gain(end), score = game.score(end);
  for (int p = 0; p < kMaxPlayers; ++p) {
    if (p >= game.players()) {
      EXPECT_EQ(gain[p], 0);
      EXPECT_EQ(score[p], 0);
    } else {
      EXPECT_TRUE(gain[p] == -1 || gain[p] == 0 || gain[p] == 1);
      EXPECT_TRUE(std::isfinite(score[p]));
    }
  }
  const bool drawn = std::ranges::count(gain.seats, 0.0f) == kMaxPlayers;
  EXPECT_TRUE(drawn || std::ranges::count(gain.seats, 1.0f) > 0)
      << "somebody wins, or everybody draws";
  if constexpr (MostPointsWin<G>) {
    EXPECT_EQ(gain, leaders_win(score, game.players()));
  }
  if constexpr (requires { requires G::positive_score_wins; }) {
    for (int p = 0; p < game.players(); ++p)
      EXPECT_EQ(gain[p], static_cast<float>((score[p] > 0) - (score[p] < 0)));
  }
  const Scores depth = terminal_points(game, end, Points::depth);
  const auto left = static_cast<float>(game.max_length() - game.played(end) + 1);
  for (int p = 0; p < game.players(); ++p) EXPECT_EQ(depth[p], gain[p] * left);
}

template <Game G>
void check_contract(const G& game, std::uint64_t seed) {
  ASSERT_GE(game.players(), 2);
  ASSERT_LE(game.players(), kMaxPlayers);
  const auto played = random_game(game, seed);
  EXPECT_TRUE(random_game(game, seed).states.back() == played.states.back())
      << "the seed decides the game";
  std::unordered_set<std::uint64_t> hashes;
  for (std::size_t i = 0; i < played.states.size(); ++i) {
    const auto& state = played.states[i];
    EXPECT_EQ(game.played(state), static_cast<int>(i));
    EXPECT_TRUE(hashes.insert(game.hash(state)).second) << "a position came back";
    if (i + 1 == played.states.size()) break;
    EXPECT_GE(game.to_move(state), 0);
    EXPECT_LT(game.to_move(state), game.players());
    const auto copy = state;
    const auto names = texts(game, state);
    EXPECT_TRUE(copy == state) << "moves() changes nothing";
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size())
        << "every move has its own text";
  }
  EXPECT_LE(static_cast<int>(played.moves.size()), game.max_length());
  check_end(game, played.states.back());
}

template <Game G>
void check_drawing(const G& game, std::uint64_t seed) {
  const auto played = random_game(game, seed);
  for (std::size_t i = 0; i < played.states.size(); i += 5) {
    const Drawing drawing = game.draw(played.states[i]);
    std::set<std::string> names;
    std::set<int> indices;
    std::set<std::pair<float, float>> places;
    for (const auto& cell : drawing.cells) {
      names.insert(cell.name);
      indices.insert(cell.index);
      places.insert({cell.x, cell.y});
      EXPECT_GE(cell.owner, -1);
      EXPECT_LT(cell.owner, game.players());
    }
    EXPECT_EQ(names.size(), drawing.cells.size());
    EXPECT_EQ(indices.size(), drawing.cells.size());
    EXPECT_EQ(places.size(), drawing.cells.size());
    for (const auto& text : texts(game, played.states[i]))
      for (const auto& cell : split(text, '-')) EXPECT_TRUE(names.contains(cell)) << text;
  }
}

// Is the cell on in that plane?
inline bool on(const PlaneShape& shape, const std::vector<std::uint64_t>& bits, int plane,
               int cell) {
  return bits[static_cast<std::size_t>(plane * shape.words_per_plane() + cell / 64)] >>
             (cell % 64) &
         1;
}

template <Learnable G>
void check_planes(const G& game, std::uint64_t seed) {
  const PlaneShape shape = game.planes();
  ASSERT_GT(shape.planes, 0);
  ASSERT_LE(shape.cells(), kMaxCells);
  const auto played = random_game(game, seed);
  std::set<std::vector<std::uint64_t>> seen;
  const int spare = shape.words_per_plane() * 64 - shape.cells();
  for (std::size_t i = 0; i + 1 < played.states.size(); ++i) {
    const auto bits = planes_of(game, played.states[i]);
    EXPECT_EQ(bits, planes_of(game, played.states[i], ~0ull)) << "every word is written";
    EXPECT_TRUE(seen.insert(bits).second) << "two positions of a game look the same, ply " << i;
    for (int k = 0; k < shape.planes && spare > 0; ++k) {
      const auto last = bits[static_cast<std::size_t>((k + 1) * shape.words_per_plane() - 1)];
      EXPECT_EQ(last >> (64 - spare), 0u) << "bits behind the last cell are 0";
    }
  }
  for (const auto& cell : game.draw(played.states[0]).cells) EXPECT_LT(cell.index, shape.cells());
}

// A start position in which `seat` moves first.
template <Game G>
typename G::State start_with(const G& game, std::uint64_t seed, int seat) {
  auto state = game.start(seed);
  if (game.to_move(state) == seat) return state;
  if constexpr (TurnSkipping<G>) {
    return game.give_turn(state, seat).value();
  } else {
    state.turn = static_cast<decltype(state.turn)>(seat);
    return state;
  }
}

template <MoveMapped G>
std::vector<MovePlace> places_of(const G& game, const typename G::State& state) {
  std::vector<MovePlace> out;
  for (const auto& move : legal(game, state)) out.push_back(game.move_place(state, move));
  return out;
}

template <MoveMapped G>
void check_move_places(const G& game, std::uint64_t seed) {
  ASSERT_GE(game.move_planes(), 1);
  ASSERT_LE(game.move_planes(), kMaxMovePlanes);
  const auto played = random_game(game, seed);
  for (std::size_t i = 0; i + 1 < played.states.size(); ++i) {
    auto places = places_of(game, played.states[i]);
    for (const MovePlace& place : places) {
      ASSERT_LT(place.plane, game.move_planes());
      ASSERT_LT(place.cell, game.planes().cells());
    }
    std::ranges::sort(places);
    ASSERT_TRUE(std::ranges::adjacent_find(places) == places.end())
        << "two moves at one place, ply " << i;
  }
}

// The moves of the image lie where those of the position go, and so does the one that is played.
template <MoveMapped G>
void check_turned_places(const G& game, const Symmetry& by, const typename G::State& state,
                         const typename G::State& image, typename G::Move move,
                         typename G::Move image_move) {
  auto turned = places_of(game, state), there = places_of(game, image);
  for (MovePlace& place : turned) place = by.turned(place);
  std::ranges::sort(turned);
  std::ranges::sort(there);
  ASSERT_EQ(turned, there);
  ASSERT_EQ(by.turned(game.move_place(state, move)), game.move_place(image, image_move));
}

template <Learnable G>
std::vector<std::uint64_t> turned_planes(const G& game, const std::vector<std::uint64_t>& bits,
                                         const Symmetry& symmetry) {
  const PlaneShape shape = game.planes();
  const auto words = static_cast<std::size_t>(shape.words_per_plane());
  std::vector<std::uint64_t> out(bits.size());
  for (std::size_t k = 0; k < static_cast<std::size_t>(shape.planes); ++k)
    for (std::size_t i = 0; i < static_cast<std::size_t>(shape.cells()); ++i) {
      if (!(bits[k * words + i / 64] >> (i % 64) & 1)) continue;
      const std::size_t to = symmetry.cells[i];
      out[symmetry.planes[k] * words + to / 64] |= 1ull << (to % 64);
    }
  return out;
}

// The legal move whose cells are the images of another move's cells: in the same order (a step from
// one cell to another), or else in any order (a set of cells).
template <Game G>
std::optional<typename G::Move> turned_move(const G& game, const typename G::State& state,
                                            const std::string& text,
                                            const std::map<std::string, std::string>& names) {
  std::vector<std::string> wanted;
  for (const auto& cell : split(text, '-')) wanted.push_back(names.at(cell));
  const std::multiset<std::string> wanted_set(wanted.begin(), wanted.end());
  std::optional<typename G::Move> same_set;
  for (const auto& move : legal(game, state)) {
    const auto cells = split(game.move_text(state, move), '-');
    if (cells == wanted) return move;
    if (std::multiset<std::string>(cells.begin(), cells.end()) == wanted_set) same_set = move;
  }
  return same_set;
}

inline bool is_permutation_of_range(auto items) {
  std::ranges::sort(items);
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i] != i) return false;
  return true;
}

// The image of a start position in which seat 0 moves.
template <Game G>
typename G::State image_of_start(const G& game, const typename G::State& start,
                                 std::uint64_t board_seed, const Symmetry& symmetry) {
  if constexpr (requires {
                  game.turned(start, symmetry);
                })  // games whose start positions are not symmetric
    return game.turned(start, symmetry);
  else
    return start_with(game, board_seed, symmetry.seats[0]);
}

// The names of all cells and of their images.
template <Game G>
std::map<std::string, std::string> image_names(const G& game, const typename G::State& state,
                                               const Symmetry& symmetry) {
  std::map<int, std::string> by_index;
  for (const auto& cell : game.draw(state).cells) by_index[cell.index] = cell.name;
  std::map<std::string, std::string> out;
  for (const auto& [index, name] : by_index)
    out[name] = by_index.at(symmetry.cells[static_cast<std::size_t>(index)]);
  return out;
}

// Plays a random game and its image side by side.
template <Game G>
requires(Symmetric<G>&& Learnable<G>) void check_symmetry(const G& game, const Symmetry& symmetry,
                                                          std::uint64_t seed) {
  Rng rng(seed);
  const auto board_seed = rng.next();
  auto state = start_with(game, board_seed, 0),
       image = image_of_start(game, state, board_seed, symmetry);
  const auto names = image_names(game, state, symmetry);
  for (int ply = 0; !game.over(state); ++ply) {
    ASSERT_FALSE(game.over(image)) << "ply " << ply;
    ASSERT_EQ(game.to_move(image), symmetry.seats[static_cast<std::size_t>(game.to_move(state))])
        << "ply " << ply;
    ASSERT_EQ(planes_of(game, image), turned_planes(game, planes_of(game, state), symmetry))
        << "ply " << ply;
    const auto list = legal(game, state);
    ASSERT_EQ(list.size(), legal(game, image).size()) << "ply " << ply;
    if constexpr (Estimating<G>) {
      const Scores a = game.estimate(state), b = game.estimate(image);
      for (int p = 0; p < game.players(); ++p)
        ASSERT_NEAR(a[p], b[symmetry.seats[static_cast<std::size_t>(p)]], 1e-4)
            << "estimate, ply " << ply;
    }
    const auto move = list[rng.below(static_cast<std::uint32_t>(list.size()))];
    const auto other = turned_move(game, image, game.move_text(state, move), names);
    ASSERT_TRUE(other.has_value()) << game.move_text(state, move) << " has no image, ply " << ply;
    if constexpr (MoveMapped<G>) {
      ASSERT_NO_FATAL_FAILURE(check_turned_places(game, symmetry, state, image, move, *other))
          << "ply " << ply;
    }
    game.play(state, move);
    game.play(image, *other);
  }
  ASSERT_TRUE(game.over(image));
  const Scores a = game.score(state), b = game.score(image), c = game.gain(state),
               d = game.gain(image);
  for (int p = 0; p < game.players(); ++p) {
    EXPECT_EQ(a[p], b[symmetry.seats[static_cast<std::size_t>(p)]]);
    EXPECT_EQ(c[p], d[symmetry.seats[static_cast<std::size_t>(p)]]);
  }
}

template <Game G>
requires(Symmetric<G>&& Learnable<G>) void check_symmetries(const G& game, std::uint64_t seed) {
  const auto all = game.symmetries();
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(std::ranges::is_sorted(all[0].cells)) << "the identity comes first";
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE("symmetry " + std::to_string(i));
    ASSERT_EQ(all[i].cells.size(), static_cast<std::size_t>(game.planes().cells()));
    ASSERT_EQ(all[i].planes.size(), static_cast<std::size_t>(game.planes().planes));
    EXPECT_TRUE(is_permutation_of_range(all[i].cells));
    EXPECT_TRUE(is_permutation_of_range(all[i].planes));
    if constexpr (MoveMapped<G>)
      if (!all[i].moves.empty()) {
        std::vector<std::uint16_t> planes;
        for (const MovePlaneTurn& turn : all[i].moves) planes.push_back(turn.plane);
        ASSERT_EQ(planes.size(), static_cast<std::size_t>(game.move_planes()));
        EXPECT_TRUE(is_permutation_of_range(planes));
      }
    EXPECT_TRUE(is_permutation_of_range(
        std::vector<std::uint8_t>(all[i].seats.begin(), all[i].seats.begin() + game.players())));
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(all[i] == all[j]) << "given twice";
    check_symmetry(game, all[i], seed);
  }
}

template <TurnSkipping G>
void check_give_turn(const G& game, std::uint64_t seed) {
  const auto played = random_game(game, seed);
  for (std::size_t i = 0; i + 1 < played.states.size(); ++i) {
    const auto& state = played.states[i];
    for (int p = 0; p < game.players(); ++p) {
      const auto given = game.give_turn(state, p);
      if (p == game.to_move(state)) {
        ASSERT_TRUE(given.has_value());
        EXPECT_TRUE(*given == state);
      }
      if (!given) continue;
      EXPECT_EQ(game.to_move(*given), p);
      EXPECT_EQ(game.hash(*given) == game.hash(state), *given == state);
      const auto list = legal(game, *given);
      ASSERT_FALSE(list.empty());
      auto next = *given;
      game.play(next, list[i % list.size()]);
      if (!game.over(next)) {
        EXPECT_FALSE(legal(game, next).empty());
      }
    }
  }
}

enum class Choice { greedy, random };

// Mean gain of one seat that plays so among seats that play at random, seats rotated; greedy: on
// the estimate.
template <Estimating G>
double mean_gain(const G& game, int rounds, std::uint64_t seed, Choice choice) {
  estimate::Eval<G> eval({&game, G::default_points, seed});
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const int seat = round % game.players();
    Rng rng(seed + static_cast<std::uint64_t>(round));
    greedy::Search<G> search(Task<G>{&game, G::default_points, eval, rng.next()});
    auto state = game.start(rng.next());
    while (!game.over(state)) {
      const auto list = legal(game, state);
      const bool thinks = choice == Choice::greedy && game.to_move(state) == seat;
      game.play(state, thinks ? search.think(state, {}).best
                              : list[rng.below(static_cast<std::uint32_t>(list.size()))]);
    }
    sum += game.gain(state)[seat];
  }
  return sum / rounds;
}

template <Game G>
void check_estimate(const G& game, int rounds, std::uint64_t seed) {
  if constexpr (Estimating<G>) {
    EXPECT_GT(mean_gain(game, rounds, seed, Choice::greedy),
              mean_gain(game, rounds, seed, Choice::random) + 0.2)
        << "one ply of the estimate must beat chance";
  } else {
    GTEST_SKIP() << "the game has no estimate";
  }
}

// Everything for one configured game; returns how many positions were reached in two ways.
template <Game G>
int check_game(const G& game, int games) {
  int met = 0;
  for (int i = 0; i < games; ++i) {
    const auto seed = static_cast<std::uint64_t>(1000 + i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    check_contract(game, seed);
    met += check_transpositions(game, seed);
    if constexpr (Learnable<G>) check_planes(game, seed);
    if constexpr (MoveMapped<G>) check_move_places(game, seed);
    if constexpr (TurnSkipping<G>) check_give_turn(game, seed);
    if (i % 4 == 0) check_drawing(game, seed);
    if constexpr (Symmetric<G> && Learnable<G>)
      if (i % 4 == 0) check_symmetries(game, seed);
    if (::testing::Test::HasFatalFailure() || ::testing::Test::HasNonfatalFailure()) break;
  }
  return met;
}

}  // namespace polymax::uniform
