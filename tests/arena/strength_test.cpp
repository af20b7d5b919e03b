// Pairings that measure the strength of a run's networks, and the file that keeps their results.
#include "arena/strength.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "tests/arena/made_strength.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::arena::strength_test {
namespace {

TEST(strength, PairingsAreSpreadAndFoundAgain) {
  std::vector<KeptNet> nets;
  for (std::uint64_t k = 1; k <= 10; ++k)
    nets.push_back({"net" + std::to_string(k), k, "id" + std::to_string(k)});
  const StrengthSettings settings;
  EXPECT_TRUE(pairings({}, 4, Measured::all, settings).empty());
  EXPECT_EQ(pairings(std::span(nets).first(1), 4, Measured::all, settings).size(), 2u);
  const auto some = pairings(nets, 3, Measured::newest, settings);
  ASSERT_EQ(some.size(), 5u);
  EXPECT_EQ(some[0].opponent, "mcts");
  EXPECT_EQ(some[1].spec, "greedy(eval=estimate)");
  EXPECT_EQ(some[2].opponent, "after 1 matches");
  EXPECT_EQ(some[3].opponent_id, "id5");
  EXPECT_EQ(some[4].opponent_id, "id9");
  for (const auto& pairing : some) EXPECT_EQ(pairing.net.id, "id10");
  EXPECT_EQ(pairings(nets, 1, Measured::newest, settings)[2].opponent_id, "id9");
  EXPECT_EQ(pairings(nets, 3, Measured::all, settings).size(), 11u);
  EXPECT_EQ(net_player("unbounded_maxn", "a b/c(1).safetensors"),
            "unbounded_maxn(eval=network(file=\"a b/c(1).safetensors\"))");

  StrengthResult known = made_strength(10, "mcts", 0.5);
  EXPECT_TRUE(answers(known, some[0], settings));
  EXPECT_FALSE(answers(known, some[1], settings));
  StrengthSettings other = settings;
  other.budget = "evals=200";
  EXPECT_FALSE(answers(known, some[0], other));
  known.net_id = "id9";
  EXPECT_FALSE(answers(known, some[0], settings));
}

TEST(strength, LinesComeBackAndForeignOnesAreLeftOut) {
  StrengthResult unknown = made_strength(20, "after 3 matches", 0.25);
  unknown.score = {0.25, 0, 0, false};
  const std::vector<StrengthResult> all{made_strength(10, "mcts", 0.5), unknown};
  const std::string lines =
      strength_line(all[0]) + "\nnonsense\n{\"net\":1}\n[]\n" + strength_line(all[1]) + "\n{\"ne";
  EXPECT_EQ(read_strength(lines), all);
}

TEST(strength, TheFileKeepsResultsAndHasOneWriter) {
  const TemporaryFolder folder;
  const auto first = made_strength(10, "mcts", 0.5), second = made_strength(20, "mcts", 0.25);
  {
    StrengthFile file(folder / "");
    EXPECT_TRUE(file.results().empty());
    file.hold();
    file.add(first);
    StrengthFile other(folder / "");
    EXPECT_EQ(other.results(), std::vector{first}) << "reading needs no lock";
    EXPECT_THROW(other.hold(), Error);
  }
  std::ofstream(folder / "strength.jsonl", std::ios::app) << "{\"net\":";  // torn
  StrengthFile file(folder / "");
  file.hold();
  file.add(second);
  EXPECT_EQ(StrengthFile(folder / "").results(), (std::vector{first, second}));
}

}  // namespace
}  // namespace polymax::arena::strength_test
