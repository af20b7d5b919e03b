// Study files and their complaints, the schedule against the paper's protocol, and studies that are
// played.
#include "arena/study.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "arena/schedule.hpp"
#include "arena/study_file.hpp"
#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::arena::study_test {
namespace {

const std::string kGood = R"json({
  // a comment
  "title": "test",
  "games": ["hex3(side=3)", {"name": "small", "spec": "quadrothello(n=6)"}],
  "players": [
    {"name": "unbounded", "spec": "unbounded_maxn(eval=$f)"},
    {"name": "uct", "spec": "mcts", "games": ["hex3"]}
  ],
  "benchmark": {"spec": "maxn(eval=$f)"},
  "networks": {"evaluator": "playouts(n=1,seed=$i)"}, /* no files */
  "budget": "evals=20",
  "functions": 3,
  "repetitions": 2,
  "seed": 7
})json";

std::string replaced(const std::string& what, const std::string& by) {
  std::string out = kGood;
  const auto at = out.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return out.replace(at, what.size(), by);
}

Study open(const TemporaryFolder& folder, const std::string& text) {
  std::ofstream(folder / "study.json") << text;
  return Study::open(folder / "");
}

TEST(study_file, IsRead) {
  const auto file = parse_study("s", kGood);
  EXPECT_EQ(file.title, "test");
  ASSERT_EQ(file.games.size(), 2u);
  EXPECT_EQ(file.games[0].name, "hex3");
  EXPECT_EQ(file.games[1].name, "small");
  EXPECT_EQ(file.players[1].games, (std::vector<std::string>{"hex3"}));
  EXPECT_EQ(file.benchmark.name, "maxn(eval=$f)")
      << "a player without a name is called by its spec";
  EXPECT_EQ(file.functions, 3);
  EXPECT_EQ(file.seed, 7u);
}

TEST(study_file, ComplaintsNameLineAndKey) {
  const std::map<std::string, std::string> wrong{
      {replaced("\"seed\": 7", "\"sede\": 7"),
       "'s' line 14, key 'sede': unknown key; known here: title, games"},
      {replaced("\"budget\": \"evals=20\",", ""), "line 1: the key 'budget' is missing"},
      {replaced("\"functions\": 3", "\"functions\": \"3\""),
       "line 12, key 'functions': a number or \"all\""},
      {replaced("\"functions\": 3", "\"functions\": \"all\""),
       "line 10, key 'networks/evaluator': \"functions\": \"all\" counts network files"},
      {replaced("\"functions\": 3", "\"functions\": 0"), "line 12, key 'functions'"},
      {replaced("\"functions\": 3", "\"functions\": 2.5"), "line 12, key 'functions'"},
      {replaced("\"seed\": 7", "\"seed\": -1"), "line 14, key 'seed'"},
      {replaced("\"seed\": 7", "\"seed\": 7 \"x\""), "line 14: this is not JSON, near"},
      {replaced("\"seed\": 7", "\"seed\": 7, \"budget\": \"x\""),
       "line 14: the key 'budget' stands there a second time"},
      {replaced("\"spec\": \"mcts\"", "\"spec\": \"mcts(\""), "line 7, key 'players/1/spec'"},
      {replaced("\"spec\": \"mcts\"", "\"spce\": \"mcts\""),
       "line 7, key 'players/1/spce': unknown key"},
      {replaced("\"games\": [\"hex3\"]", "\"games\": [\"hex4\"]"),
       "line 7, key 'players/1/games': the study has no game"},
      {replaced("\"uct\"", "\"unbounded\""), "two entries have the name 'unbounded'"},
      {replaced("\"small\"", "\"\""), "line 4, key 'games/1/name': the name is empty"},
      {replaced("\"test\"", "\"te\\tst\""), "line 3, key 'title': "},
      {replaced("seed=$i", "seed=4"),
       "line 10, key 'networks/evaluator': without $i all 3 functions"},
      {replaced("{\"evaluator\": \"playouts(n=1,seed=$i)\"}", "{}"),
       "line 10, key 'networks': give either"},
      {replaced("[\"hex3(side=3)\", {\"name\": \"small\", \"spec\": \"quadrothello(n=6)\"}]", "[]"),
       "line 4, key 'games': a list with at least one item"},
  };
  for (const char* name : {"", "   ", "a\\nb", "a\\u001bb", "a\\u007f", "a\\u0085", "a\\u2028",
                           "\\u202egnp", "a\\u2066b", "\xe2\x80\xae"}) {
    const std::string text = replaced("\"uct\"", std::string("\"") + name + "\"");
    const std::string said = message_of([&] { parse_study("s", text); });
    EXPECT_NE(said.find("line 7, key 'players/1/name': "), std::string::npos) << name << said;
  }
  for (const char* name : {"α–β", "Max^n (sûr)", "最大"})
    EXPECT_EQ(
        parse_study("s", replaced("\"uct\"", std::string("\"") + name + "\"")).players[1].name,
        name);
  for (const auto& [text, message] : wrong) {
    const std::string said = message_of([&] { parse_study("s", text); });
    EXPECT_NE(said.find(message), std::string::npos) << said << "\nwanted: " << message;
    EXPECT_EQ(said.find('\n'), std::string::npos);
  }
}

TEST(study_file, CommentsAndTitleAreNotThePlan) {
  const std::string plan = parse_study("s", kGood).canonical;
  EXPECT_EQ(parse_study("s", replaced("// a comment", "")).canonical, plan);
  EXPECT_EQ(parse_study("s", replaced("\"test\"", "\"another\"")).canonical, plan);
  EXPECT_NE(parse_study("s", replaced("evals=20", "evals=21")).canonical, plan);
}

TEST(study, ComplaintsAboutGamesPlayersAndNetworks) {
  const std::map<std::string, std::string> wrong{
      {replaced("hex3(side=3)", "hex3(sied=3)"), "line 4, key 'games/0': "},
      {replaced("evals=20", "evaluations=20"), "line 11, key 'budget': "},
      {replaced("\"seed\": 7", "\"opening\": 1000, \"seed\": 7"),
       "line 14, key 'opening': an opening of 1000 random moves leaves nothing to play: hex3"},
      {replaced("\"spec\": \"mcts\"", "\"spec\": \"mtcs\""),
       "line 7, key 'players/1': in the game 'hex3': "},
      {replaced("playouts(n=1,seed=$i)", "palyouts(seed=$i)"),
       "line 10, key 'networks': in the game 'hex3': "},
      {replaced("\"maxn(eval=$f)", "\"maxn(eval=$f,x=1)"),
       "line 9, key 'benchmark': in the game 'hex3': "},
      {replaced("\"evaluator\": \"playouts(n=1,seed=$i)\"",
                "\"files\": \"../none/$game/*.safetensors\""),
       "line 10, key 'networks': the game 'hex3' needs 3 networks, 0 found as "
       "'../none/hex3/*.safetensors'"},
      {replaced("\"evaluator\": \"playouts(n=1,seed=$i)\"", "\"files\": [\"a\",\"b\",\"c\"]"),
       "there is no network"},
  };
  for (const auto& [text, message] : wrong) {
    const TemporaryFolder folder;
    const std::string said = message_of([&] { open(folder, text).check_all_players(); });
    EXPECT_NE(said.find(message), std::string::npos) << said << "\nwanted: " << message;
  }
  EXPECT_NE(message_of([] { Study::open("/no/such/folder"); }).find("no folder"),
            std::string::npos);
}

TEST(study, ABudgetWithoutAnEndIsRefused) {
  const TemporaryFolder folder;
  const auto said = [&](const std::string& player, const std::string& benchmark) {
    const std::string text = R"json({"games": ["tictactoe"], "players": [)json" + player +
                             R"json(], "benchmark": )json" + benchmark +
                             R"json(, "networks": {"evaluator": "estimate"}, "budget": "solved",
      "functions": 1, "seed": 1})json";
    return message_of([&] { open(folder, text).check_all_players(); });
  };
  EXPECT_NE(said(R"("mcts")", R"("maxn")").find("mcts may never solve"), std::string::npos);
  EXPECT_NE(said(R"("maxn")", R"("mcts")").find("mcts may never solve"), std::string::npos);
  EXPECT_EQ(said(R"("maxn")", R"("maxn")"), "no error");
}

TEST(study, ASearchThatAGameDoesNotOfferIsNamed) {
  const TemporaryFolder folder;
  const std::string text =
      R"json({"games": ["fish"], "players": ["brs(eval=$f)"], "benchmark": "maxn",
    "networks": {"evaluator": "estimate"}, "budget": "evals=9", "functions": 1, "seed": 1})json";
  const std::string said = message_of([&] { open(folder, text).check_all_players(); });
  EXPECT_NE(said.find("the game 'fish' does not offer the search 'brs'"), std::string::npos)
      << said;
  EXPECT_NE(said.find("'games' may name the games it plays"), std::string::npos) << said;
}

TEST(study, NetworksAreFoundByPatternAndNoticedWhenTheyChange) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "n/hex3");
  for (const char* name : {"b.net", "a.net", "c.txt"})
    std::ofstream(folder / ("n/hex3/" + std::string(name))) << name;
  const std::string text =
      R"json({"games": ["hex3(side=3)"], "players": ["maxn(eval=$f)"], "benchmark": "maxn(eval=$f)",
    "networks": {"files": "n/$game/*.net", "settings": "isa=plain"}, "budget": "evals=9", "functions": 2, "seed": 1})json";
  const auto study = open(folder, text);
  const std::string first = study.player_spec({0, 0, 0, 1}, 0).text(),
                    second = study.player_spec({0, 0, 0, 1}, 1).text();
  EXPECT_NE(first.find("n/hex3/a.net"), std::string::npos) << first;
  EXPECT_NE(first.find("isa=plain"), std::string::npos) << first;
  EXPECT_NE(second.find("n/hex3/b.net"), std::string::npos) << second;
  EXPECT_NE(message_of([&] { study.check_all_players(); }).find("a.net"), std::string::npos)
      << "it is no network";
  std::ofstream(folder / "n/hex3/b.net") << "another";
  const std::string now = open(folder, text).identity();
  EXPECT_NE(now, study.identity());
  EXPECT_NE(differences(study.identity(), now).find("networks/hex3/1: \"n/hex3/b.net 5"),
            std::string::npos)
      << differences(study.identity(), now);
}

// The networks of the tests stand for trained ones: matches with them are played, and in another
// game they are refused.
TEST(study, NetworksOfAnotherGameAreRefused) {
  const auto text = [](const std::string& game) {
    return R"json({"games": [")json" + game +
           R"json("], "players": ["greedy(eval=$f)"], "benchmark": "greedy(eval=$f)",
    "networks": {"files": ["a.safetensors"]}, "budget": "evals=9", "functions": 1, "seed": 1})json";
  };
  const TemporaryFolder folder;
  std::filesystem::copy(std::string(POLYMAX_SOURCE_DIR) + "/tests/golden/canary/hex.safetensors",
                        folder / "a.safetensors");
  const auto right = open(folder, text("hex"));
  EXPECT_EQ(message_of([&] { right.check_all_players(); }), "no error");
  EXPECT_EQ(play_match(right.setup(0)).error, "");
  const std::string said = message_of([&] { open(folder, text("othello")).check_all_players(); });
  EXPECT_NE(said.find("key 'networks': in the game 'othello': "), std::string::npos) << said;
  EXPECT_NE(said.find("hex"), std::string::npos) << said;
}

TEST(study, DifferencesAreShown) {
  const auto text = [](const std::string& study) {
    const TemporaryFolder folder;
    return open(folder, study).identity();
  };
  const std::string before = text(kGood);
  EXPECT_EQ(differences(before, text(replaced("evals=20", "evals=21"))),
            "budget: \"evals=20\" is now \"evals=21\"");
  const std::string more =
      text(replaced("\"games\": [\"hex3\"]}", "\"games\": [\"hex3\"]}, \"random\""));
  EXPECT_NE(differences(before, more).find("new \"random\""), std::string::npos)
      << differences(before, more);
  EXPECT_NE(differences(more, before).find("gone, was \"random\""), std::string::npos);
}

// The protocol from its definition: every (player, game, repetition, i, j, seat) once.
TEST(schedule, IsThePapersProtocol) {
  const TemporaryFolder folder;
  const auto study = open(folder, kGood);
  const auto& schedule = study.schedule();
  EXPECT_EQ(schedule.size(), 2u * 9 * (3 + 4 + 3));
  std::set<std::array<int, 6>> seen;
  for (std::uint64_t k = 0; k < schedule.size(); ++k) {
    const auto match = schedule.at(k);
    seen.insert({match.game, match.player, match.i, match.j, match.repetition, match.seat});
    const int seats = match.game == 0 ? 3 : 4;
    EXPECT_LT(match.seat, seats);
    EXPECT_TRUE(match.player == 0 || match.game == 0) << "uct plays hex3 alone";
    const auto functions = schedule.functions(match);
    ASSERT_EQ(functions.size(), static_cast<std::size_t>(seats));
    int next = match.j;
    for (int seat = 0; seat < seats; ++seat) {
      const int f = functions[static_cast<std::size_t>(seat)];
      if (seat == match.seat) {
        EXPECT_EQ(f, match.i);
        continue;
      }
      EXPECT_EQ(f, next % 3) << "f_j, f_{j+1}, ... modulo n";
      ++next;
    }
  }
  EXPECT_EQ(seen.size(), schedule.size());
}

TEST(schedule, PartOfAStudyIsBalanced) {
  const Schedule schedule(5, 1, {3}, {{0, 0}});
  std::map<int, int> first, second;
  for (std::uint64_t k = 0; k < 3 * 5; ++k) {
    ++first[schedule.at(k).i];
    ++second[schedule.at(k).j];
  }
  EXPECT_EQ(first.size(), 5u);
  EXPECT_EQ(second.size(), 5u);
}

// Two games with two players each, of 2 and 3 seats: 4 and 6 matches a step.
TEST(schedule, IsPlayedByGameInBlocks) {
  const Schedule schedule(4, 2, {2, 3}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  std::vector<std::uint64_t> all(schedule.size());
  std::iota(all.begin(), all.end(), 0);
  const auto order = playing_order(schedule, all, 20, {1, 5});
  auto sorted = order;
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, all) << "every match once";
  const std::size_t block = 4 * 10;  // two by two (i, j) hold 20 matches of a game on average
  const auto square = [&](std::uint64_t k) {
    const auto match = schedule.at(k);
    return std::tuple(match.repetition, match.i / 2, match.j / 2);
  };
  for (std::size_t at = 0; at < order.size(); at += block) {
    for (std::size_t i = at; i < at + block; ++i) {
      EXPECT_EQ(square(order[i]), square(order[at])) << "blocks come one after the other";
      EXPECT_EQ(schedule.at(order[i]).game, i < at + 4 * 6 ? 1 : 0) << "long matches first";
      if (i > at && i != at + 4 * 6) {
        EXPECT_GT(order[i], order[i - 1]);
      }
    }
  }
  EXPECT_EQ(playing_order(schedule, all, 1, {1, 1}), all) << "one at a time: in the order of k";
  EXPECT_TRUE(playing_order(schedule, {}, 1, {1, 1}).empty());
}

// Thirty networks of a game with four seats and six players, 24 matches a step: 600 at once are 25
// pairs, whose networks would be 28 along a diagonal.
TEST(schedule, FewNetworksAreAtWorkAtATime) {
  std::vector<ScheduledMatch> players;
  for (int p = 0; p < 6; ++p) players.push_back({0, p});
  const Schedule schedule(30, 2, {4}, players);
  std::vector<std::uint64_t> all(schedule.size());
  std::iota(all.begin(), all.end(), 0);
  const auto order = playing_order(schedule, all, 600, {1});
  std::set<int> in_all;
  for (std::size_t at = 0; at < order.size(); at += 600) {
    std::set<int> here;
    for (std::size_t i = at; i < at + 600; ++i)
      for (const int f : schedule.functions(schedule.at(order[i]))) here.insert(f);
    EXPECT_LE(here.size(), 12u) << "five in the seat, seven in the others";
    if (at < 600 * 6) in_all.insert(here.begin(), here.end());
  }
  EXPECT_EQ(in_all.size(), 30u) << "a part of a study has all networks in it";
}

// A shard of few matches has several repetitions in a block.
TEST(schedule, AThinShardIsPlayedByGame) {
  const Schedule schedule(2, 12, {2, 2}, {{0, 0}, {1, 0}});
  std::vector<std::uint64_t> thin;
  for (std::uint64_t k = 0; k < schedule.size(); k += 3) thin.push_back(k);
  const auto order = playing_order(schedule, thin, 1000, {1, 2});
  for (std::size_t i = 1; i < order.size(); ++i)
    EXPECT_LE(schedule.at(order[i]).game, schedule.at(order[i - 1]).game);
}

TEST(study, SeedsBelongToBlocksAndMatches) {
  const TemporaryFolder folder;
  const auto study = open(folder, kGood);
  std::map<std::array<int, 4>, std::set<std::uint64_t>> starts;
  std::set<std::uint64_t> seeds, all_starts;
  for (std::uint64_t k = 0; k < study.schedule().size(); ++k) {
    const auto match = study.schedule().at(k);
    const auto setup = study.setup(k);
    starts[{match.game, match.i, match.j, match.repetition}].insert(setup.start);
    all_starts.insert(setup.start);
    seeds.insert(setup.seed);
  }
  for (const auto& [block, of] : starts)
    EXPECT_EQ(of.size(), 1u) << "all seats and players of a block start alike";
  EXPECT_EQ(all_starts.size(), starts.size());
  EXPECT_EQ(seeds.size(), study.schedule().size()) << "players of every match have their own";
  const TemporaryFolder other;
  EXPECT_NE(open(other, replaced("\"seed\": 7", "\"seed\": 8")).setup(0).start,
            study.setup(0).start);
}

TEST(study, EveryPresetRunsWithWhatShips) {
  int presets = 0;
  for (const auto& folder : std::filesystem::directory_iterator(POLYMAX_SOURCE_DIR "/studies")) {
    if (!std::filesystem::exists(folder.path() / "study.json")) continue;
    ++presets;
    const std::string name = folder.path().filename();
    SCOPED_TRACE(name);
    std::string text = read_file((folder.path() / "study.json").string());
    const std::string on_a_gpu = "engine=torch,device=cuda";
    if (const auto at = text.find(on_a_gpu); at != std::string::npos)
      text.replace(at, on_a_gpu.size(), "engine=cpu");
    const TemporaryFolder place;
    const auto study = open(place, text);
    EXPECT_GE(study.file().functions, 1);
    EXPECT_NO_THROW(study.check_all_players());
    for (const auto& game : study.table().games) {
      EXPECT_EQ(game.evaluators.size(), static_cast<std::size_t>(study.file().functions));
      EXPECT_EQ(game.evaluators[0].about.empty(), name == "quick")
          << "networks say where they come from: " << game.evaluators[0].about;
    }
  }
  EXPECT_GE(presets, 4);
}

TEST(study, AllFunctionsAreAsManyAsEveryGameHas) {
  const TemporaryFolder folder;
  const std::string text =
      R"json({"games": ["hex3(side=3)", "tictactoe"], "players": ["greedy(eval=$f)"],
    "benchmark": "random", "networks": {"files": ["$game/x.net", "$game/f_*.net"]},
    "budget": "evals=9", "functions": "all", "seed": 1})json";
  for (const char* game : {"hex3", "tictactoe"}) std::filesystem::create_directory(folder / game);
  EXPECT_NE(message_of([&] { open(folder, text); }).find("needs 1 network, 0 found"),
            std::string::npos);
  for (const char* name : {"hex3/x", "hex3/f_0", "hex3/f_1", "tictactoe/x", "tictactoe/f_7"})
    write_file(folder / (std::string(name) + ".net"), name);
  const auto study = open(folder, text);
  EXPECT_EQ(study.file().functions, 2);
  EXPECT_EQ(study.schedule().size(), 4u * (3 + 2));
  EXPECT_EQ(study.table().games[0].evaluators[1].name, "hex3/f_0.net");
  write_file(folder / "tictactoe/f_8.net", "one more");
  EXPECT_NE(study.identity(), open(folder, text).identity()) << "another study";
}

TEST(study, WithoutATitleItHasItsFolders) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "mine");
  const std::string text = R"json({"games": ["tictactoe"], "players": ["random"],
    "benchmark": "random", "networks": {"evaluator": "estimate"}, "budget": "evals=9",
    "functions": 1, "seed": 1})json";
  write_file(folder / "mine/study.json", text);
  EXPECT_EQ(Study::open(folder / "mine").table().title, "mine");
  write_file(folder / "mine/study.json", "{\"title\": \"Yours\"," + text.substr(1));
  EXPECT_EQ(Study::open(folder / "mine").table().title, "Yours");
}

TEST(study, AFixedBudgetOfOnePlayer) {
  const TemporaryFolder folder;
  const auto study = open(
      folder, replaced("\"spec\": \"mcts\",", "\"spec\": \"mcts\", \"budget\": \"evals=70\","));
  bool met = false;
  for (std::uint64_t k = 0; k < study.schedule().size(); ++k) {
    const auto match = study.schedule().at(k);
    const auto setup = study.setup(k);
    for (int seat = 0; seat < setup.game->players(); ++seat) {
      const bool own = seat == match.seat && match.player == 1;
      met = met || own;
      EXPECT_EQ(setup.budgets[static_cast<std::size_t>(seat)].evaluations, own ? 70u : 20u);
    }
  }
  EXPECT_TRUE(met);
  EXPECT_FALSE(study.timed());
  EXPECT_TRUE(open(folder, replaced("{\"spec\": \"maxn(eval=$f)\"}",
                                    "{\"spec\": \"maxn(eval=$f)\", \"budget\": \"seconds=1\"}"))
                  .timed());
  EXPECT_NE(message_of([&] {
              open(folder,
                   replaced("\"spec\": \"mcts\",", "\"spec\": \"mcts\", \"budget\": \"x=70\","));
            }).find("key 'players/1/budget'"),
            std::string::npos);
}

TEST(study_file, ThePresetsAreThePapers) {
  const std::map<std::string, std::size_t> configurations{
      {"paper-10s", 27}, {"paper-1s", 18}, {"evals", 25}};
  for (const auto& [name, players] : configurations) {
    const std::string path = std::string(POLYMAX_SOURCE_DIR) + "/studies/" + name + "/study.json";
    const auto file = parse_study(path, read_file(path));
    EXPECT_EQ(file.players.size(), players) << name;
    EXPECT_EQ(file.games.size(), 8u);
    EXPECT_EQ(file.functions, 0) << "all that are found";
    EXPECT_EQ(file.benchmark.name, "maxn");
    for (const auto& game : file.games) {
      const auto opened = catalog::open_game(game.spec);
      EXPECT_EQ(opened->players(),
                std::set<std::string>({"quadamazons", "blokus", "teamhex", "quadrothello"})
                        .contains(game.name)
                    ? 4
                    : 3);
      for (const auto& player : file.players) {
        if (!player.games.empty() &&
            std::ranges::find(player.games, game.name) == player.games.end())
          continue;
        std::string spec = player.spec;
        if (const auto at = spec.find("$f"); at != std::string::npos)
          spec.replace(at, 2, "estimate");
        EXPECT_NO_THROW(opened->player(Spec::parse(spec), 1)) << game.name << ' ' << spec;
      }
    }
  }
}

TEST(study_file, TheQuickStudyRunsAnywhere) {
  const auto study = Study::open(std::string(POLYMAX_SOURCE_DIR) + "/studies/quick");
  EXPECT_NO_THROW(study.check_all_players());
  EXPECT_FALSE(study.timed());
  EXPECT_GE(study.file().players.size(), 9u);
}

}  // namespace
}  // namespace polymax::arena::study_test
