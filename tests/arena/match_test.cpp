// Matches against the rules, tournaments against a plain count, and what threads must not change.
#include "arena/match.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>

#include "arena/parallel.hpp"
#include "arena/record.hpp"
#include "arena/tournament.hpp"
#include "catalog/catalog.hpp"
#include "core/cores.hpp"
#include "core/error.hpp"
#include "tests/message_of.hpp"

namespace polymax::arena::match_test {
namespace {

std::vector<Spec> specs(const std::vector<std::string>& texts) {
  std::vector<Spec> out;
  for (const auto& text : texts) out.push_back(Spec::parse(text));
  return out;
}

MatchSetup setup_for(const AnyGame& game, const std::string& player, std::uint64_t seed = 5) {
  const auto seats = static_cast<std::size_t>(game.players());
  MatchSetup out;
  out.game = &game;
  out.players = std::vector<Spec>(seats, Spec::parse(player));
  out.budgets = std::vector<Budget>(seats, catalog::parse_budget("evals=30"));
  out.start = seed;
  out.seed = seed + 1;
  return out;
}

// Wraps a player of the catalog and misbehaves at its n-th move.
class Failing final : public AnyPlayer {
 public:
  Failing(std::unique_ptr<AnyPlayer> inner, int good_moves, std::string bad_move)
      : inner_(std::move(inner)), left_(good_moves), bad_move_(std::move(bad_move)) {}
  const std::string& spec() const override { return inner_->spec(); }
  AnyVerdict think(const AnyMatch& match, const Budget& budget,
                   const polymax::Watch& watch) override {
    if (left_-- > 0) return inner_->think(match, budget, watch);
    if (bad_move_.empty()) throw std::runtime_error("out of ideas");
    AnyVerdict out;
    out.best = bad_move_;
    return out;
  }

 private:
  std::unique_ptr<AnyPlayer> inner_;
  int left_;
  std::string bad_move_;
};

TEST(match, EveryGameIsPlayedToItsEndByTheRules) {
  for (const auto& entry : catalog::games()) {
    const auto game = catalog::open_game(entry.entry.name);
    const auto record = play_match(setup_for(*game, "random"));
    EXPECT_TRUE(record.over) << entry.entry.name;
    EXPECT_EQ(record.error, "");
    EXPECT_NO_THROW(replay(record)) << entry.entry.name;
    int moves = 0;
    for (const auto& use : record.use) moves += use.moves;
    EXPECT_EQ(moves, static_cast<int>(record.moves.size()));
  }
}

TEST(match, IsAPureFunctionOfItsSetup) {
  const auto game = catalog::open_game("fish");
  const auto line = [&](const MatchSetup& setup) {
    return record_line(play_match(setup), Timing::without);
  };
  const auto setup = setup_for(*game, "mcts");
  EXPECT_EQ(line(setup), line(setup));
  auto other_board = setup;
  other_board.start = 99;
  EXPECT_NE(line(setup), line(other_board));
  auto other_players = setup;
  other_players.seed = 99;
  EXPECT_NE(line(setup), line(other_players));
}

TEST(match, AnOpeningIsRandomAndTheSameForAllPlayers) {
  const auto game = catalog::open_game("hex3(side=4)");
  auto setup = setup_for(*game, "maxn");
  setup.opening = 3;
  const auto one = play_match(setup);
  setup.players[1] = Spec::parse("random");
  setup.seed = 77;
  const auto two = play_match(setup);
  ASSERT_GE(one.moves.size(), 4u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_FALSE(one.moves[i].valued);
    EXPECT_EQ(one.moves[i], two.moves[i]);
  }
  EXPECT_TRUE(one.moves[3].valued);
  setup.start = 6;
  const auto three = play_match(setup);
  EXPECT_NE((std::array{one.moves[0].move, one.moves[1].move, one.moves[2].move}),
            (std::array{three.moves[0].move, three.moves[1].move, three.moves[2].move}));
  setup.opening = 1000;
  EXPECT_TRUE(play_match(setup).over) << "the last move is the players'";
}

TEST(match, APlayerThatFailsEndsTheMatchWithItsReason) {
  const auto game = catalog::open_game("hex3(side=3)");
  auto setup = setup_for(*game, "random");
  std::string bad_move;
  setup.make_player = [&](int seat) -> std::unique_ptr<AnyPlayer> {
    auto player = game->player(Spec::parse("random"), 1);
    if (seat != 1) return player;
    return std::make_unique<Failing>(std::move(player), 1, bad_move);
  };
  auto record = play_match(setup);
  EXPECT_EQ(record.error, "seat 2, random: out of ideas");
  EXPECT_FALSE(record.over);
  EXPECT_EQ(record.moves.size(), 4u);
  bad_move = "z9";
  record = play_match(setup);
  EXPECT_NE(record.error.find("seat 2, random: 'z9' is no legal move"), std::string::npos)
      << record.error;
}

TEST(match, StopsInTheMiddle) {
  const auto game = catalog::open_game("blokus");
  auto setup = setup_for(*game, "unbounded_maxn");
  for (auto& budget : setup.budgets) budget = catalog::parse_budget("seconds=1000");
  std::stop_source stop;
  std::jthread waker([&] { stop.request_stop(); });
  const auto record = play_match(setup, stop.get_token());
  EXPECT_FALSE(record.over);
  EXPECT_EQ(record.error, "");
}

TEST(match, NotesTimeBeyondTheBudget) {
  const auto game = catalog::open_game("tictactoe");
  auto setup = setup_for(*game, "mcts");
  setup.budgets[0] = catalog::parse_budget("seconds=1e-6");
  setup.budgets[1] = catalog::parse_budget("evals=10");
  const auto record = play_match(setup);
  EXPECT_GT(record.use[0].overrun, 0);
  EXPECT_EQ(record.use[1].overrun, 0) << "counted budgets have no time to overrun";
}

TournamentSettings tournament_of(const AnyGame& game, const std::vector<std::string>& players) {
  TournamentSettings out;
  out.game = &game;
  out.players = specs(players);
  out.budgets = {catalog::parse_budget("evals=40")};
  out.starts = 6;
  out.opening = 2;
  out.seed = 3;
  return out;
}

TEST(tournament, RotatesSeats) {
  const auto game = catalog::open_game("hex3(side=3)");
  auto settings = tournament_of(*game, {"random", "greedy", "maxn"});
  EXPECT_EQ(seating(settings, 1), (std::vector{0, 1, 2})) << "as given";
  settings.rotate = true;
  EXPECT_EQ(seating(settings, 0), (std::vector{0, 1, 2}));
  EXPECT_EQ(seating(settings, 1), (std::vector{2, 0, 1}));
  EXPECT_EQ(seating(settings, 5), (std::vector{1, 2, 0}));
  settings.players.resize(2);
  settings.against = true;
  EXPECT_EQ(seating(settings, 2), (std::vector{1, 1, 0}));
  const auto result = tournament(settings);
  EXPECT_EQ(result.played, 18u);
  EXPECT_EQ(result.players[0].seat_results, (std::array<std::uint64_t, 4>{6, 6, 6, 0}));
  EXPECT_EQ(result.players[1].seat_results, (std::array<std::uint64_t, 4>{12, 12, 12, 0}));
}

TEST(tournament, CountsAsAPersonWould) {
  const auto game = catalog::open_game("triinversion(side=3)");
  auto settings = tournament_of(*game, {"unbounded_maxn", "random"});
  settings.against = true;
  std::vector<double> scores(2), counts(2), points(2);
  std::vector<double> blocks(6);
  std::vector<std::string> starts;
  const auto result = tournament(
      settings, [&](std::uint64_t k, const MatchRecord& record, const TournamentResult&) {
        const auto seats = seating(settings, k);
        for (int seat = 0; seat < 3; ++seat) {
          const auto p = static_cast<std::size_t>(seats[static_cast<std::size_t>(seat)]);
          scores[p] += static_cast<double>(record.gain[seat]);
          points[p] += static_cast<double>(record.points[seat]);
          ++counts[p];
          if (p == 0) blocks[k / 3] += static_cast<double>(record.gain[seat]) / 3;
        }
        starts.push_back(record.moves[0].move + record.moves[1].move);
        return true;
      });
  for (std::size_t p = 0; p < 2; ++p) {
    EXPECT_DOUBLE_EQ(result.players[p].mean_score(), scores[p] / counts[p]);
    EXPECT_DOUBLE_EQ(result.players[p].mean_points(), points[p] / counts[p]);
    EXPECT_EQ(result.players[p].wins + result.players[p].draws + result.players[p].losses,
              result.players[p].results);
  }
  ASSERT_EQ(result.players[0].blocks.size(), 6u);
  for (std::size_t b = 0; b < 6; ++b) EXPECT_NEAR(result.players[0].blocks[b], blocks[b], 1e-12);
  for (std::size_t k = 0; k < starts.size(); ++k)
    EXPECT_EQ(starts[k], starts[k / 3 * 3]) << "one opening a block";
  EXPECT_GT(result.players[0].mean_score(), result.players[1].mean_score())
      << "it searches, the other does not";
}

TEST(tournament, AnOpeningLeavesSomethingToPlay) {
  const auto game = catalog::open_game("tictactoe");
  auto settings = tournament_of(*game, {"random", "random"});
  for (const int opening : {9, 1000}) {
    settings.opening = opening;
    EXPECT_NE(message_of([&] { tournament(settings); }).find("tictactoe ends after 9 moves"),
              std::string::npos);
  }
  settings.opening = 4;  // nobody has three in a row before the fifth
  EXPECT_EQ(tournament(settings).short_openings, 0u);
  settings.opening = 8;
  settings.starts = 50;
  std::uint64_t cut = 0;
  const auto result =
      tournament(settings, [&](std::uint64_t, const MatchRecord& record, const TournamentResult&) {
        int random = 0;
        for (const auto& move : record.moves) random += move.valued ? 0 : 1;
        cut += random < settings.opening ? 1 : 0;
        return true;
      });
  EXPECT_GT(cut, 0u);
  EXPECT_EQ(result.short_openings, cut);
}

TEST(tournament, ThreadsChangeNothing) {
  const auto game = catalog::open_game("threehex(side=3)");
  auto settings = tournament_of(*game, {"mcts", "maxn", "brs_plus"});
  settings.rotate = true;
  std::vector<std::string> lines[2];
  for (const int threads : {1, 5}) {
    settings.threads = threads;
    auto& out = lines[threads == 1 ? 0 : 1];
    tournament(settings, [&](std::uint64_t k, const MatchRecord& record, const TournamentResult&) {
      EXPECT_EQ(k, out.size()) << "in the order of the schedule";
      out.push_back(record_line(record, Timing::without));
      return true;
    });
  }
  EXPECT_EQ(lines[0].size(), 18u);
  EXPECT_EQ(lines[0], lines[1]);
}

TEST(tournament, MayBeEndedByTheWatcher) {
  const auto game = catalog::open_game("tictactoe");
  auto settings = tournament_of(*game, {"random", "random"});
  settings.opening = 0;
  settings.starts = 1000;
  settings.threads = 4;
  const auto result =
      tournament(settings, [](std::uint64_t, const MatchRecord&, const TournamentResult& so_far) {
        return so_far.played < 7;
      });
  EXPECT_EQ(result.played, 7u) << "matches that ran beside are not counted";
  EXPECT_EQ(result.planned, 1000u);
}

void expect_error(const TournamentSettings& settings, const std::string& message) {
  try {
    tournament(settings);
    ADD_FAILURE() << "no error: " << message;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

TEST(tournament, SaysWhatIsWrongBeforeItPlays) {
  const auto game = catalog::open_game("hex3(side=3)");
  expect_error(tournament_of(*game, {"random", "random"}), "has 3 seats, 2 players are given");
  auto settings = tournament_of(*game, {"random", "random", "random"});
  settings.against = true;
  expect_error(settings, "needs two players");
  settings = tournament_of(*game, {"random", "random", "random"});
  settings.budgets.resize(2);
  expect_error(settings, "2 budgets for 3 players");
  expect_error(
      tournament_of(*game, {"random", "random", "greedy(eval=network(file=none.safetensors))"}),
      "none.safetensors");
}

TEST(parallel, PassesOnWhatIsThrown) {
  const auto game = catalog::open_game("tictactoe");
  std::vector<std::uint64_t> all(50);
  std::iota(all.begin(), all.end(), 0);
  const auto setup = [&](std::uint64_t) { return setup_for(*game, "random"); };
  EXPECT_THROW(
      play_matches(all, 4, setup,
                   [](std::uint64_t, MatchRecord&&) -> bool { throw Error("the disk is full"); }),
      Error);
  std::atomic<int> done = 0;
  EXPECT_TRUE(
      play_matches(all, 4, setup, [&](std::uint64_t, MatchRecord&&) { return ++done > 0; }));
  EXPECT_EQ(done, 50);
}

TEST(parallel, TimedMatchesDoNotShareCores) {
  EXPECT_THROW(check_threads(cores() + 1, true), Error);
  EXPECT_NO_THROW(check_threads(cores(), true));
  EXPECT_NO_THROW(check_threads(1000, false));
}

TEST(tournament, HundredsOfMatchesWaitForAGpu) {
  TournamentSettings settings;
  settings.players = specs({"greedy(eval=network(device=cuda))", "random"});
  settings.budgets = {catalog::parse_budget("evals=100")};
  EXPECT_TRUE(load_of(settings).gpu);
  EXPECT_GE(default_matches(load_of(settings)), kGpuMatches);
  settings.budgets.push_back(catalog::parse_budget("seconds=1"));
  EXPECT_EQ(default_matches(load_of(settings)), cores()) << "timed matches share no core";
  settings.budgets.pop_back();
  settings.players = specs({"greedy", "random"});
  EXPECT_FALSE(load_of(settings).gpu);
  EXPECT_EQ(default_matches(load_of(settings)), cores());
}

}  // namespace
}  // namespace polymax::arena::match_test
