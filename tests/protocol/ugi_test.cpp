// The command loop of UGI with seats, driven without a process.
#include "protocol/ugi.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>

#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "protocol/ugi_text.hpp"
#include "protocol/words.hpp"

namespace polymax::protocol::ugi_test {
namespace {

EngineSettings settings(const std::string& player = "mcts") {
  EngineSettings out;
  out.player = player;
  out.budget = "evals=30";
  out.report_every = 0.01;
  return out;
}

// A loop and all it has said.
class Heard {
 public:
  explicit Heard(const std::string& game, const EngineSettings& with = settings())
      : game_(catalog::open_game(game)), loop_(*game_, with, [this](const std::string& line) {
          const std::scoped_lock lock(mutex_);
          lines_.push_back(line);
          said_.notify_all();
        }) {}

  bool tell(const std::string& line) { return loop_.obey(line); }

  // What is said from now on, up to a line that begins with the word.
  std::vector<std::string> until(const std::string& word) {
    std::unique_lock lock(mutex_);
    const auto at = [&] {
      return std::ranges::find_if(lines_, [&](const auto& line) { return line.starts_with(word); });
    };
    if (!said_.wait_for(lock, std::chrono::minutes(2), [&] { return at() != lines_.end(); }))
      return {"nothing"};
    const std::vector<std::string> out(lines_.begin(), at() + 1);
    lines_.erase(lines_.begin(), at() + 1);
    return out;
  }

  std::string ask(const std::string& line, const std::string& word) {
    tell(line);
    return until(word).back();
  }

  bool quiet() {
    const std::scoped_lock lock(mutex_);
    return lines_.empty();
  }

 private:
  std::unique_ptr<const AnyGame> game_;
  std::mutex mutex_;
  std::condition_variable said_;
  std::vector<std::string> lines_;
  UgiLoop loop_;
};

TEST(ugi, IntroducesItself) {
  Heard engine("threehex(side=3)");
  engine.tell("ugi");
  const auto lines = engine.until("ugiok");
  EXPECT_EQ(lines[0], "id name polymax");
  EXPECT_EQ(lines[1], "id game threehex(side=3)");
  EXPECT_EQ(lines[2], "id players 3");
  EXPECT_EQ(engine.ask("isready", "readyok"), "readyok");
}

TEST(ugi, ThinksAndSaysWhatItFound) {
  Heard engine("threehex(side=3)");
  engine.tell("position startpos moves a1 b2");
  engine.tell("go evals 200");
  const auto lines = engine.until("bestmove");
  const auto info = words_of(lines[lines.size() - 2]);
  AnyVerdict read;
  ASSERT_TRUE(read_info(info, 3, read)) << lines[lines.size() - 2];
  EXPECT_GE(read.cost.evaluations, 200u);
  EXPECT_FALSE(read.pv.empty());
  EXPECT_EQ("bestmove " + read.pv[0], lines.back());
  EXPECT_EQ(engine.ask("query turn", "response"), "response 3");
}

TEST(ugi, AnswersQuestionsAboutThePosition) {
  Heard engine("tictactoe");
  EXPECT_EQ(engine.ask("query players", "response"), "response 2");
  EXPECT_EQ(engine.ask("query gameover", "response"), "response false");
  EXPECT_EQ(engine.ask("query result", "response"), "response none");
  engine.tell("position startpos moves a1 b1 a2 b2");
  EXPECT_EQ(engine.ask("query moves", "response"), "response a3 b3 c3 c2 c1");
  engine.tell("position startpos moves a1 b1 a2 b2 a3");
  EXPECT_EQ(engine.ask("query gameover", "response"), "response true");
  EXPECT_EQ(engine.ask("query result", "response"), "response 1 -1");
  EXPECT_EQ(engine.ask("query turn", "response"), "response none");
  EXPECT_EQ(engine.ask("go", "error"), "error the game is over: there is nothing to think about");
}

TEST(ugi, SeedsChooseTheStartPosition) {
  Heard engine("fish", settings("random"));
  const auto fish = catalog::open_game("fish");
  engine.tell("position seed 7");
  EXPECT_EQ(engine.ask("query moves", "response"), "response " + joined(fish->start(7)->legal()));
}

TEST(ugi, StopIsAnsweredAtOnceAndAnEndlessSearchWaitsForIt) {
  Heard engine("hex");
  engine.tell("go infinite");
  EXPECT_EQ(engine.ask("isready", "readyok"), "readyok");
  EXPECT_EQ(engine.ask("go", "error"), "error a search is under way: 'stop' ends it");
  EXPECT_EQ(engine.ask("position startpos", "error"),
            "error a search is under way: 'stop' ends it");
  engine.tell("stop");
  EXPECT_NE(engine.until("bestmove").back(), "nothing");
  // a search that ends by itself
  Heard solved("tictactoe", settings("maxn"));
  solved.tell("position startpos moves a1 b1 a2 b2 c3 c2");
  solved.tell("go infinite depth 2");
  for (const auto& line : solved.until("info")) EXPECT_FALSE(line.starts_with("bestmove"));
  solved.tell("stop");
  EXPECT_EQ(solved.until("bestmove").back(), "bestmove a3");
}

TEST(ugi, OptionsChangeThePlayer) {
  Heard engine("hex(n=4)");
  engine.tell("setoption name player value greedy");
  engine.tell("setoption name seed value 18446744073709551615");
  engine.tell("go evals 100");
  EXPECT_NE(engine.until("bestmove").back(), "nothing");
  EXPECT_TRUE(
      engine.ask("setoption name player value chess", "error").starts_with("error no search"));
  EXPECT_TRUE(engine.ask("setoption name seed value -1", "error").starts_with("error seed is"));
  EXPECT_TRUE(engine.ask("setoption name x value 1", "error").starts_with("error no option"));
  engine.tell("setoption name player value mcts");
  EXPECT_TRUE(engine.ask("go depth 3", "error").starts_with("error mcts may never solve"));
  engine.tell("go");  // the player of before is still there
  EXPECT_NE(engine.until("bestmove").back(), "nothing");
}

TEST(ugi, MistakesAreLinesAndChangeNothing) {
  Heard engine("hex(n=4)");
  engine.tell("position startpos moves a1");
  for (const char* wrong : {"position", "position seed", "position seed x", "position startpos b1",
                            "position startpos moves z9", "position startpos moves a1 a1",
                            "go evals", "go evals 0", "go evals -5", "go movetime x", "go upwards",
                            "query", "query everything", "setoption", "setoption name", "hello",
                            "go depth 99999999999999999999999", "go depth 3" /* never ends */}) {
    engine.tell(wrong);
    EXPECT_TRUE(engine.until("error").back().starts_with("error ")) << wrong;
  }
  EXPECT_EQ(engine.ask("query turn", "response"), "response 2");
  EXPECT_TRUE(engine.tell(""));
  EXPECT_TRUE(engine.tell("   \t "));
  EXPECT_TRUE(engine.tell("stop"));
  EXPECT_TRUE(engine.quiet());
  EXPECT_TRUE(engine.tell(std::string(kLongestLine + 1, 'x')));
  EXPECT_EQ(engine.until("error").back(), "error a line of more than 1 MiB");
}

TEST(ugi, QuitEndsASearch) {
  Heard engine("hex");
  engine.tell("go infinite");
  EXPECT_FALSE(engine.tell("quit"));
  EXPECT_NE(engine.until("bestmove").back(), "nothing");
}

TEST(ugi, ASinkThatFailsEndsNothing) {
  const auto game = catalog::open_game("tictactoe");
  std::atomic<int> said = 0;
  UgiLoop loop(*game, settings(), [&](const std::string&) {
    ++said;
    throw std::runtime_error("nobody listens");
  });
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(loop.obey("go evals 20"));
    loop.finish();
  }
  EXPECT_GE(said, 3);
}

TEST(ugi, BudgetsSurviveTheirText) {
  for (const char* text : {"evals=100", "nodes=5,depth=3", "seconds=2", "seconds=0.05,evals=9"}) {
    const Budget budget = catalog::parse_budget(text);
    const Budget again = read_go(words_of(write_go(budget))).budget;
    EXPECT_EQ(again.evaluations, budget.evaluations);
    EXPECT_EQ(again.nodes, budget.nodes);
    EXPECT_EQ(again.depth, budget.depth);
    EXPECT_TRUE(again.seconds == budget.seconds || std::abs(again.seconds - budget.seconds) < 1e-3);
  }
  EXPECT_EQ(write_go({}), "go infinite");
}

// That they come; bench/movetime.py measures how late.
TEST(ugi, TimedMovesCome) {
  Heard engine("othello");
  for (int i = 0; i < 5; ++i) {
    engine.tell(i % 2 == 0 ? "position startpos" : "position startpos moves d3 c5");
    engine.tell("go movetime 50");
    ASSERT_NE(engine.until("bestmove").back(), "nothing");
  }
}

}  // namespace
}  // namespace polymax::protocol::ugi_test
