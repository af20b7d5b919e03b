// polymax think and bench searches as a user meets them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "catalog/catalog.hpp"
#include "tests/cli/process.hpp"

namespace polymax::think_test {
namespace {

using nlohmann::json;

// Exit code 2, nothing on stdout, one line on stderr that says why.
void expect_no_thought(const std::string& arguments, const std::string& message) {
  const Ran ran = run_polymax("think " + arguments);
  EXPECT_EQ(ran.code, 2) << arguments;
  EXPECT_EQ(ran.out, "") << arguments;
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << arguments << "\n" << ran.err;
  EXPECT_NE(ran.err.find(message), std::string::npos) << arguments << "\n" << ran.err;
}

TEST(think, TellsEverythingInJson) {
  const auto v = json::parse(
      run_polymax(
          "think tictactoe --player mcts --budget evals=1000 --moves a1,b2,a2,c3 --seed 3 --json")
          .out);
  EXPECT_EQ(v.at("game"), "tictactoe");
  EXPECT_EQ(v.at("player"), "mcts(eval=playouts)");
  EXPECT_EQ(v.at("best"), "a3");
  EXPECT_EQ(v.at("value"), json({1, -1}));
  EXPECT_EQ(v.at("pv"), json({"a3"}));
  EXPECT_EQ(v.at("evaluations"), 1000);
  EXPECT_EQ(v.at("proven"), "none");
  EXPECT_EQ(v.at("proof"), "");
  std::uint64_t visits = 0, last = 1000;
  for (const auto& child : v.at("children")) {
    visits += child.at("visits").get<std::uint64_t>();
    EXPECT_LE(child.at("visits"), last);
    last = child.at("visits");
  }
  EXPECT_EQ(visits, 1000u);
  EXPECT_EQ(v.at("children").size(), 5u);
  EXPECT_EQ(v.at("children").at(0).at("move"), "a3");
  EXPECT_EQ(v.at("children").at(0).at("resolved"), true);
}

TEST(think, ShowsTenMovesOrAll) {
  const std::string command = "think hex --player mcts --budget evals=200";
  const auto ten = json::parse(run_polymax(command + " --json").out);
  EXPECT_EQ(ten.at("children").size(), 10u);
  EXPECT_EQ(ten.at("moves"), 121);
  EXPECT_EQ(json::parse(run_polymax(command + " --json --all").out).at("children").size(), 121u);
  const std::string text = run_polymax(command).out;
  EXPECT_NE(text.find("best " + ten.at("best").get<std::string>()), std::string::npos);
  EXPECT_NE(text.find("and 111 more"), std::string::npos);
  EXPECT_NE(text.find("evaluations 200, nodes 200, depth "), std::string::npos);
}

TEST(think, WorksWithEverySearch) {
  for (const auto& search : catalog::searches()) {
    const auto game = std::ranges::find_if(catalog::games(), [&](const auto& g) {
      return std::ranges::find(g.searches, search.name, &Entry::name) != g.searches.end();
    });
    const Ran ran = run_polymax("think " + game->entry.name + " --player " + search.name +
                                " --budget evals=30,nodes=2000 --json");
    ASSERT_EQ(ran.code, 0) << game->entry.name << ' ' << search.name << ran.err;
    const auto v = json::parse(ran.out);
    EXPECT_EQ(v.at("pv").at(0), v.at("best")) << game->entry.name << ' ' << search.name;
  }
}

TEST(think, TakesTheShippedNetworkByDefault) {
  for (const std::string game : {"blokus", "fish", "hex3", "quadamazons", "quadrothello", "teamhex",
                                 "threehex", "triinversion"}) {
    const Ran ran = run_polymax("think " + game + " --budget evals=20 --json");
    ASSERT_EQ(ran.code, 0) << game << ran.err;
    EXPECT_EQ(json::parse(ran.out).at("player"), "unbounded_maxn(eval=network)") << game;
  }
  const auto for_gains =
      json::parse(run_polymax("think 'triinversion(points=gain)' --budget evals=20 --json").out);
  EXPECT_EQ(for_gains.at("player"), "unbounded_maxn(eval=network)");
  for (const double value : for_gains.at("value")) EXPECT_LE(std::abs(value), 1.0);
  const auto of_teams =
      json::parse(run_polymax("think 'teamhex(points=gain)' --budget evals=20 --json").out);
  EXPECT_EQ(of_teams.at("player"), "unbounded_maxn(eval=network)")
      << "there, the sign of the points is the gain";
  for (const double value : of_teams.at("value")) EXPECT_LE(std::abs(value), 1.0);
  const auto without = json::parse(run_polymax("think tictactoe --budget evals=20 --json").out);
  EXPECT_EQ(without.at("player").get<std::string>().find("network"), std::string::npos);
  const auto other_size =
      json::parse(run_polymax("think 'quadrothello(n=8)' --budget evals=20 --json").out);
  EXPECT_EQ(other_size.at("player").get<std::string>().find("network"), std::string::npos);
}

TEST(think, RefusesBadInputWithOneLine) {
  expect_no_thought("", "GAME is required");
  expect_no_thought("chess --player mcts", "no game 'chess'");
  expect_no_thought("hex --player wizard", "no search 'wizard'; there are ");
  expect_no_thought("hex --player 'mcts(d=1)'", "'mcts' has no setting 'd'; it has select, c, ");
  expect_no_thought("hex --player 'mcts(eval=oracle)'", "no evaluator 'oracle'; there are ");
  expect_no_thought("hex --player 'mcts(eval=zero,lo=2,hi=1)'", "lo must be less than hi");
  expect_no_thought("fish --player 'greedy(eval=network(device=cuda))'",
                    "device=cuda needs engine=torch");
  expect_no_thought("fish --player 'greedy(eval=network(engine=torch,isa=avx2))'",
                    "isa= is of engine=cpu");
  expect_no_thought("fish --player 'greedy(eval=network(spread=3))'",
                    "spread= and fade= are for wins");
  expect_no_thought("hex --player mcts --budget evals=0", "evals takes a number from 1");
  expect_no_thought("hex --player mcts --budget ''", "a budget is needed");
  expect_no_thought("hex --player mcts --budget solved", "mcts may never solve a position");
  expect_no_thought("hex --player mcts --moves z9", "'z9' is no legal move here");
  expect_no_thought("tictactoe --player mcts --moves a1,b1,a2,b2,a3", "the game is over");
}

TEST(bench_searches, OnlyMeansOnly) {
  for (const std::string only : {"mcts", "unbounded_maxn"}) {
    const Ran ran = run_polymax("bench searches tictactoe --seconds 0.01 --json --only " + only);
    ASSERT_EQ(ran.code, 0) << ran.err;
    std::istringstream lines(ran.out);
    std::set<std::string> benches;
    for (std::string line; std::getline(lines, line);) {
      const auto row = json::parse(line);
      benches.insert(row.at("bench"));
      const std::string player = row.at("player");
      EXPECT_EQ(player.substr(0, player.find('(')), only) << line;
    }
    EXPECT_TRUE(benches.contains("threads")) << only;
    EXPECT_EQ(benches.contains("simulations"), only == "mcts");
  }
}

TEST(bench_searches, MeasuresEverySearch) {
  const Ran ran = run_polymax("bench searches tictactoe --seconds 0.01 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::istringstream lines(ran.out);
  std::vector<std::string> benches, players;
  for (std::string line; std::getline(lines, line);) {
    const auto row = json::parse(line);
    benches.push_back(row.at("bench"));
    players.push_back(row.at("player"));
    EXPECT_GE(row.at("evaluations_per_second"), row.at("player") == "random" ? 0 : 1) << line;
  }
  const auto game =
      std::ranges::find(catalog::games(), "tictactoe", [](const auto& g) { return g.entry.name; });
  for (const auto& search : game->searches)
    EXPECT_TRUE(std::ranges::any_of(players, [&](const auto& p) {
      return p.starts_with(search.name);
    })) << search.name;
  EXPECT_EQ(std::ranges::count(benches, "simulations"), 1);
  EXPECT_GE(std::ranges::count(benches, "threads"), 2);
  const Ran help = run_polymax("bench searches --help"), think = run_polymax("think --help");
  EXPECT_NE(help.out.find("Example: polymax"), std::string::npos);
  EXPECT_NE(think.out.find("Example: polymax"), std::string::npos);
}

}  // namespace
}  // namespace polymax::think_test
