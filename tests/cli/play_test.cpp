// polymax play at a terminal.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "tests/cli/process.hpp"
#include "tests/cli/pseudo_terminal.hpp"

namespace polymax::play_test {
namespace {

const std::string kPlay = "'" POLYMAX_BINARY "' play ";

TEST(play, LinesAreEdited) {
  PseudoTerminal terminal(kPlay + "'hex(n=3)' --players human --seed 1");
  ASSERT_TRUE(terminal.shows("to move> ")) << terminal.screen();
  terminal.type(
      "c3\x1b[D\x1b[D\x0b"
      "B2\r");  // taken back with Ctrl-K
  ASSERT_TRUE(terminal.shows("seat 2")) << terminal.screen();
  terminal.type(
      "\x10\x7f\x7f"
      "a1\r");  // the line before, changed
  ASSERT_TRUE(terminal.shows("seat 1")) << terminal.screen();
  terminal.type("moves\r");
  ASSERT_TRUE(terminal.shows("7 moves")) << terminal.screen();
  terminal.type("\x04");
  ASSERT_TRUE(terminal.shows("stopped after 2 moves")) << terminal.screen();
  EXPECT_EQ(terminal.exit_code(), 0);
}

TEST(play, TabCompletesMovesAndCommands) {
  PseudoTerminal terminal(kPlay + "'amazons(n=6)' --players human --seed 1 --moves a2-b2");
  ASSERT_TRUE(terminal.shows("to move> ")) << terminal.screen();
  terminal.type("mov\t");
  ASSERT_TRUE(terminal.shows("moves ")) << terminal.screen();
  terminal.type("\x15und\t\r");
  ASSERT_TRUE(terminal.shows("seat 1")) << terminal.screen();
  ASSERT_TRUE(terminal.shows("to move> ")) << terminal.screen();
  terminal.type("A\t");
  ASSERT_TRUE(terminal.shows("a2-")) << "no move ends there\n" << terminal.screen();
  terminal.type("\x15h\t");
  ASSERT_TRUE(terminal.shows("help  ")) << "several: a list\n" << terminal.screen();
  terminal.type("\x15quit\r");
  EXPECT_EQ(terminal.exit_code(), 0);
}

TEST(play, AFileIsWrittenOverWhenThePersonSaysYes) {
  const TemporaryFolder folder;
  const std::string file = folder / "game.json";
  for (const bool yes : {false, true}) {
    std::ofstream(file) << "old";
    PseudoTerminal terminal(kPlay + "tictactoe --players random --save '" + file + "'");
    ASSERT_TRUE(terminal.shows("Write over it? [y/N] ")) << terminal.screen();
    terminal.type(yes ? "y\r" : "\r");
    EXPECT_EQ(terminal.exit_code(), 0);
    EXPECT_EQ(file_text(file) == "old", !yes) << terminal.screen();
  }
  std::ofstream(file) << "old";
  PseudoTerminal terminal(kPlay + "tictactoe --players human");
  ASSERT_TRUE(terminal.shows("to move> ")) << terminal.screen();
  terminal.type("save " + file + "\r");
  ASSERT_TRUE(terminal.shows("[y/N] ")) << terminal.screen();
  terminal.type("n\r");
  ASSERT_TRUE(terminal.shows("not saved")) << terminal.screen();
  terminal.type("save " + file + "\r");
  ASSERT_TRUE(terminal.shows("[y/N] ")) << terminal.screen();
  terminal.type("yes\r");
  ASSERT_TRUE(terminal.shows("saved in")) << terminal.screen();
  terminal.type("quit\r");
  EXPECT_EQ(terminal.exit_code(), 0);
  EXPECT_EQ(nlohmann::json::parse(file_text(file)).at("game"), "tictactoe");
}

TEST(play, CtrlCKeepsTheMatchAndTheTerminalIsAsBefore) {
  const TemporaryFolder folder;
  const std::string program = std::filesystem::absolute(POLYMAX_BINARY).string();
  PseudoTerminal terminal(
      "sh -c \"trap : INT; cd '" + (folder / "") + "'; stty -a >before; '" + program +
      "' play tictactoe --players human --seed 7; echo code \\$?; stty -a >after\"");
  ASSERT_TRUE(terminal.shows("to move> ")) << terminal.screen();
  terminal.type("b2\r");
  ASSERT_TRUE(terminal.shows("seat 2")) << terminal.screen();
  ASSERT_TRUE(terminal.shows("to move> ")) << terminal.screen();
  terminal.type("\x03");
  ASSERT_TRUE(terminal.shows("the game is kept; polymax play --load polymax-tictactoe-7.json"))
      << terminal.screen();
  ASSERT_TRUE(terminal.shows("code 75")) << terminal.screen();
  EXPECT_EQ(terminal.exit_code(), 0);
  EXPECT_EQ(file_text(folder / "before"), file_text(folder / "after"));
  EXPECT_NE(file_text(folder / "after"), "");
  EXPECT_TRUE(std::filesystem::exists(folder / "polymax-tictactoe-7.json"));
}

// A person with the first move made at a terminal, the folder being that of the program.
class Game {
 public:
  explicit Game(const std::string& options = "", const std::string& how = "") {
    terminal.emplace("env " + how + " -C '" + (folder / "") + "' '" +
                     std::filesystem::absolute(POLYMAX_BINARY).string() +
                     "' play tictactoe --players human --seed 7 " + options);
    EXPECT_TRUE(terminal->shows("to move> ")) << terminal->screen();
    terminal->type("b2\r");
    EXPECT_TRUE(terminal->shows("seat 2")) << terminal->screen();
    EXPECT_TRUE(terminal->shows("to move> ")) << terminal->screen();
  }

  void expect_kept(const std::string& file) const {
    ASSERT_TRUE(std::filesystem::exists(folder / file)) << terminal->screen();
    const auto record = nlohmann::json::parse(file_text(folder / file));
    EXPECT_EQ(record.at("moves"), nlohmann::json::array({"b2"}));
  }

  const TemporaryFolder folder;
  std::optional<PseudoTerminal> terminal;
};

TEST(play, AHangUpKeepsTheMatch) {
  Game told;
  told.terminal->signal(SIGHUP);
  EXPECT_TRUE(told.terminal->shows("SIGHUP: the game is kept")) << told.terminal->screen();
  EXPECT_EQ(told.terminal->exit_code(), 75);
  told.expect_kept("polymax-tictactoe-7.json");
  Game closed;
  closed.terminal->hang_up();
  closed.expect_kept("polymax-tictactoe-7.json");
  Game named("--save game.json");
  named.terminal->hang_up();
  named.expect_kept("game.json");
}

TEST(play, NohupStaysIgnored) {
  Game game("", "--ignore-signal=HUP");
  game.terminal->signal(SIGHUP);
  game.terminal->type("quit\r");
  EXPECT_TRUE(game.terminal->shows("stopped after 1 move")) << game.terminal->screen();
  EXPECT_EQ(game.terminal->exit_code(), 0);
}

TEST(play, AFileThatCannotBeWrittenCostsNoMatch) {
  for (const bool signal : {false, true}) {
    const TemporaryFolder lost;
    std::filesystem::create_directory(lost / "away");
    Game game("--save '" + (lost / "away/game.json") + "'");
    std::filesystem::remove_all(lost / "away");
    game.terminal->type(signal ? "\x03" : "quit\r");
    EXPECT_TRUE(game.terminal->shows("away/game.json': No such file")) << game.terminal->screen();
    EXPECT_TRUE(
        game.terminal->shows("the game is kept; polymax play --load polymax-tictactoe-7.json"))
        << game.terminal->screen();
    EXPECT_EQ(game.terminal->exit_code(), signal ? 75 : 1);
    game.expect_kept("polymax-tictactoe-7.json");
  }
}

// A program that speaks GTP cannot be told the start of this fish: a fault of nobody at the board.
TEST(play, AnEngineThatFailsCostsNoPersonTheMatch) {
  const TemporaryFolder folder;
  const std::string program = std::filesystem::absolute(POLYMAX_BINARY).string();
  const std::string engine =
      "engine(cmd=\\\"" + program + " engine fish --gtp --player random\\\",protocol=gtp)";
  const Ran ran = run_shell("cd '" + (folder / "") + "' && '" + program +
                                "' play fish --seed 7 --players \"human;" + engine + ";random\"",
                            "a8\nquit\n");
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_NE(ran.err.find("GTP cannot name the start position"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("the game is kept; polymax play --load polymax-fish-7.json"),
            std::string::npos)
      << ran.err;
  const auto record = nlohmann::json::parse(file_text(folder / "polymax-fish-7.json"));
  EXPECT_EQ(record.at("moves"), nlohmann::json::array({"a8"}));
}

TEST(play, ASavedMatchKnowsWhatItsPlayersMaySpend) {
  const TemporaryFolder folder;
  const std::string first = folder / "first.json", second = folder / "second.sgf";
  run_polymax("play tictactoe --players 'human;casual' --save " + first, "quit\n");
  EXPECT_EQ(nlohmann::json::parse(file_text(first)).at("budgets"),
            nlohmann::json::array({"", "evals=600,seconds=2"}));
  run_polymax("play --load " + first + " --save " + second, "quit\n");
  EXPECT_NE(file_text(second).find("B2[evals=600,seconds=2]"), std::string::npos)
      << file_text(second);
  run_polymax("play --load " + second + " --budget evals=5 --force --save " + second, "quit\n");
  EXPECT_NE(file_text(second).find("B2[evals=5]"), std::string::npos) << file_text(second);
}

// How often the board stands there: its lowest line, the letters of its columns.
std::size_t boards(const std::string& screen) {
  std::size_t out = 0;
  for (auto at = screen.find("a b c"); at != std::string::npos; at = screen.find("a b c", at + 1))
    ++out;
  return out;
}

TEST(play, TheBoardIsDrawnWhenItHasChanged) {
  const Ran ran = run_polymax("play tictactoe --players human --seed 1",
                              "moves\nhelp\nz9\n\nb2\nmoves\nundo\nboard\nquit\n");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(boards(ran.out), 4u) << "at the start, after b2, undo and board\n" << ran.out;
}

TEST(play, BlokusShowsPiecesAndCornersAndTakesCellsInAnyOrder) {
  const Ran ran =
      run_polymax("play blokus --players human --seed 1", "B20 a20, A19\nmoves s20 T20\nquit\n");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find(" 20 x . . . . . . . . . . . . . . . . . . o\n"), std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("F      I5"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\n 20 X*X*. "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(" moves\n"), std::string::npos) << ran.out;
  for (std::size_t at = 0; at < ran.out.size();) {
    const auto end = std::min(ran.out.find('\n', at), ran.out.size());
    EXPECT_LE(end - at, 90u) << ran.out.substr(at, end - at);
    at = end + 1;
  }
}

TEST(play, OptionsAreNamedInTheTitle) {
  EXPECT_EQ(run_polymax("play 'teamhex(n=8)' --seed 3", "quit\n")
                .out.find("Separed Teamhex, teamhex(n=8), seed 3\n"),
            0u);
  EXPECT_EQ(
      run_polymax("play hex3 --seed 3", "quit\n").out.find("3-Player Hex, hexagon of side 7,"), 0u);
}

}  // namespace
}  // namespace polymax::play_test
