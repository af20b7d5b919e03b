// Queries as lines of JSON: the answers of `think`, in any order of threads; cancelled by id.
#include "protocol/analyzer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "catalog/catalog.hpp"
#include "core/clock.hpp"
#include "core/cores.hpp"
#include "core/error.hpp"
#include "core/rng.hpp"
#include "tests/long_tests.hpp"

namespace polymax::protocol::analyzer_test {
namespace {

using Json = nlohmann::json;

std::string mcts(const AnyGame&) {
  return "mcts";
}

// All answers to these lines.
std::vector<Json> answers(const std::vector<std::string>& lines, int threads = 3) {
  std::vector<Json> out;
  Query presets;
  presets.budget = "evals=50";
  Analyzer analyzer(presets, mcts, threads,
                    [&](const std::string& line) { out.push_back(Json::parse(line)); });
  for (const auto& line : lines) analyzer.take(line);
  analyzer.finish();
  return out;
}

TEST(analyzer, AnswersAsThinkDoes) {
  std::vector<std::string> lines;
  const auto game = catalog::open_game("hex(n=5)");
  for (int i = 0; i < 20; ++i)
    lines.push_back(Json{{"id", i},
                         {"game", "hex(n=5)"},
                         {"top", 0},
                         {"budget", "evals=40"},
                         {"moves", {"a" + std::to_string(1 + i % 5)}}}
                        .dump());
  const auto got = answers(lines);
  ASSERT_EQ(got.size(), 20u);
  for (const auto& answer : got) {
    const int i = answer.at("id");
    const auto match = game->start(0);
    match->play("a" + std::to_string(1 + i % 5));
    const auto verdict =
        game->player(Spec::parse("mcts"), 0)->think(*match, catalog::parse_budget("evals=40"));
    EXPECT_EQ(answer.at("best"), verdict.best);
    EXPECT_EQ(answer.at("value").at(1).get<float>(), verdict.value[1]);
    EXPECT_EQ(answer.at("children").size(), 24u);
    EXPECT_EQ(answer.at("turn"), 2);
    EXPECT_EQ(answer.at("final"), true);
    for (std::size_t k = 1; k < answer.at("children").size(); ++k)
      EXPECT_GE(answer["children"][k - 1]["visits"], answer["children"][k]["visits"]);
  }
}

TEST(analyzer, MistakesAreAnswersWithTheirId) {
  const auto got = answers(
      {"", "   ", "{", "[]", R"j({"id":1})j", R"j({"id":"x","game":"chess"})j",
       R"j({"id":2,"game":"hex","moves":["zz"]})j", R"j({"id":3,"game":"hex","moves":"a1"})j",
       R"j({"id":4,"game":"hex","color":"red"})j", R"j({"id":5,"game":"hex","budget":"all"})j",
       R"j({"id":[1],"game":"hex"})j", R"j({"game":"hex"})j", R"j({"cancel":"nobody"})j",
       R"j({"cancel":1,"id":7})j", R"j({"id":6,"game":"hex","player":"engine(cmd=\"true\")"})j"},
      1);
  std::map<std::string, std::string> errors;
  for (const auto& answer : got) errors[answer.at("id").dump()] = answer.at("error");
  EXPECT_EQ(got.size(), 12u);
  EXPECT_EQ(errors["1"], "'game' is wanted: the spec of a game");
  EXPECT_TRUE(errors["\"x\""].starts_with("no game 'chess'")) << errors["\"x\""];
  EXPECT_TRUE(errors["2"].starts_with("move 1: 'zz' is no legal move")) << errors["2"];
  EXPECT_EQ(errors["3"], "'moves' wants a list of moves");
  EXPECT_TRUE(errors["4"].starts_with("no key 'color'"));
  EXPECT_TRUE(errors["6"].starts_with("no search 'engine'")) << "strangers start no programs";
}

TEST(analyzer, ABudgetWithoutAnEndIsAMistake) {
  const auto got = answers({R"j({"id":1,"game":"hex(n=3)","budget":"solved"})j"});
  ASSERT_EQ(got.size(), 1u);
  EXPECT_NE(got[0].at("error").get<std::string>().find("mcts may never solve"), std::string::npos);
}

TEST(analyzer, ReportsOnTheWay) {
  const auto got = answers(
      {R"j({"id":"a","game":"hex","budget":"evals=2000","report_every":0.000001,"top":2})j"});
  ASSERT_GE(got.size(), 2u);
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].at("final"), i + 1 == got.size());
    EXPECT_EQ(got[i].at("value").size(), 2u);
    EXPECT_LE(got[i].at("children").size(), 2u);
  }
}

TEST(analyzer, CancelsById) {
  const auto got = answers(
      {R"j({"id":"endless","game":"hex","budget":"evals=1e18"})j",
       R"j({"id":"waits","game":"hex"})j", R"j({"id":"endless","game":"hex"})j",
       R"j({"cancel":"waits"})j", R"j({"cancel":"endless"})j", R"j({"id":"next","game":"hex"})j"},
      1);
  ASSERT_EQ(got.size(), 4u);
  EXPECT_EQ(got[0].at("error"), "the id is in use by a query before it");
  EXPECT_EQ(got[1], Json({{"id", "waits"}, {"cancelled", true}}));
  EXPECT_EQ(got[2], Json({{"id", "endless"}, {"cancelled", true}}));
  EXPECT_EQ(got[3].at("id"), "next");
}

// As other programs write them: our own JSON has texts for what a double would lose.
TEST(analyzer, SeedsMayBeTexts) {
  const auto seed_of = [](const std::string& seed) {
    const std::string line = R"j({"id":1,"game":"fish","seed":)j" + seed + "}";
    return std::get<Query>(read_request(line, {})).seed;
  };
  EXPECT_EQ(seed_of("\"9007199254740993\""), 9007199254740993u);
  EXPECT_EQ(seed_of("17"), 17u);
  for (const char* bad : {"\"\"", "\"x\"", "-1", "1.5", "\"18446744073709551616\""})
    EXPECT_THROW(seed_of(bad), Error) << bad;
}

TEST(analyzer, ASinkThatFailsEndsNothing) {
  Query presets;
  presets.game = "tictactoe";
  presets.budget = "evals=20";
  std::atomic<int> said = 0;
  Analyzer analyzer(presets, mcts, 2, [&](const std::string&) {
    ++said;
    throw std::runtime_error("nobody listens");
  });
  for (int i = 0; i < 10; ++i) analyzer.take("{\"id\":" + std::to_string(i) + "}");
  analyzer.take("no query");
  analyzer.finish();
  EXPECT_GE(said, 11);
}

TEST(analyzer, EndsWithWorkLeft) {
  Query presets;
  presets.game = "hex";
  presets.budget = "evals=1e18";
  std::mutex mutex;
  std::vector<std::string> said;
  {
    Analyzer analyzer(presets, mcts, 2, [&](const std::string& line) {
      const std::scoped_lock lock(mutex);
      said.push_back(line);
    });
    for (int i = 0; i < 10; ++i) analyzer.take("{\"id\":" + std::to_string(i) + "}");
  }
  for (const auto& line : said) EXPECT_EQ(line.find("error"), std::string::npos) << line;
}

// Many positions through the analyzer and as plain thoughts of as many threads. Judged by the time
// of the processor, in turns, so that other work on the machine counts little.
class Race {
 public:
  explicit Race(int positions) {
    for (int i = 0; i < positions; ++i) {
      const auto match = game_->start(0);
      Rng rng(static_cast<std::uint64_t>(i));
      for (int k = 0; k < 10; ++k) {
        const auto legal = match->legal();
        match->play(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
      }
      starts_.push_back(match->history());
    }
  }

  void thoughts(std::size_t from, std::size_t to) {
    const Budget budget = catalog::parse_budget("evals=2000");
    std::atomic<std::size_t> next = from;
    std::vector<std::jthread> crew;
    for (int t = 0; t < cores(); ++t)
      crew.emplace_back([&] {
        for (std::size_t i = next++; i < to; i = next++) {
          const auto match = game_->start(0);
          for (const auto& move : starts_[i]) match->play(move);
          game_->player(Spec::parse("mcts"), 0)->think(*match, budget);
        }
      });
  }

  int analyzed(std::size_t from, std::size_t to) {
    int out = 0;
    Query presets;
    presets.game = "othello";
    presets.budget = "evals=2000";
    Analyzer analyzer(presets, mcts, cores(), [&](const std::string&) { ++out; });
    for (std::size_t i = from; i < to; ++i)
      analyzer.take(Json{{"id", i}, {"moves", starts_[i]}}.dump());
    analyzer.finish();
    return out;
  }

 private:
  std::unique_ptr<const AnyGame> game_ = catalog::open_game("othello");
  std::vector<std::vector<std::string>> starts_;
};

struct Spent {
  double wall = 0, cpu = 0;

  void add(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    const double before = process_cpu_seconds();
    work();
    cpu += process_cpu_seconds() - before;
    wall += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
};

TEST(analyzer, AnswersManyPositionsAndTellsWhatTheyCost) {
  if (!long_tests()) GTEST_SKIP() << "a measurement: long form only";
  constexpr std::size_t rounds = 10, each = 100;
  Race race(static_cast<int>(rounds * each));
  Spent plain, analyzed;
  int answered = 0;
  for (std::size_t r = 0; r < rounds; ++r) {
    plain.add([&] { race.thoughts(r * each, (r + 1) * each); });
    analyzed.add([&] { answered += race.analyzed(r * each, (r + 1) * each); });
  }
  EXPECT_EQ(answered, static_cast<int>(rounds * each));
  std::printf(
      "%zu positions, %d threads: thoughts %.2f s (processor %.2f), analyzer %.2f s (%.2f)\n",
      rounds * each, cores(), plain.wall, plain.cpu, analyzed.wall, analyzed.cpu);
}

}  // namespace
}  // namespace polymax::protocol::analyzer_test
