// The paper's numbers: complete, consistent with each other once corrected, and found by name.
#include "arena/paper.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "core/error.hpp"
#include "core/file.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::arena::paper_test {
namespace {

const std::string kFile = std::string(POLYMAX_SOURCE_DIR) + "/studies/paper.json";

double pooled(const Paper& paper, const std::map<std::string, Paper::Score>& scores) {
  double sum = 0, matches = 0;
  for (const auto& game : paper.games) {
    if (!scores.count(game.name)) continue;
    sum += scores.at(game.name).mean * game.matches;
    matches += game.matches;
  }
  return sum / matches;
}

TEST(Paper, HasEveryConfigurationOfBothExperiments) {
  const Paper paper = read_paper(kFile);
  ASSERT_EQ(paper.experiments.size(), 2u);
  EXPECT_EQ(paper.games.size(), 8u);
  EXPECT_EQ(paper.experiments[0].scores.size(), 27u);
  EXPECT_EQ(paper.experiments[1].scores.size(), 18u);
  EXPECT_EQ(paper.experiments[0].means.size(), 10u);
  EXPECT_EQ(paper.experiments[1].means.size(), 11u);
  for (const auto& experiment : paper.experiments) {
    for (const auto& [player, scores] : experiment.scores) {
      ASSERT_NE(paper.find_player(player), nullptr) << player;
      EXPECT_EQ(scores.size(), player == "brs" ? 5u : 8u) << player;
    }
  }
}

// Rounded to the nearest point, Safe's means agree within 0.2; all others were cut toward zero: 0.1
// to 0.75 worse.
TEST(Paper, CorrectedMeansAgreeWithTheGames) {
  const Paper paper = read_paper(kFile);
  for (const auto& experiment : paper.experiments) {
    for (const auto& [player, mean] : experiment.means) {
      const double off = 100 * (mean.mean - pooled(paper, experiment.scores.at(player)));
      EXPECT_LT(mean.low, mean.mean);
      EXPECT_LT(mean.mean, mean.high);
      if (player.starts_with("safe"))
        EXPECT_NEAR(off, 0, 0.2) << experiment.name << " " << player;
      else
        EXPECT_TRUE(off < -0.1 && off > -0.75) << experiment.name << " " << player << " " << off;
    }
  }
}

TEST(Paper, RadiiFitTheNumberOfMatches) {
  const Paper paper = read_paper(kFile);
  for (const auto& experiment : paper.experiments)
    for (const auto& [player, scores] : experiment.scores)
      for (const auto& game : paper.games)
        if (scores.count(game.name)) {
          const Paper::Score score = scores.at(game.name);
          const double most =
              1.96 * std::sqrt((1 - score.mean * score.mean) / game.matches);  // no draws
          EXPECT_LE(score.radius, most + 0.0051) << player << " " << game.name;
        }
}

TEST(Paper, FindsByNameOrTitle) {
  const Paper paper = read_paper(kFile);
  EXPECT_EQ(paper.find_player("Safe Unbounded Max^n")->name, "safe_unbounded_maxn");
  EXPECT_EQ(paper.find_player("BRS+")->name, "brs_plus");
  EXPECT_EQ(paper.find_player("brs-plus")->name, "brs_plus");
  EXPECT_EQ(paper.find_player("maxn_k6")->title, "6-best Max^n");
  EXPECT_EQ(paper.find_player("alphabeta"), nullptr);
  EXPECT_EQ(paper.find_game("hex3(side=4)")->name, "hex3");
  EXPECT_EQ(paper.find_game("othello"), nullptr);
  EXPECT_EQ(paper.functions, 30);
  EXPECT_EQ(paper.find_game("blokus")->channels, 166);
}

TEST(Paper, BadFilesAreNamed) {
  EXPECT_THROW(read_paper("no/such/file.json"), Error);
  const TemporaryFolder folder;
  const std::string path = folder / "paper.json";
  write_file(path, "{\"title\": 3}");
  EXPECT_NE(message_of([&] { read_paper(path); }).find(path), std::string::npos);
}

}  // namespace
}  // namespace polymax::arena::paper_test
