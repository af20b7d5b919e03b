// Separed Teamhex against a naive second implementation: maps of stones, flood fill, the cycle as a
// list of turns.
#include "games/teamhex.hpp"

#include <gtest/gtest.h>

#include <map>

#include "catalog/catalog.hpp"
#include "catalog/random_play.hpp"
#include "tests/games/against_naive.hpp"

namespace polymax::teamhex_test {
namespace {

using Place = std::pair<int, int>;  // row from the top, column

struct Naive {
  int n;
  std::map<Place, int> stones{};
  int step = 0, turn = 0;
  bool over = false;
  Scores score{};

  static std::string name(Place c) {
    return std::string(1, static_cast<char>('a' + c.second)) + std::to_string(c.first + 1);
  }

  char zone(Place c) const {
    const bool top = c.first < n / 2, left = c.second < n / 2;
    return top ? (left ? 'A' : 'B') : (left ? 'D' : 'C');
  }

  std::set<std::string> empty_cells(char wanted) const {
    std::set<std::string> out;
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c)
        if (!stones.contains({r, c}) && zone({r, c}) == wanted) out.insert(name({r, c}));
    return out;
  }

  std::set<std::string> moves() const {
    if (over) return {};
    return empty_cells("AABBCCDD"[step]);
  }

  // Is there a path of stones of these seats from one of these cells of one edge to one of the
  // opposite edge? Seats 0 and 2 join left and right, 1 and 3 top and bottom; `begin` and `end`
  // bound the place along the edge.
  bool joined(const std::set<int>& seats, bool left_right, int begin, int end) const {
    std::set<Place> seen;
    std::vector<Place> open;
    const auto on_edge = [&](Place c, int at) {
      const int across = left_right ? c.second : c.first, along = left_right ? c.first : c.second;
      return across == at && along >= begin && along < end;
    };
    for (const auto& [c, owner] : stones)
      if (seats.contains(owner) && on_edge(c, 0)) open.push_back(c);
    while (!open.empty()) {
      const auto [r, c] = open.back();
      open.pop_back();
      if (!seen.insert({r, c}).second) continue;
      if (on_edge({r, c}, n - 1)) return true;
      for (const auto& [dr, dc] :
           std::vector<Place>{{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {-1, 1}, {1, -1}}) {
        const auto next = stones.find({r + dr, c + dc});
        if (next != stones.end() && seats.contains(next->second)) open.push_back(next->first);
      }
    }
    return false;
  }

  void play(const std::string& text) {
    stones[{std::stoi(text.substr(1)) - 1, text[0] - 'a'}] = turn;
    check_end();
    for (int i = 0; i < 8 && !over; ++i) {
      step = (step + 1) % 8;
      turn = "03102132"[step] - '0';
      if (!moves().empty()) break;
    }
  }

  void check_end() {
    const std::array<bool, 4> alone{joined({0}, true, 0, n / 2), joined({1}, false, n / 2, n),
                                    joined({2}, true, n / 2, n), joined({3}, false, 0, n / 2)};
    for (int p = 0; p < 4; ++p)
      if (alone[static_cast<std::size_t>(p)]) {
        over = true;
        for (int q = 0; q < 4; ++q) score[q] = p == q ? 2.0f : -2.0f;
        return;
      }
    for (int team = 0; team < 2; ++team)
      if (joined({team, team + 2}, team == 0, 0, n)) {
        over = true;
        for (int q = 0; q < 4; ++q) score[q] = q % 2 == team ? 1.0f : -1.0f;
      }
  }
};

TEST(teamhex, AgreesWithTheNaiveRules) {
  int positions = naive::compare_games(teamhex::Rules(), Naive{20}, 3);
  for (const int n : {4, 6, 8, 10})
    positions += naive::compare_games(teamhex::Rules({n}), Naive{n}, 60);
  EXPECT_GT(positions, 8000);
}

TEST(teamhex, CountsMoveSequencesLikeTheNaiveRules) {
  const auto game = catalog::open_game("teamhex(n=4)");
  const auto counts = game->perft(*game->start(0), 9).sequences;
  for (int depth = 1; depth <= 9; ++depth)
    EXPECT_EQ(counts[static_cast<std::size_t>(depth - 1)], naive::count_sequences(Naive{4}, depth))
        << depth;
  EXPECT_EQ(counts[7], 20736u) << "nobody can win with two stones each: 4 * 3 in every zone";
}

TEST(teamhex, TheCycleOfEightTurns) {
  const teamhex::Rules game({8});
  auto state = game.start(0);
  const std::string seats = "0310213203102132", zones = "AABBCCDDAABBCCDD";
  for (std::size_t i = 0; i < seats.size(); ++i) {
    ASSERT_EQ(game.to_move(state), seats[i] - '0');
    for (const auto& text : uniform::texts(game, state))
      ASSERT_EQ((Naive{8}.zone({std::stoi(text.substr(1)) - 1, text[0] - 'a'})), zones[i]);
    game.play(state, uniform::legal(game, state)[0]);
  }
}

// Zones of nine cells: after four cycles one is left in each, for the zone's first turn alone. A
// seat whose zones are both full has no turn to be given.
TEST(teamhex, TurnsOfFullZonesAreSkipped) {
  const teamhex::Rules game({6});
  const std::array<std::string, 4> zones{"AB", "BC", "CD", "DA"};
  int skipped = 0, nothing = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto played = uniform::random_game(game, seed);
    Naive naive{6};
    for (std::size_t ply = 0; ply < played.moves.size(); ++ply) {
      const auto& state = played.states[ply];
      if (ply > 32) skipped += state.slot % 2 == 0;
      for (int p = 0; p < 4; ++p) {
        const auto& own = zones[static_cast<std::size_t>(p)];
        const bool room = !naive.empty_cells(own[0]).empty() || !naive.empty_cells(own[1]).empty();
        EXPECT_EQ(game.give_turn(state, p).has_value(), room);
        nothing += !room;
      }
      naive.play(game.move_text(state, played.moves[ply]));
    }
  }
  EXPECT_GT(skipped, 0);
  EXPECT_GT(nothing, 0);
}

TEST(teamhex, GiveTurnTakesTheSeatsNextSlotWithRoom) {
  const teamhex::Rules game({6});
  auto state = game.start(0);
  const std::array<int, 4> slots{0, 2, 4, 1};
  for (int p = 0; p < 4; ++p)
    EXPECT_EQ(game.give_turn(state, p)->slot, slots[static_cast<std::size_t>(p)]);
  EXPECT_TRUE(*game.give_turn(state, 0) == state);
  for (const int slot : {4, 7, 4}) {
    state = game.give_turn(state, 2).value();
    EXPECT_EQ(state.slot, slot);
    game.play(state, uniform::legal(game, state)[0]);
  }
}

TEST(teamhex, WinsAloneAndTogether) {
  int alone = 0, together = 0;
  const teamhex::Rules game({8});
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    int last = -1;
    const auto end = uniform::walk_randomly(
        game, seed, [&](const auto& state, const auto&) { last = game.to_move(state); });
    const Scores score = game.score(end);
    EXPECT_GT(score[last], 0) << "the mover wins";
    if (score[last] == 2) {
      ++alone;
      EXPECT_EQ(score[(last + 2) % 4], -2) << "the ally loses";
    } else {
      ++together;
      EXPECT_EQ(score[last], 1);
      EXPECT_EQ(score[(last + 2) % 4], 1);
    }
    EXPECT_EQ(score[(last + 1) % 4], -score[last]);
    EXPECT_EQ(score[(last + 3) % 4], -score[last]);
  }
  EXPECT_GT(alone, 200);
  EXPECT_GT(together, 200);
}

TEST(teamhex, OtherSizesObeyTheContract) {
  for (const int n : {4, 6, 8, 10, 14}) uniform::check_game(teamhex::Rules({n}), 4);
}

TEST(teamhex, RandomGamesAreAsExpected) {
  constexpr int kGames = 1000;
  const teamhex::Rules game;
  const auto play = play_randomly(game, 1, {.games = kGames});
  EXPECT_NEAR(static_cast<double>(play.moves) / kGames, 371, 2.5);
  EXPECT_NEAR(static_cast<double>(play.choices) / static_cast<double>(play.moves), 54, 0.5);
  EXPECT_EQ(play.most_choices, 100);
  EXPECT_EQ(play.draws, 0u);
  std::array<int, 3> ends{};  // alone, team 0, team 1
  for (std::uint64_t seed = 0; seed < kGames; ++seed) {
    const auto score = game.score(uniform::walk_randomly(game, seed, [](auto&&...) {}));
    ++ends[std::ranges::count(score.seats, 2.0f) == 1 ? 0 : score[0] > 0 ? 1 : 2];
  }
  EXPECT_NEAR(ends[0] / double{kGames}, 0.38, 0.035);
  EXPECT_NEAR(ends[1] / double{kGames}, 0.32, 0.035);
  EXPECT_NEAR(ends[2] / double{kGames}, 0.299, 0.035);
}

TEST(teamhex, BadOptionsAreRefused) {
  for (const auto* spec : {"teamhex(n=2)", "teamhex(n=7)", "teamhex(n=22)"})
    EXPECT_THROW(catalog::open_game(spec), Error) << spec;
}

}  // namespace
}  // namespace polymax::teamhex_test
