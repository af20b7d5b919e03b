// Hey, That's My Fish! against a naive second implementation: maps of tiles at doubled x
// coordinates, plain loops.
#include "games/fish.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "catalog/random_play.hpp"
#include "tests/games/against_naive.hpp"
#include "tests/message_of.hpp"

namespace polymax::fish_test {
namespace {

using Place = std::pair<int, int>;  // row from the top, twice the distance from the left edge
const std::string kStripes = "111111111111111111111111111111222222222222222222223333333333";

std::string name_of(const Place& place) {
  return std::string(1, static_cast<char>('a' + place.second / 2)) +
         std::to_string(8 - place.first);
}

Place place_of(const std::string& name) {
  const int row = 8 - (name[1] - '0');
  return {row, 2 * (name[0] - 'a') + (row % 2 == 0 ? 1 : 0)};
}

struct Naive {
  int players;
  std::map<Place, int> fish;      // tiles left
  std::map<Place, int> penguins;  // owner
  std::vector<int> taken;
  int turn = 0, to_place = 0;

  // digits: fish of all tiles, row by row from the top.
  Naive(int seats, const std::string& digits)
      : players(seats), taken(static_cast<std::size_t>(seats)) {
    const std::map<int, int> penguins_a_seat{{2, 4}, {3, 3}, {4, 2}};
    to_place = seats * penguins_a_seat.at(seats);
    std::size_t next = 0;
    for (int row = 0; row < 8; ++row)
      for (int c = 0; c < (row % 2 == 0 ? 7 : 8); ++c)
        fish[{row, 2 * c + (row % 2 == 0 ? 1 : 0)}] = digits[next++] - '0';
  }

  bool free(const Place& place) const { return fish.contains(place) && !penguins.contains(place); }

  std::vector<Place> targets(const Place& from) const {
    std::vector<Place> out;
    for (const auto& [dr, dx] :
         std::vector<Place>{{0, 2}, {0, -2}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}})
      for (Place at{from.first + dr, from.second + dx}; free(at);
           at = {at.first + dr, at.second + dx})
        out.push_back(at);
    return out;
  }

  std::set<std::string> moves() const {
    std::set<std::string> out;
    if (to_place > 0) {
      for (const auto& [place, count] : fish)
        if (count == 1 && free(place)) out.insert(name_of(place));
    } else {
      for (const auto& [from, owner] : penguins)
        if (owner == turn)
          for (const auto& to : targets(from)) out.insert(name_of(from) + "-" + name_of(to));
    }
    return out;
  }

  bool over() const { return to_place == 0 && penguins.empty(); }

  void take(const Place& place) {
    taken[static_cast<std::size_t>(penguins.at(place))] += fish.at(place);
    fish.erase(place);
    penguins.erase(place);
  }

  void play(const std::string& text) {
    if (to_place > 0) {
      penguins[place_of(text)] = turn;
      --to_place;
    } else {
      const auto dash = text.find('-');
      const int mover = turn;
      take(place_of(text.substr(0, dash)));
      penguins[place_of(text.substr(dash + 1))] = mover;
    }
    turn = (turn + 1) % players;
    while (to_place == 0 && !penguins.empty()) {
      remove_stuck();
      if (!moves().empty()) break;
      turn = (turn + 1) % players;
    }
  }

  void remove_stuck() {
    std::vector<Place> stuck;
    for (const auto& [place, owner] : penguins)
      if (owner == turn && targets(place).empty()) stuck.push_back(place);
    for (const auto& place : stuck) take(place);
  }
};

std::string digits_of(const fish::Rules& game, const fish::Rules::State& start) {
  std::string out;
  for (const auto& cell : game.draw(start).cells)
    out += cell.mark;  // drawn row by row from the top
  return out;
}

void agree(const fish::Rules& game, const Naive& naive, const fish::Rules::State& state) {
  const auto names = uniform::texts(game, state);
  ASSERT_EQ(naive.moves(), std::set<std::string>(names.begin(), names.end()));
  ASSERT_EQ(naive.over(), game.over(state));
  if (!naive.over()) {
    ASSERT_EQ(naive.turn, game.to_move(state));
  }
  const Scores score = game.score(state), gain = game.gain(state);
  const int best = *std::ranges::max_element(naive.taken);
  for (int p = 0; p < naive.players; ++p) {
    const int taken = naive.taken[static_cast<std::size_t>(p)];
    ASSERT_EQ(static_cast<float>(taken), score[p]);
    ASSERT_EQ(taken == best ? 1.0f : -1.0f, gain[p]);
  }
  for (const auto& cell : game.draw(state).cells) {
    const auto tile = naive.fish.find(place_of(cell.name));
    const auto penguin = naive.penguins.find(place_of(cell.name));
    ASSERT_EQ(tile == naive.fish.end() ? ' ' : static_cast<char>('0' + tile->second), cell.mark)
        << cell.name;
    ASSERT_EQ(penguin == naive.penguins.end() ? -1 : penguin->second, cell.owner) << cell.name;
  }
}

int compare(const fish::Options& options, int games) {
  const fish::Rules game(options);
  int positions = 0;
  for (int i = 0; i < games; ++i) {
    const auto played = uniform::random_game(game, static_cast<std::uint64_t>(i));
    Naive naive(options.players, digits_of(game, played.states[0]));
    for (std::size_t ply = 0; ply < played.states.size(); ++ply, ++positions) {
      agree(game, naive, played.states[ply]);
      if (::testing::Test::HasFatalFailure()) return positions;
      if (ply < played.moves.size())
        naive.play(game.move_text(played.states[ply], played.moves[ply]));
    }
  }
  return positions;
}

TEST(fish, AgreesWithTheNaiveRules) {
  int positions = 0;
  for (const int players : {2, 3, 4}) positions += compare({players, ""}, 100);
  EXPECT_GT(positions, 15000);
  compare({3, kStripes}, 20);
}

// Perft in the placement phase does not depend on the tiles; this counts in the movement phase.
TEST(fish, CountsMoveSequencesOfTheMovementPhase) {
  const fish::Rules game({2, kStripes});
  const std::vector<std::string> placed{"a8", "g8", "a7", "h7", "d6", "e6", "c5", "f5"};
  const auto state = uniform::after(game, placed);
  Naive naive(2, kStripes);
  for (const auto& text : placed) naive.play(text);
  for (const int depth : {1, 2, 3})
    EXPECT_EQ(naive::count_sequences(game, state, depth), naive::count_sequences(naive, depth));
  EXPECT_EQ(naive::count_sequences(game, state, 3), 101435u);
}

TEST(fish, TheBoardIsAsDescribed) {
  const fish::Rules game;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto digits = digits_of(game, game.start(seed));
    EXPECT_EQ(std::ranges::count(digits, '1'), 30);
    EXPECT_EQ(std::ranges::count(digits, '2'), 20);
    EXPECT_EQ(std::ranges::count(digits, '3'), 10);
  }
  EXPECT_NE(digits_of(game, game.start(1)), digits_of(game, game.start(2)));
  const fish::Rules given({3, kStripes});
  EXPECT_EQ(digits_of(given, given.start(1)), kStripes);
  EXPECT_TRUE(given.start(1) == given.start(2));
  EXPECT_EQ(game.max_length(), 60);
}

// Every tile is as likely as another to have each number of fish.
TEST(fish, TheShuffleIsFair) {
  const fish::Rules game;
  constexpr int kGames = 6000;
  std::array<std::array<int, 60>, 4> count{};
  for (int i = 0; i < kGames; ++i) {
    const auto start = game.start(static_cast<std::uint64_t>(i));
    for (std::size_t t = 0; t < 60; ++t)
      ++count[(start.fish[0] >> t & 1) + (start.fish[1] >> t & 1) + (start.fish[2] >> t & 1)][t];
  }
  for (std::size_t t = 0; t < 60; ++t) {
    EXPECT_NEAR(count[1][t], kGames / 2, 5 * 39);
    EXPECT_NEAR(count[2][t], kGames / 3, 5 * 37);
    EXPECT_NEAR(count[3][t], kGames / 6, 5 * 29);
  }
}

TEST(fish, TilesHaveTwoToSixNeighbours) {
  std::map<int, int> tiles_by_neighbours;
  for (int tile = 0; tile < fish::kTiles; ++tile) {
    const auto near = fish::beside(fish::bit(tile));
    ++tiles_by_neighbours[std::popcount(near)];
    for (int other = 0; other < fish::kTiles; ++other)
      EXPECT_EQ(near >> other & 1, fish::beside(fish::bit(other)) >> tile & 1);
  }
  EXPECT_EQ(tiles_by_neighbours, (std::map<int, int>{{2, 2}, {3, 8}, {4, 11}, {5, 6}, {6, 33}}));
}

// Penguins of seat 0 in the corner are walled in by those of seat 1; they go, with their tiles,
// when their turn comes.
TEST(fish, StuckPenguinsGoAtTheStartOfTheirOwnersTurn) {
  const fish::Rules game({4, kStripes});
  auto state = uniform::after(game, {"a8", "b8", "d5", "e5", "f5", "a7", "b7"});
  EXPECT_EQ(state.to_place, 1);
  EXPECT_EQ(game.score(state), Scores{});
  state = uniform::after(game, {"a8", "b8", "d5", "e5", "f5", "a7", "b7", "g5"});
  EXPECT_EQ(game.to_move(state), 0);  // a8 is stuck between b8, a7 and b7
  EXPECT_EQ(game.score(state)[0], 1);
  EXPECT_EQ(std::popcount(state.penguins[0]), 1);
  EXPECT_EQ(std::popcount(state.fish[0]), 59);
  EXPECT_EQ(game.played(state), 8);
  for (const auto& text : uniform::texts(game, state)) EXPECT_EQ(text.substr(0, 2), "f5");
}

// Seat 1 is cut off and goes when its turn comes; seat 0 then moves alone until it is stuck as
// well.
TEST(fish, ASeatPlaysOnAlone) {
  const fish::Rules game({2, kStripes});
  constexpr int a8 = 0, b8 = 1, c8 = 2, a1 = 52;
  fish::Rules::State state;
  state.fish = {fish::bit(a8) | fish::bit(b8) | fish::bit(c8) | fish::bit(a1),
                fish::bit(b8) | fish::bit(a1), fish::bit(a1)};
  state.penguins = {fish::bit(a8), fish::bit(a1)};
  game.play(state, {a8, b8});
  EXPECT_EQ(game.to_move(state), 0);
  EXPECT_EQ(game.score(state), (Scores{{1, 3}}));
  EXPECT_EQ(uniform::texts(game, state), std::vector<std::string>{"b8-c8"});
  game.play(state, {b8, c8});
  EXPECT_TRUE(game.over(state));
  EXPECT_EQ(game.score(state), (Scores{{4, 3}}));
  EXPECT_EQ(game.gain(state), (Scores{{1, -1}}));
  EXPECT_EQ(game.played(state), 60);
}

// A move can leave nobody, the mover included, with a penguin that can move: everybody's last tiles
// are taken at once.
TEST(fish, TheLastMoveRemovesEverybody) {
  const fish::Rules game({3, kStripes});
  constexpr int a8 = 0, b8 = 1, c8 = 2, a1 = 52;
  fish::Rules::State state;
  state.fish = {fish::bit(a8) | fish::bit(b8) | fish::bit(c8) | fish::bit(a1), 0, 0};
  state.penguins = {fish::bit(c8), fish::bit(a8), fish::bit(a1)};
  state.turn = 1;
  game.play(state, {a8, b8});
  EXPECT_TRUE(game.over(state));
  EXPECT_EQ(game.score(state), (Scores{{1, 2, 1}}));
  EXPECT_EQ(state.fish[0], 0u);
  EXPECT_EQ(game.draw(state).notes.front(), "seat 1: 1 fish, 0 penguins") << "nobody slides";
}

TEST(fish, EqualTotalsAreJointWins) {
  const fish::Rules game({3, ""});
  auto state = game.start(0);
  state.taken = {30, 20, 30, 0};
  EXPECT_EQ(game.gain(state), (Scores{{1, -1, 1, 0}}));
  state.taken = {20, 20, 20, 0};
  EXPECT_EQ(game.gain(state), (Scores{{1, 1, 1, 0}}));
}

TEST(fish, TurnAndTotalsAreInHashAndPlanes) {
  const fish::Rules game;
  const auto state = game.start(3);
  for (const int turn : {1, 2}) {
    auto other = state;
    other.turn = static_cast<std::uint8_t>(turn);
    EXPECT_NE(game.hash(state), game.hash(other));
    EXPECT_NE(uniform::planes_of(game, state), uniform::planes_of(game, other));
  }
  for (std::size_t p = 0; p < 3; ++p)
    for (const int n : {1, 64, 100}) {
      auto other = state;
      other.taken[p] = static_cast<std::uint8_t>(n);
      EXPECT_NE(game.hash(state), game.hash(other));
      EXPECT_NE(uniform::planes_of(game, state), uniform::planes_of(game, other));
    }
}

// A turned position keeps its hash up to date when it is played on, and turning back gives the same
// position.
TEST(fish, TurningBackGivesTheSamePosition) {
  for (const int players : {2, 3, 4}) {
    const fish::Rules game({players, ""});
    const auto played = uniform::random_game(game, 5);
    const auto all = game.symmetries();
    ASSERT_EQ(all.size(), static_cast<std::size_t>(2 * players));
    for (const auto& state : played.states) {
      EXPECT_TRUE(game.turned(state, all[0]) == state);
      for (int k = 0; k < players; ++k) {
        const auto image = game.turned(state, all[static_cast<std::size_t>(players + k)]);
        const auto back =
            game.turned(image, all[static_cast<std::size_t>(players + (players - k) % players)]);
        EXPECT_TRUE(back == state);
        EXPECT_EQ(game.hash(back), game.hash(state));
      }
    }
  }
}

TEST(fish, OtherSeatsObeyTheContract) {
  uniform::check_game(fish::Rules({2, ""}), 8);
  uniform::check_game(fish::Rules({4, ""}), 8);
  uniform::check_game(fish::Rules({3, kStripes}), 4);
}

// Random play as in the table of the rules: 53.5 moves (39-60), 15.4 choices, wins 37.5 34.3 28.2
// %.
TEST(fish, RandomPlayIsAsExpected) {
  const fish::Rules game;
  constexpr int kGames = 4000;
  const auto play = play_randomly(game, 1, {.games = kGames});
  const auto moves = static_cast<double>(play.moves);
  EXPECT_NEAR(moves / kGames, 53.5, 0.3);
  EXPECT_GE(play.shortest, 39);
  EXPECT_LE(play.longest, 60);
  EXPECT_NEAR(static_cast<double>(play.choices) / moves, 15.4, 0.2);
  EXPECT_NEAR(play.wins[0] / kGames, 0.375, 0.025);
  EXPECT_NEAR(play.wins[1] / kGames, 0.343, 0.025);
  EXPECT_NEAR(play.wins[2] / kGames, 0.282, 0.025);
}

// Guesses are final scores: with all tiles claimed they add up to all 100 fish, and at the start
// everybody has a third.
TEST(fish, EstimatesAreFinalScores) {
  const fish::Rules game;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto played = uniform::random_game(game, seed);
    const Scores first = game.estimate(played.states[0]);
    for (int p = 0; p < 3; ++p) EXPECT_NEAR(first[p], 100.0 / 3, 1e-3);
    for (std::size_t i = 0; i + 1 < played.states.size(); ++i) {
      const Scores guess = game.estimate(played.states[i]);
      float sum = 0;
      for (int p = 0; p < 3; ++p) {
        sum += guess[p];
        EXPECT_GE(guess[p], game.score(played.states[i])[p]);
      }
      EXPECT_LE(sum, 100.01f);
    }
    EXPECT_EQ(game.estimate(played.states.back()), game.score(played.states.back()));
  }
}

std::string complaint(const fish::Options& options) {
  return message_of([&] { fish::Rules game(options); });
}

TEST(fish, BadTilesAreRefused) {
  EXPECT_EQ(complaint({3, kStripes}), "no error");
  EXPECT_NE(complaint({3, "123"}).find("has 3 digits: tiles takes 60"), std::string::npos);
  EXPECT_NE(complaint({3, kStripes + "1"}).find("has 61 digits"), std::string::npos);
  std::string wrong = kStripes;
  wrong[6] = '4';
  EXPECT_NE(complaint({3, wrong}).find("'4' as its digit 7"), std::string::npos);
  wrong[6] = '2';
  EXPECT_NE(complaint({3, wrong}).find("29 ones, 21 twos and 10 threes"), std::string::npos);
  EXPECT_THROW(read_settings<fish::Options>(Spec::parse("fish(players=5)")), Error);
  EXPECT_THROW(read_settings<fish::Options>(Spec::parse("fish(players=1)")), Error);
}

}  // namespace
}  // namespace polymax::fish_test
