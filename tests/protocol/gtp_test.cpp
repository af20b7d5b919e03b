// The command loop of GTP and the dialects of the games, driven without a process.
#include "protocol/gtp.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "arena/pentobi.hpp"
#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "core/rng.hpp"
#include "protocol/words.hpp"

namespace polymax::protocol::gtp_test {
namespace {

class Heard {
 public:
  explicit Heard(const std::string& game, const std::string& player = "random")
      : loop_(
            game, settings(player), [this](const std::string& line) { said_ += line + "\n"; },
            [](const Drawing& drawing) {
              return "board of " + std::to_string(drawing.cells.size()) + " cells\n\nend\n";
            }) {}

  // The whole answer without its two line ends.
  std::string ask(const std::string& line) {
    said_.clear();
    goes_on_ = loop_.obey(line);
    EXPECT_TRUE(said_.empty() || said_.ends_with("\n\n")) << said_;
    if (said_.size() >= 2) said_.resize(said_.size() - 2);
    return said_;
  }
  bool goes_on() const { return goes_on_; }

 private:
  static EngineSettings settings(const std::string& player) {
    EngineSettings out;
    out.player = player;
    out.budget = "evals=20";
    out.version = "1.2";
    return out;
  }
  std::string said_;
  bool goes_on_ = true;
  GtpLoop loop_;
};

TEST(gtp, SpeaksTheCommonPart) {
  Heard engine("hex(n=5)");
  EXPECT_EQ(engine.ask("protocol_version"), "= 2");
  EXPECT_EQ(engine.ask("17 name"), "=17 polymax");
  EXPECT_EQ(engine.ask("version # of what?"), "= 1.2");
  EXPECT_EQ(engine.ask("known_command genmove"), "= true");
  EXPECT_EQ(engine.ask("known_command fly"), "= false");
  EXPECT_EQ(engine.ask("3 fly"), "?3 unknown command 'fly'");
  EXPECT_EQ(engine.ask(""), "");
  EXPECT_EQ(engine.ask("# only a comment"), "");
  EXPECT_EQ(engine.ask("4"), "?4 a command is wanted");
  EXPECT_TRUE(engine.goes_on());
  EXPECT_EQ(engine.ask("quit"), "= ");
  EXPECT_FALSE(engine.goes_on());
}

TEST(gtp, HexAsHexGui) {
  Heard engine("hex");
  EXPECT_EQ(engine.ask("boardsize 3"), "= ");
  EXPECT_EQ(engine.ask("play black B2"), "= ");
  EXPECT_EQ(engine.ask("play b a1"), "? it is the turn of w");
  EXPECT_EQ(engine.ask("play white b2"), "? illegal move");
  EXPECT_EQ(engine.ask("play w pass"), "? illegal move: this colour cannot pass");
  EXPECT_EQ(engine.ask("play w a3"), "= ");
  EXPECT_EQ(engine.ask("play b b1"), "= ");  // black joins the rows
  EXPECT_EQ(engine.ask("undo"), "= ");
  EXPECT_EQ(engine.ask("all_legal b"), "= a1\nb1\nc1\na2\nc2\nb3\nc3");
  EXPECT_EQ(engine.ask("final_score"), "? the game is not over");
  EXPECT_EQ(engine.ask("play b b1"), "= ");
  EXPECT_EQ(engine.ask("play w a1"), "= ");
  EXPECT_EQ(engine.ask("play b b3"), "= ");
  EXPECT_EQ(engine.ask("final_score"), "= B+");
  EXPECT_EQ(engine.ask("genmove w"), "= pass");
  EXPECT_EQ(engine.ask("boardsize 99").substr(0, 2), "? ");
  EXPECT_EQ(engine.ask("boardsize 4 4"), "= ");
  EXPECT_EQ(engine.ask("showboard"), "= \nboard of 16 cells\nend");
}

// The usual opening squares with row 1 at the top: black's four first moves are d3, c4, f5, e6.
TEST(gtp, OthelloWithRowsFromTheTop) {
  Heard engine("othello");
  auto legal = words_of(engine.ask("all_legal black").substr(2));
  std::ranges::sort(legal);
  EXPECT_EQ(legal, (std::vector<std::string>{"c4", "d3", "e6", "f5"}));
  EXPECT_EQ(engine.ask("play b d3"), "= ");
  legal = words_of(engine.ask("all_legal w").substr(2));
  std::ranges::sort(legal);
  EXPECT_EQ(legal, (std::vector<std::string>{"c3", "c5", "e3"}));
  EXPECT_EQ(engine.ask("genmove b"), "? it is the turn of w");
}

// Plays at random until somebody is passed over.
TEST(gtp, OthelloPassesAreSaid) {
  const auto game = catalog::open_game("othello(n=4)");
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Heard engine("othello(n=4)");
    const auto match = game->start(0);
    const auto dialect = dialect_of(*game);
    Rng rng(seed);
    while (!match->over()) {
      const int mover = match->to_move();
      const auto legal = match->legal();
      const std::vector<std::string> turn{
          legal[rng.below(static_cast<std::uint32_t>(legal.size()))]};
      match->play(turn[0]);
      ASSERT_EQ(engine.ask("play " + dialect->colour(mover) + " " + dialect->to_gtp(turn)), "= ");
      if (match->over() || match->to_move() != mover) continue;
      const std::string other = dialect->colour(1 - mover);
      EXPECT_EQ(engine.ask("reg_genmove " + other), "= pass");
      EXPECT_EQ(engine.ask("play " + other + " pass"), "= ");
      EXPECT_EQ(engine.ask("all_legal " + other), "= ");
      EXPECT_EQ(engine.ask("undo"), "= ");
      EXPECT_EQ(engine.ask("genmove " + other), "= pass");
      EXPECT_NE(engine.ask("genmove " + dialect->colour(mover)).substr(0, 2), "? ");
      return;
    }
  }
  FAIL() << "nobody was passed over in 1,000 games";
}

TEST(gtp, AmazonsInWholeTurns) {
  Heard engine("amazons");
  EXPECT_EQ(engine.ask("play white d1-d7/g7"), "= ");
  EXPECT_EQ(engine.ask("play b d10-d8(a8)"), "= ");
  EXPECT_EQ(engine.ask("undo"), "= ");
  EXPECT_EQ(engine.ask("play b d10-d8-d1"), "? illegal move");  // over the amazon on d7
  EXPECT_EQ(engine.ask("play b d10-d8").substr(0, 2), "? ");
  EXPECT_EQ(engine.ask("play b D10-D8/A8"), "= ");
  const std::string move = engine.ask("genmove w").substr(2);
  EXPECT_NE(move.find('/'), std::string::npos) << move;
  EXPECT_EQ(engine.ask("undo"), "= ");
  EXPECT_EQ(engine.ask("play w " + move), "= ");
}

// Pentobi's conventions: colours 1 to 4 and their names, cells in any order, no passes.
TEST(gtp, BlokusAsPentobi) {
  Heard engine("blokus");
  EXPECT_EQ(engine.ask("set_game Blokus"), "= ");
  EXPECT_EQ(engine.ask("set_game Blokus Duo"), "? 'Blokus Duo' is not played here: Blokus is");
  EXPECT_EQ(engine.ask("play 1 a20,a19,a18,b18"), "= ");
  EXPECT_EQ(engine.ask("play yellow T20,S20"), "= ");
  EXPECT_EQ(engine.ask("p s1,t1"), "= ");
  EXPECT_EQ(engine.ask("play GREEN b1,a1"), "= ");
  EXPECT_EQ(engine.ask("play 2 a1"), "? it is the turn of 1");
  EXPECT_EQ(engine.ask("play 1 c17"), "= ");
  EXPECT_EQ(engine.ask("undo"), "= ");
  EXPECT_EQ(engine.ask("play 1 c3"), "? illegal move");
  EXPECT_EQ(engine.ask("play 1 zz"), "? 'zz' is no list of cells from a1 to t20");
  const std::string cells = engine.ask("g").substr(2);
  EXPECT_EQ(arena::to_pentobi_move(arena::from_pentobi_move(cells)), cells);
  EXPECT_EQ(engine.ask("genmove blue"), "? it is the turn of 2");
  EXPECT_GT(std::stod(engine.ask("cputime").substr(2)), 0);
}

TEST(gtp, BlokusToTheEnd) {
  Heard engine("blokus");
  std::string last;
  for (int i = 0; i < 100 && last != "= pass"; ++i) last = engine.ask("g");
  EXPECT_EQ(last, "= pass");
  const auto score = words_of(engine.ask("final_score").substr(2));
  EXPECT_EQ(score.size(), 4u);
  for (const char* colour : {"1", "2", "3", "4"})
    EXPECT_EQ(engine.ask(std::string("genmove ") + colour), "= pass");
}

// What Pentobi's twogtp sends to two engines, and what it demands of their answers: a blank behind
// the sign even of an empty one, a number for cputime, a move whenever a colour can move, no
// passes.
TEST(gtp, TwoEnginesAsTwogtpDrivesThem) {
  Heard first("blokus"), second("blokus", "greedy");
  const auto both = [&](const std::string& command) {
    EXPECT_EQ(first.ask(command), "= ");
    EXPECT_EQ(second.ask(command), "= ");
  };
  both("set_game Blokus");
  both("clear_board");
  EXPECT_GE(std::stod(first.ask("cputime").substr(2)), 0);
  const auto game = catalog::open_game("blokus");
  const auto match = game->start(0);
  while (!match->over()) {
    const int seat = match->to_move();
    auto& mover = seat % 4 == 1 ? first : second;
    auto& other = seat % 4 == 1 ? second : first;
    const std::string colour = std::to_string(seat + 1), said = mover.ask("genmove " + colour);
    ASSERT_TRUE(said.starts_with("= ")) << said;
    match->play(arena::from_pentobi_move(said.substr(2)));
    ASSERT_EQ(other.ask("play " + colour + " " + said.substr(2)), "= ");
  }
  EXPECT_EQ(first.ask("final_score"), second.ask("final_score"));
  EXPECT_EQ(words_of(first.ask("final_score")).size(), 5u);
}

TEST(gtp, PentobisMoveText) {
  EXPECT_EQ(arena::from_pentobi_move("f9,e10,f10,g10,f11"), "f11-e10-f10-g10-f9");
  EXPECT_EQ(arena::to_pentobi_move("f11-e10-f10-g10-f9"), "f9,e10,f10,g10,f11");
  for (const char* wrong : {"", ",", "a1,", "a21", "u1", "a0", "1a", "a1;b1", "a1 b1", "pass"})
    EXPECT_THROW(arena::from_pentobi_move(wrong), Error) << wrong;
}

TEST(gtp, TheSideOfABoardIsItsSetting) {
  for (const auto& [game, side] : {std::pair{"hex", 11}, {"hex(n=4)", 4}, {"othello(n=6)", 6}})
    EXPECT_EQ(setting_of(*catalog::open_game(game), "n"), side) << game;
}

TEST(gtp, TimeAndBudgets) {
  Heard engine("hex(n=4)", "mcts");
  for (const char* right :
       {"time_settings 0 1 1", "time_settings 600 0 0", "time_settings 0 30 0", "time_left b 10 0",
        "time_left w 5 3", "polymax-budget evals=50", "set_random_seed 9"})
    EXPECT_EQ(engine.ask(right), "= ") << right;
  EXPECT_NE(engine.ask("genmove b").substr(0, 2), "? ");
  for (const char* wrong :
       {"time_settings", "time_settings x 1 1", "time_settings 0 nan 1", "time_left 1 1 1",
        "polymax-budget", "polymax-budget solved", "set_random_seed -1"})
    EXPECT_EQ(engine.ask(wrong).substr(0, 2), "? ") << wrong;
}

// Games without a dialect of their own: colours are seats, moves are ours.
TEST(gtp, EveryGameIsPlayedToItsEnd) {
  for (const auto& entry : catalog::games()) {
    Heard engine(entry.entry.name);
    std::string last;
    for (int i = 0; i < 1000 && last != "= pass"; ++i) last = engine.ask("g");
    EXPECT_EQ(last, "= pass") << entry.entry.name;
    EXPECT_EQ(engine.ask("final_score").substr(0, 2), "= ") << entry.entry.name;
  }
}

}  // namespace
}  // namespace polymax::protocol::gtp_test
