// The program as a user meets it: results on stdout, one clear line on stderr and exit code 2 for
// every bad input.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "catalog/catalog.hpp"
#include "tests/cli/process.hpp"

namespace polymax::cli_test {
namespace {

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

void expect_refused(const std::string& arguments, const std::string& message) {
  const Ran ran = run_polymax(arguments);
  EXPECT_EQ(ran.code, 2) << arguments;
  EXPECT_EQ(ran.out, "") << arguments;
  EXPECT_EQ(lines_of(ran.err), 1u) << arguments << "\n" << ran.err;
  EXPECT_NE(ran.err.find(message), std::string::npos) << arguments << "\n" << ran.err;
}

TEST(cli, HelpHasAnExampleEverywhere) {
  for (const char* command : {"",
                              "list",
                              "perft",
                              "play",
                              "match",
                              "think",
                              "study",
                              "study run",
                              "study status",
                              "study merge",
                              "record",
                              "study report",
                              "record show",
                              "study records",
                              "record replay",
                              "net",
                              "record convert",
                              "net info",
                              "net check",
                              "net convert",
                              "bench",
                              "bench games",
                              "bench nets",
                              "bench searches",
                              "bench selfplay",
                              "bench signature",
                              "about",
                              "train",
                              "train report",
                              "selfplay"}) {
    const Ran ran = run_polymax(std::string(command) + " --help");
    EXPECT_EQ(ran.code, 0) << command;
    EXPECT_NE(ran.out.find("Example: polymax"), std::string::npos) << command;
  }
}

// Examples that need nothing of the user's own and end soon do what they say.
TEST(cli, ExamplesOfTheHelpWork) {
  constexpr std::string_view kExample = "Example: ", kProgram = "polymax ";
  for (const std::string command :
       {"about", "list", "think", "match", "perft", "analyze", "net", "bench signature"}) {
    const std::string help = run_polymax(command + " --help").out;
    const auto begin = help.find(kExample);
    ASSERT_NE(begin, std::string::npos) << command;
    const auto first = begin + kExample.size();
    std::string example = help.substr(first, help.find('\n', first) - first);
    const auto program = example.find(kProgram);
    ASSERT_NE(program, std::string::npos) << example;
    example.replace(program, kProgram.size(), "'" POLYMAX_BINARY "' ");
    const Ran ran = run_shell(example);
    EXPECT_EQ(ran.code, 0) << example << "\n" << ran.err;
    EXPECT_NE(ran.out, "") << example;
    EXPECT_EQ(ran.out.find("\"error\""), std::string::npos) << example << "\n" << ran.out;
  }
}

TEST(cli, ListShowsEveryGameAndItsSettings) {
  const Ran text = run_polymax("list games"), json = run_polymax("list games --json");
  EXPECT_EQ(lines_of(json.out), catalog::games().size());
  for (const auto& game : catalog::games())
    EXPECT_NE(text.out.find("  " + game.entry.name + " "), std::string::npos);
  std::istringstream lines(json.out);
  for (std::string line; std::getline(lines, line);) {
    const auto entry = nlohmann::json::parse(line);
    EXPECT_EQ(entry.at("kind"), "game");
    EXPECT_FALSE(entry.at("settings").empty()) << "every game has points";
  }
  EXPECT_EQ(run_polymax("list").code, 0);
}

TEST(cli, PerftPrintsALineForEveryDepth) {
  EXPECT_EQ(run_polymax("perft tictactoe 3").out, "1 9\n2 72\n3 504\n");
  EXPECT_EQ(run_polymax("perft tictactoe 1 --moves a1,b2").out, "1 7\n");
  const Ran divided = run_polymax("perft 'hex(n=2)' 2 --divide");
  EXPECT_EQ(divided.out, "a1 3\nb1 3\na2 3\nb2 3\n1 4\n2 12\n");
  const auto json = nlohmann::json::parse(run_polymax("perft tictactoe 2 --json").out);
  EXPECT_EQ(json.at("sequences"), nlohmann::json({9, 72}));
  EXPECT_EQ(run_polymax("perft 'hex(n=2)' 4").out, "1 4\n2 12\n3 24\n4 12\n")
      << "finished games count at their length only";
}

TEST(cli, PlayByEnginesEndsWithScores) {
  for (const auto& game : catalog::games()) {
    const Ran ran = run_polymax("play " + game.entry.name + " --players random --seed 5");
    EXPECT_EQ(ran.code, 0) << game.entry.name << ran.err;
    EXPECT_NE(ran.out.find("game over after "), std::string::npos) << game.entry.name;
    EXPECT_NE(ran.out.find(" score "), std::string::npos) << game.entry.name;
    EXPECT_EQ(run_polymax("play " + game.entry.name + " --players random --seed 5").out, ran.out)
        << "the seed decides";
  }
}

TEST(cli, PlayObeysAPerson) {
  const TemporaryFolder folder;
  const std::string file = folder / "game.json";
  const Ran ran = run_polymax("play 'hex(n=3)'",
                              "help\nmoves\nhint\nb2\nundo\nb2\nz9\nsave " + file + "\nquit\n");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("a1  b1  c1  a2  b2  c2  a3  b3  c3\n9 moves"), std::string::npos);
  EXPECT_NE(ran.out.find("saved in"), std::string::npos);
  EXPECT_NE(ran.err.find("'z9' is no legal move here"), std::string::npos);
  const Ran again = run_polymax("play 'hex(n=3)'", "save " + file + "\nsave! " + file + "\nquit\n");
  EXPECT_NE(again.err.find("exists already: give another name, or save! "), std::string::npos);
  EXPECT_NE(again.out.find("saved in"), std::string::npos);
  run_polymax("play 'hex(n=3)' --moves b2 --save " + file + " --force --seed 3", "");
  const auto saved = nlohmann::json::parse(file_text(file));
  EXPECT_EQ(saved.at("game"), "hex(n=3)");
  EXPECT_EQ(saved.at("moves").at(0), "b2");
  const Ran more = run_polymax("play --load " + file + " --players random --json");
  const auto finished = nlohmann::json::parse(more.out);
  EXPECT_EQ(finished.at("moves").at(0), "b2");
  EXPECT_EQ(finished.at("score").size(), 2u);
}

// A file may come from anybody.
TEST(cli, ASavedGameStartsNoProgram) {
  const TemporaryFolder folder;
  const std::string sign = folder / "sign";
  for (const std::string& player : {"engine(cmd=\\\"touch " + sign + "\\\")",
                                    "mcts(eval=engine(cmd=\\\"touch " + sign + "\\\"))"}) {
    std::ofstream(folder / "game.json")
        << R"({"game":"tictactoe","seed":0,"players":["random",")" + player + R"("],"moves":[]})";
    const Ran ran = run_polymax("play --json --load " + (folder / "game.json"));
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_NE(ran.err.find("names a program to start"), std::string::npos) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(sign));
    EXPECT_EQ(run_polymax("play --json --players random --load " + (folder / "game.json")).code, 0);
  }
}

TEST(cli, WithJsonNothingButTheRecordIsOnStandardOutput) {
  const TemporaryFolder folder;
  const Ran ran = run_polymax("play 'hex(n=3)' --json",
                              "help\nmoves\nhint\nb2\nsave " + (folder / "x.json") + "\nquit\n");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(lines_of(ran.out), 1u) << ran.out;
  EXPECT_EQ(nlohmann::json::parse(ran.out).at("moves").at(0), "b2");
  EXPECT_NE(ran.err.find("9 moves"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("saved in"), std::string::npos) << ran.err;
}

// Two games of one seed that Ctrl-C interrupts: each is kept.
TEST(cli, AGameThatIsKeptIsNotWrittenOver) {
  const TemporaryFolder folder;
  const auto interrupted = [&](const std::string& move) {
    return run_shell("cd '" + (folder / "") + "'; mkfifo in-" + move + "; '" +
                     std::filesystem::absolute(POLYMAX_BINARY).string() +
                     "' play tictactoe --players human --seed 7 --moves " + move + " <in-" + move +
                     " >out-" + move + " & pid=$!; exec 9>in-" + move +
                     "; until grep -q 'to move' out-" + move +
                     " || ! kill -0 $pid; do sleep 0.01; done; kill -INT $pid; wait $pid");
  };
  for (const char* move : {"a1", "b2"}) {
    const Ran ran = interrupted(move);
    EXPECT_EQ(ran.code, 75) << ran.err;
  }
  const auto first = nlohmann::json::parse(file_text(folder / "polymax-tictactoe-7.json"));
  const auto second = nlohmann::json::parse(file_text(folder / "polymax-tictactoe-7-2.json"));
  EXPECT_EQ(first.at("moves").at(0), "a1");
  EXPECT_EQ(second.at("moves").at(0), "b2");
}

TEST(cli, AReviewThatASignalEndsIsUnfinished) {
  const TemporaryFolder folder;
  std::ofstream(folder / "game.jsonl") << run_polymax("play hex --players random --json").out;
  const Ran ran = run_shell(
      "'" POLYMAX_BINARY "' analyze --record '" + (folder / "game.jsonl") +
      "' --player mcts --budget evals=1e12 & pid=$!; until [ $(ls /proc/$pid/task | wc -l) -gt 1 ]"
      " || ! kill -0 $pid; do sleep 0.01; done; kill -TERM $pid; wait $pid");
  EXPECT_EQ(ran.code, 75) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, "polymax: SIGTERM: the same command begins again\n");
}

TEST(cli, PlayStopsQuietlyWhenTheInputEnds) {
  const Ran ran = run_polymax("play tictactoe", "a1\n");
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.out.find("stopped after 2 moves"), std::string::npos);
}

TEST(cli, QuitSaysThatTheGameIsNotKept) {
  const TemporaryFolder folder;
  constexpr const char* kSaid = "the game is not kept";
  EXPECT_NE(run_polymax("play tictactoe", "a1\nquit\n").err.find(kSaid), std::string::npos);
  const auto quiet = [&](const std::string& options, const std::string& typed) {
    const Ran ran = run_polymax("play tictactoe" + options, typed);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err.find(kSaid), std::string::npos) << options << typed;
  };
  quiet("", "quit\n");
  quiet("", "a1\nsave " + (folder / "a.json") + "\nquit\n");
  quiet(" --save " + (folder / "b.json"), "a1\nquit\n");
  quiet(" --json", "a1\nquit\n");
  const Ran more = run_polymax("play --load " + (folder / "a.json"), "quit\n");
  EXPECT_EQ(more.err.find(kSaid), std::string::npos) << "nothing came after what the file has";
}

// What happens without an option is said once: in words, or as the default that is filled in.
TEST(cli, HelpShowsNoDefaultBesideAnother) {
  for (const auto& [command, option] :
       {std::pair{"play", "--seed N"}, {"study records", "--match N"}}) {
    const Ran ran = run_polymax(std::string(command) + " --help");
    const auto at = ran.out.find(option);
    ASSERT_NE(at, std::string::npos) << ran.out;
    const std::string text = ran.out.substr(at, ran.out.find("\n  --", at) - at);
    EXPECT_NE(text.find("default: "), std::string::npos) << text;
    EXPECT_EQ(text.find("default 0"), std::string::npos) << text;
  }
}

TEST(cli, BenchGamesPrintsALineForEveryGame) {
  const Ran ran = run_polymax("bench games --seconds 0.01 --json");
  EXPECT_EQ(lines_of(ran.out), catalog::games().size());
  const auto first = nlohmann::json::parse(ran.out.substr(0, ran.out.find('\n')));
  EXPECT_GT(first.at("games_per_second"), 0);
}

TEST(cli, AboutTellsTheVersion) {
  EXPECT_EQ(run_polymax("--version").out.find("polymax 0."), 0u);
  EXPECT_EQ(nlohmann::json::parse(run_polymax("about --json").out).at("games"),
            catalog::games().size());
  EXPECT_NE(run_polymax("about").out.find("Blokus"), std::string::npos);
}

TEST(cli, RefusesBadInputWithOneLine) {
  expect_refused("", "a command is needed: list, ");
  expect_refused("dance", "no command 'dance'; there are list, ");
  expect_refused("lsit", "(did you mean list?)");
  expect_refused("list wizards", "wizards");
  expect_refused("perft", "GAME is required");
  expect_refused("perft chess 3", "no game 'chess'; there are ");
  expect_refused("perft hex 0", "DEPTH");
  expect_refused("perft 'hex(n=3' 2", "character 8");
  expect_refused("perft 'hex(n=2)(' 2", "character 9");
  expect_refused("perft 'hex(n=21)' 2", "n takes a whole number from 2 to 20");
  expect_refused("perft 'hex(n=2,n=3)' 2", "the key 'n' is given twice");
  expect_refused("perft hex 2 --moves a1,a1", "'a1' is no legal move here");
  expect_refused("play", "GAME is required");
  expect_refused("play hex --players 'random;random;random'", "the game has 2 seats");
  expect_refused("play hex --players 'random;wizard'", "no search 'wizard'");
  expect_refused("play hex --players random --budget evals=0", "evals");
  expect_refused("bench games hex --seconds -1", "--seconds");
  expect_refused("bench games chess", "no game 'chess'");
}

TEST(cli, RefusesBrokenFiles) {
  const TemporaryFolder folder;
  std::ofstream(folder / "broken.json") << "{\"game\": 3";
  expect_refused("play --load " + (folder / "broken.json"), "no record of a match");
  std::ofstream(folder / "illegal.json")
      << R"({"game":"hex","seed":0,"players":[],"moves":["a1","a1"]})";
  expect_refused("play --load " + (folder / "illegal.json"), "'a1' is no legal move here");
  expect_refused("play --load " + (folder / "nothing.json"), "--load: there is no file");
  expect_refused("play tictactoe --players random --save " + (folder / "no/such/folder.json"),
                 "--save: there is no folder");
}

}  // namespace
}  // namespace polymax::cli_test
