// Programs outside as players: the same moves as inside, and every fault costs its seat the match,
// with the reason, while nothing is left behind.
#include "protocol/engine_player.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stop_token>
#include <thread>

#include "arena/match.hpp"
#include "arena/record.hpp"
#include "arena/tournament.hpp"
#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "tests/long_tests.hpp"
#include "tests/protocol/processes.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::protocol::engine_player_test {
namespace {

std::string fake_cmd(const std::string& fault) {
  return std::filesystem::absolute(FAKE_ENGINE).string() + " " + fault;
}

Spec fake(const std::string& fault, const std::string& more = "") {
  // A shell that waits for the program would hold its output open, or be the one that we know.
  const bool bare = fault.starts_with("closes") || fault.starts_with("own_group");
  const std::string exec = bare ? "exec " : "";
  return Spec::parse("engine(cmd=\"" + exec + fake_cmd(fault) + "\"" + more + ")");
}

arena::MatchRecord against_fake(const Spec& engine, const std::string& budget = "evals=5") {
  offer_engines();
  const auto game = catalog::open_game("tictactoe");
  arena::MatchSetup setup;
  setup.game = game.get();
  setup.players = {engine, Spec::parse("random")};
  setup.budgets = std::vector<Budget>(2, catalog::parse_budget(budget));
  return arena::play_match(setup);
}

struct Fault {
  const char *name, *reason, *more;
};

class Faults : public ::testing::TestWithParam<Fault> {};
class GtpFaults : public ::testing::TestWithParam<Fault> {};

// A file that fake_engine makes when it does what it should not.
class Mark {
 public:
  Mark() { ::setenv("FAKE_ENGINE_MARK", path_.c_str(), 1); }
  ~Mark() { ::unsetenv("FAKE_ENGINE_MARK"); }
  bool is_there() const { return std::filesystem::exists(path_); }

 private:
  TemporaryFolder folder_;
  std::string path_ = folder_ / "mark";
};

void expect_forfeit(const Fault& fault, const std::string& language = "",
                    const std::string& protocol = "") {
  const std::size_t before = open_descriptors();
  const Mark mark;
  const auto record = against_fake(fake(fault.name + language, protocol + fault.more));
  EXPECT_TRUE(mark.is_there()) << "the seat lost before the fault: " << record.reason;
  EXPECT_EQ(record.forfeit, 0) << record.error;
  EXPECT_NE(record.reason.find(fault.reason), std::string::npos) << record.reason;
  EXPECT_EQ(record.reason.find('\n'), std::string::npos);
  EXPECT_TRUE(record.over);
  EXPECT_EQ(record.gain, (Scores{{-1, 1}}));
  EXPECT_NO_THROW(arena::replay(record));
  EXPECT_EQ(arena::read_record_line(arena::record_line(record)).reason, record.reason);
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(children(), 0u);
  EXPECT_TRUE(soon_running_with(fake_cmd(fault.name + language), 0));
}

TEST_P(Faults, CostTheSeatTheMatchAndLeaveNothing) {
  expect_forfeit(GetParam());
}

// GTP's own: an answer is one word with = or ?, and ends with an empty line.
TEST_P(GtpFaults, CostTheSeatTheMatchAndLeaveNothing) {
  expect_forfeit(GetParam(), " gtp", ",protocol=gtp");
}

INSTANTIATE_TEST_SUITE_P(
    engine_player, Faults,
    ::testing::Values(Fault{"dead", "the engine ended (exit code 7)", ""},
                      Fault{"mute", "no ugiok in time", ",start=1"},
                      Fault{"babble", "garbage where ugiok was wanted", ""},
                      Fault{"other_game", "the engine plays chess", ""},
                      Fault{"unready", "no readyok in time", ",start=1"},
                      Fault{"crash", "signal 6", ""}, Fault{"exit", "exit code 3", ""},
                      Fault{"hang", "no bestmove in time", ",move=1"},
                      Fault{"flood", "endless output", ""}, Fault{"flood_lines", "garbage", ""},
                      Fault{"illegal", "illegal move 'a1'", ""},
                      Fault{"no_move", "a bestmove without a move", ""},
                      Fault{"error", "the engine says: error I do not want to", ""},
                      Fault{"garbage", "garbage where bestmove was wanted", ""},
                      Fault{"late", "no bestmove in time", ",move=1"},
                      Fault{"closes", "the engine closed its input or output", ""},
                      Fault{"last_words", "it said: the table is broken", ""},
                      Fault{"children", "exit code 5", ""},
                      Fault{"own_group", "no bestmove in time", ",move=1"}),
    [](const auto& fault) { return std::string(fault.param.name); });

INSTANTIATE_TEST_SUITE_P(
    engine_player, GtpFaults,
    ::testing::Values(Fault{"dead", "the engine ended (exit code 7)", ""},
                      Fault{"mute", "no answer to 'list_commands' in time", ",start=1"},
                      Fault{"babble", "is no answer to 'list_commands'", ""},
                      Fault{"deaf", "the engine refuses 'play 2 ", ""},
                      Fault{"crash", "signal 6", ""}, Fault{"exit", "exit code 3", ""},
                      Fault{"hang", "no answer to 'genmove 1' in time", ",move=1"},
                      Fault{"half", "no answer to 'genmove 1' in time", ",move=1"},
                      Fault{"flood", "endless output", ""},
                      Fault{"flood_lines", "is no answer", ""},
                      Fault{"illegal", "illegal move 'a1'", ""},
                      Fault{"no_move", "illegal move ''", ""},
                      Fault{"resign", "the engine resigned", ""},
                      Fault{"error", "the engine refuses 'genmove 1': I do not want to", ""},
                      Fault{"garbage", "is no answer to 'genmove 1'", ""},
                      Fault{"late", "no answer to 'genmove 1' in time", ",move=1"},
                      Fault{"closes", "the engine closed its input or output", ""},
                      Fault{"last_words", "it said: the table is broken", ""},
                      Fault{"children", "exit code 5", ""}),
    [](const auto& fault) { return std::string(fault.param.name); });

TEST(engine_player, ATimedMoveHasItsGrace) {
  EXPECT_EQ(against_fake(fake("late", ",grace=1"), "seconds=0.1").forfeit, 0);
  EXPECT_EQ(against_fake(fake("late", ",grace=600"), "seconds=0.1").forfeit, -1);
  EXPECT_EQ(against_fake(fake("late"), "seconds=1e10").forfeit, -1) << "three hundred years";
}

TEST(engine_player, AGoodEnginePlaysToTheEnd) {
  for (const char* name : {"good", "bad_info", "stays"}) {
    const auto record = against_fake(fake(name));
    EXPECT_EQ(record.error + record.reason, "");
    EXPECT_TRUE(record.over);
    ASSERT_FALSE(record.moves.empty());
    EXPECT_EQ(record.moves[0].move, "a1");
    EXPECT_EQ(record.moves[0].value, (Scores{{0.5f, -0.5f}}));
    EXPECT_EQ(record.moves[0].evaluations, 7u);
    EXPECT_EQ(children(), 0u) << name;
  }
}

TEST(engine_player, WhoRefusesASeedOrATimeMayPlay) {
  const auto record = against_fake(fake("proud gtp", ",protocol=gtp,grace=600"), "seconds=0.05");
  EXPECT_EQ(record.error + record.reason, "");
  EXPECT_TRUE(record.over);
}

TEST(engine_player, ItsStandardErrorGoesToTheLog) {
  const TemporaryFolder folder;
  against_fake(fake("last_words", ",log=\"" + folder / "log" + "\""));
  EXPECT_EQ(read_file(folder / "log"), "first\nthe table is broken\n");
}

TEST(engine_player, OthersGoOnWhenOneFails) {
  offer_engines();
  const auto game = catalog::open_game("tictactoe");
  arena::TournamentSettings settings;
  settings.game = game.get();
  settings.players = {fake("crash"), Spec::parse("random")};
  settings.budgets = {catalog::parse_budget("evals=5")};
  settings.rotate = true;
  settings.starts = 4;
  settings.threads = 3;
  const auto result = arena::tournament(settings);
  EXPECT_EQ(result.played, 8u);
  EXPECT_EQ(result.failed, 0u);
  EXPECT_EQ(result.forfeits, 8u);
  EXPECT_EQ(result.players[0].losses, 8u);
  EXPECT_NE(result.first_forfeit.find("signal 6"), std::string::npos);
  EXPECT_EQ(children(), 0u);
}

TEST(engine_player, ABadCommandIsRefusedBeforeTheMatches) {
  offer_engines();
  const auto game = catalog::open_game("tictactoe");
  const std::vector<Spec> players{Spec::parse("engine(cmd=\"/no/such/program\")")};
  EXPECT_THROW(arena::check_players(*game, players), Error);
  EXPECT_THROW(game->player(Spec::parse("engine"), 0), Error);
  EXPECT_THROW(game->player(Spec::parse("engine(cmd=x,protocol=uci)"), 0), Error);
}

TEST(engine_player, AStopEndsAThoughtAndIsNobodysLoss) {
  offer_engines();
  const auto game = catalog::open_game("tictactoe");
  arena::MatchSetup setup;
  setup.game = game.get();
  setup.players = {fake("hang"), Spec::parse("random")};
  setup.budgets = std::vector<Budget>(2, catalog::parse_budget("evals=5"));
  const Mark mark;
  std::stop_source stop;
  std::jthread later([&] {
    while (!mark.is_there()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    stop.request_stop();
  });
  const auto record = arena::play_match(setup, stop.get_token());
  EXPECT_FALSE(record.over);
  EXPECT_EQ(record.error + record.reason, "");
  EXPECT_EQ(children(), 0u);
}

// ---- our own engine outside plays as it does inside

struct Own {
  const char *game, *player, *protocol;
};

class OwnEngine : public ::testing::TestWithParam<Own> {};

TEST_P(OwnEngine, PlaysTheSameMoves) {
  offer_engines();
  const auto& [spec, player, protocol] = GetParam();
  const auto game = catalog::open_game(spec);
  arena::MatchSetup inside;
  inside.game = game.get();
  inside.seed = 5;
  const auto seats = static_cast<std::size_t>(game->players());
  inside.players = std::vector<Spec>(seats, Spec::parse(player));
  inside.budgets = std::vector<Budget>(seats, catalog::parse_budget("evals=40"));
  arena::MatchSetup outside = inside;
  const std::string cmd = std::string(POLYMAX_BINARY " engine '") + spec + "' --player '" + player +
                          (std::string(protocol) == "gtp" ? "' --gtp" : "'");
  for (std::size_t seat : {std::size_t{0}, seats - 1}) {
    outside.players = inside.players;
    outside.players[seat] =
        Spec::parse("engine(cmd=\"" + cmd + "\",protocol=" + protocol + ",keep=on)");
    const auto expected = arena::play_match(inside), got = arena::play_match(outside);
    ASSERT_EQ(got.error + got.reason, "");
    ASSERT_TRUE(got.over);
    ASSERT_EQ(got.moves.size(), expected.moves.size());
    for (std::size_t i = 0; i < got.moves.size(); ++i) {
      EXPECT_EQ(got.moves[i].move, expected.moves[i].move) << spec << " move " << i + 1;
      if (std::string(protocol) != "ugi") continue;
      EXPECT_EQ(got.moves[i].value, expected.moves[i].value) << spec << " move " << i + 1;
    }
    EXPECT_EQ(got.gain, expected.gain);
  }
}

INSTANTIATE_TEST_SUITE_P(
    engine_player, OwnEngine,
    ::testing::Values(Own{"hex(n=5)", "unbounded_maxn", "ugi"}, Own{"hex(n=5)", "mcts", "gtp"},
                      Own{"othello(n=6)", "greedy", "ugi"}, Own{"othello(n=6)", "mcts", "gtp"},
                      Own{"amazons(n=5)", "greedy", "ugi"}, Own{"amazons(n=5)", "mcts", "gtp"},
                      Own{"blokus", "greedy", "ugi"}, Own{"blokus", "greedy", "gtp"},
                      Own{"threehex(side=3)", "mcts", "ugi"},
                      Own{"threehex(side=3)", "maxn", "gtp"}, Own{"fish", "greedy", "ugi"}),
    [](const auto& own) {
      std::string name = std::string(own.param.game) + "_" + own.param.protocol;
      std::erase_if(name, [](char c) { return c == '(' || c == ')' || c == '='; });
      return name;
    });

TEST(engine_player, ManyStartsLeaveNothingBehind) {
  offer_engines();
  const auto game = catalog::open_game("tictactoe");
  const auto match = game->start(0);
  const std::size_t before = open_descriptors();
  const int starts = long_tests() ? 1000 : 50;
  for (int i = 0; i < starts; ++i) {
    const char* fault = i % 5 == 1 ? "dead" : i % 25 == 2 ? "stays" : "good";
    try {
      const auto player = game->player(fake(fault), 0);
      if (i % 2 == 0) player->think(*match, catalog::parse_budget("evals=5"));
    } catch (const Forfeit&) {
    }
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(children(), 0u);
}

}  // namespace
}  // namespace polymax::protocol::engine_player_test
