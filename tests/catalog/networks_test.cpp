// Which networks a game with options takes: what decides is planes, seats and rules that change
// values.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "catalog/computed.hpp"
#include "core/notice.hpp"
#include "tests/message_of.hpp"

namespace polymax::networks_test {
namespace {

// What is said while the test looks.
class Heard {
 public:
  Heard() {
    hear_notices([this](const std::string& text) { texts.push_back(text); });
  }
  ~Heard() { hear_notices({}); }
  std::vector<std::string> texts;
};

AnyVerdict think(const AnyGame& game, std::uint64_t seed, const std::string& player) {
  return game.player(Spec::parse(player), 1)
      ->think(*game.start(seed), catalog::parse_budget("evals=40"));
}

// The fish on the tiles of a start, row by row from the top.
std::string tiles_of(const AnyGame& game, std::uint64_t seed) {
  std::string out;
  for (const auto& cell : game.start(seed)->draw().cells) out += cell.mark;
  return out;
}

TEST(networks, AnotherStartIsTheSameGameForThem) {
  const Heard heard;
  const auto shuffled = catalog::open_game("fish");
  const auto given = catalog::open_game("fish(tiles=" + tiles_of(*shuffled, 7) + ")");
  for (const std::string player : {"unbounded_maxn(eval=network)", "mcts(aim=win,eval=network)"}) {
    const auto a = think(*shuffled, 7, player), b = think(*given, 0, player);
    EXPECT_EQ(a.best, b.best) << player;
    EXPECT_EQ(a.value, b.value) << player;
  }
  EXPECT_TRUE(heard.texts.empty()) << heard.texts.front();
}

TEST(networks, AVariantTakesThemAndPeopleAreToldOnce) {
  const Heard heard;
  const auto game = catalog::open_game("hex3(blocked=out)");
  for (int i = 0; i < 2; ++i) think(*game, 0, "greedy(eval=network)");
  ASSERT_EQ(heard.texts.size(), 1u);
  EXPECT_NE(heard.texts[0].find("trained for hex3; for hex3(blocked=out), a variant"),
            std::string::npos)
      << heard.texts[0];
  think(*game, 0, "greedy(aim=win,eval=network)");  // values of points become gains as usual
  think(*catalog::open_game("quadamazons(d=3)"), 0, "greedy(eval=network)");
}

TEST(networks, OtherValuesSeatsOrPlanesRefuseThem) {
  for (const std::string game :
       {"blokus(score=pieces)", "fish(players=2)", "hex3(side=5)", "hex3(side=5,blocked=out)"})
    try {
      think(*catalog::open_game(game), 0, "greedy(eval=network)");
      ADD_FAILURE() << game;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("no network ships for '" + game + "'"), 0u)
          << error.what();
    }
}

// The options that games name for this are theirs, and their text is the spec's.
TEST(networks, TheOptionsThatTheyNeedNotMindAreSettingsOfTheGame) {
  int named = 0;
  for (const auto& entry : catalog::games()) {
    const auto wanted = catalog::open_game(entry.entry.name)->networks();
    if (!wanted) continue;
    auto names = wanted->start_options;
    names.insert(names.end(), wanted->variant_options.begin(), wanted->variant_options.end());
    names.insert(names.end(), wanted->size_options.begin(), wanted->size_options.end());
    named += static_cast<int>(names.size());
    for (const auto& name : names)
      EXPECT_TRUE(std::ranges::count(entry.entry.settings, name, &SettingInfo::key) == 1)
          << entry.entry.name << " has no option " << name;
  }
  EXPECT_GE(named, 2);
}

TEST(networks, AreKnownToAskForAGpu) {
  for (const char* yes : {"network(device=cuda)", "greedy(eval=network(engine=torch,device=cuda))",
                          "mcts(c=2,eval=network(file=a,engine=torch,device=cuda),table=on)"})
    EXPECT_TRUE(catalog::asks_gpu(Spec::parse(yes))) << yes;
  for (const char* no : {"greedy", "greedy(eval=network)", "greedy(eval=network(engine=torch))",
                         "greedy(eval=playouts)"})
    EXPECT_FALSE(catalog::asks_gpu(Spec::parse(no))) << no;
}

TEST(networks, ABareNameIsOneThatShips) {
  const auto game = catalog::open_game("triinversion");
  const auto value = [&](const std::string& file) {
    return think(*game, 1, "greedy(eval=network(file=" + file + "))").value;
  };
  EXPECT_EQ(value("moves"), value(POLYMAX_SOURCE_DIR "/nets/triinversion/moves.safetensors"));
  EXPECT_EQ(value("default"), think(*game, 1, "greedy(eval=network)").value);
  EXPECT_NE(value("moves"), value("default"));
  EXPECT_NE(message_of([&] { value("nobody"); }).find("no network 'nobody' ships for"),
            std::string::npos);
  EXPECT_NE(message_of([&] { value("./nobody"); }).find("there is no file './nobody'"),
            std::string::npos);
}

// Those that know moves, too, which nobody takes by default.
TEST(networks, TheSecondHeadsThatShipGuideASearch) {
  int found = 0;
  for (const auto& folder : std::filesystem::directory_iterator(POLYMAX_SOURCE_DIR "/nets")) {
    const std::string file = (folder.path() / "moves.safetensors").string();
    if (!std::filesystem::exists(file)) continue;
    ++found;
    const auto game = catalog::open_game(folder.path().filename().string());
    const auto match = game->start(1);
    const auto player = game->player(Spec::parse("mcts(select=puct,eval=network(file=moves))"), 1);
    const auto verdict = player->think(*match, catalog::parse_budget("evals=20"));
    EXPECT_TRUE(std::ranges::count(match->legal(), verdict.best) == 1) << file;
    EXPECT_GE(verdict.cost.evaluations, 1u) << file;
  }
  EXPECT_GE(found, 8);
}

}  // namespace
}  // namespace polymax::networks_test
