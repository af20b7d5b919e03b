// The JSON interface: games, matches, engines, undo, hints, analysis, records.
#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "catalog/catalog.hpp"
#include "tests/server/client.hpp"

namespace polymax::server::api_test {
namespace {

TEST(server_api, ListsEveryGameWithAPictureAndRules) {
  const RunningServer server;
  const auto [status, list] = server.get("games");
  ASSERT_EQ(status, 200);
  ASSERT_EQ(list["games"].size(), catalog::games().size());
  int with_rules = 0;
  for (const auto& game : list["games"]) {
    EXPECT_GE(game["players"], 2);
    EXPECT_GT(game["picture"]["cells"].size(), 8u) << game["name"];
    const auto details = server.get("games/" + game["name"].get<std::string>()).second;
    with_rules += details["rules"].get<std::string>().size() > 200 ? 1 : 0;
    EXPECT_TRUE(details["aim"].get<std::string>().ends_with('.')) << details["aim"];
    EXPECT_EQ(game["aim"], details["aim"]);
    EXPECT_GT(details["searches"].size(), 3u);
  }
  EXPECT_GE(with_rules, 12);
  EXPECT_GE(server.get("about").second["levels"].size(), 3u);
  EXPECT_EQ(server.get("games/chess").first, 404);
}

// Every board in the texts of rules is a position of its game.
TEST(server_api, PicturesOfTheRulesAreLegal) {
  const RunningServer server;
  int boards = 0;
  for (const auto& entry : catalog::games()) {
    const std::string rules = server.get("games/" + entry.entry.name).second["rules"];
    for (auto at = rules.find("```board\n"); at != std::string::npos;
         at = rules.find("```board\n", at + 1)) {
      const auto begin = at + 9, end = rules.find('\n', begin);
      std::istringstream words(rules.substr(begin, end - begin));
      json body{{"seed", 7}, {"moves", json::array()}};
      std::string word;
      words >> word;
      body["game"] = word;
      while (words >> word) body["moves"].push_back(word);
      const auto [status, position] = server.post("position", body);
      EXPECT_EQ(status, 200) << entry.entry.name << ": " << position.dump();
      EXPECT_EQ(position["name"], entry.entry.name);
      ++boards;
    }
  }
  EXPECT_GE(boards, 12);
}

TEST(server_api, AMatchAgainstEnginesToItsEnd) {
  const RunningServer server;
  auto [status, state] = server.post(
      "matches",
      {{"game", "hex3(side=3)"}, {"seed", 5}, {"seats", {"human", "greedy@evals=50", "random"}}});
  ASSERT_EQ(status, 201) << state.dump();
  const std::string id = state["id"];
  server.post("matches/" + id + "/pace", {{"seconds", 0}});
  while (!state["position"]["over"]) {
    ASSERT_EQ(state["position"]["to_move"], 0);
    const std::string move = state["position"]["legal"][0];
    const std::size_t ply = state["moves"].size();
    const auto [played, answer] =
        server.post("matches/" + id + "/play", {{"move", move}, {"ply", ply}});
    ASSERT_EQ(played, 200) << answer.dump();
    state = server.wait_for(id, [](const json& now) {
      return now["position"]["over"] || now["position"]["to_move"] == 0;
    });
    EXPECT_EQ(state["moves"][ply], move);
  }
  EXPECT_EQ(state["movers"][0], 0);
  EXPECT_EQ(state["movers"][1], 1);
  EXPECT_EQ(state["position"]["gain"].size(), 3u);
  EXPECT_EQ(server.post("matches/" + id + "/play", {{"move", "a1"}}).first, 409);
}

TEST(server_api, UndoGoesBackToThePersonAndRedoForward) {
  const RunningServer server;
  auto state =
      server.post("matches", {{"game", "othello(n=6)"}, {"seats", {"human", "random"}}}).second;
  const std::string id = state["id"];
  server.post("matches/" + id + "/pace", {{"seconds", 0}});
  const std::string move = state["position"]["legal"][1];
  server.post("matches/" + id + "/play", {{"move", move}});
  state = server.wait_for(id, [](const json& now) { return now["moves"].size() == 2; });
  const json moves = state["moves"];
  state = server.post("matches/" + id + "/undo", json::object()).second;
  EXPECT_EQ(state["moves"].size(), 0u);
  EXPECT_EQ(state["redo"], moves);
  state = server.post("matches/" + id + "/redo", json::object()).second;
  EXPECT_EQ(state["moves"], moves);
  EXPECT_EQ(state["redo"].size(), 0u);
  EXPECT_EQ(server.post("matches/" + id + "/redo", json::object()).first, 409);
  state = server.post("matches/" + id + "/goto", {{"ply", 1}}).second;
  EXPECT_EQ(state["moves"].size(), 1u);
  EXPECT_TRUE(state["paused"]);
}

TEST(server_api, AMoveForAnotherPlyIsRefused) {
  const RunningServer server;
  const auto state =
      server.post("matches", {{"game", "tictactoe"}, {"seats", {"human", "human"}}}).second;
  const std::string id = state["id"];
  EXPECT_EQ(server.post("matches/" + id + "/play", {{"move", "a1"}, {"ply", 0}}).first, 200);
  EXPECT_EQ(server.post("matches/" + id + "/play", {{"move", "b1"}, {"ply", 0}}).first, 409);
  EXPECT_EQ(server.post("matches/" + id + "/play", {{"move", "a1"}}).first, 400);
}

TEST(server_api, ALinkIsAWholeMatch) {
  json truth{{"game", "fish"},
             {"seed", 7},
             {"seats", {"human", "human", "human"}},
             {"moves", {"a8", "c8", "e8"}}};
  json first;
  {
    const RunningServer server;
    first = server.post("matches", truth).second;
  }
  const RunningServer server;  // after a restart
  EXPECT_EQ(server.get("matches/" + first["id"].get<std::string>()).first, 404);
  const auto second = server.post("matches", truth).second;
  EXPECT_NE(second["id"], first["id"]);
  EXPECT_EQ(second["position"], first["position"]);
  EXPECT_EQ(second["paused"], false);
  truth["paused"] = true;
  EXPECT_EQ(server.post("matches", truth).second["paused"], true);
}

TEST(server_api, HintAnalysisAndReview) {
  const RunningServer server;
  const auto state =
      server.post("matches", {{"game", "tictactoe"}, {"seats", {"human", "human"}}}).second;
  const std::string id = state["id"];
  for (const auto* move : {"b2", "a1", "c1"})
    server.post("matches/" + id + "/play", {{"move", move}});
  server.post("matches/" + id + "/hint", json::object());
  server.post("matches/" + id + "/analysis",
              {{"searches", {"maxn@evals=5000", "mcts@evals=300"}}, {"line", {"b2", "a1", "c1"}}});
  server.post("matches/" + id + "/review", {{"wanted", true}});
  std::string text;
  auto asked = server.client();
  const std::set<std::string> wanted{"hint", "analysis0", "analysis1", "review"};
  std::set<std::string> seen;
  asked.Get(("/api/matches/" + id + "/events").c_str(), [&](const char* data, std::size_t size) {
    text.append(data, size);
    seen.clear();
    for (const auto& name : wanted) {  // the last event of each name says that it is finished
      const auto at = text.rfind("event: " + name + "\n");
      if (at == std::string::npos) continue;
      const auto end = text.find("\n\n", at);
      if (end != std::string::npos &&
          text.substr(at, end - at).find("\"running\":false") != std::string::npos)
        seen.insert(name);
    }
    return seen != wanted && text.size() < (16u << 20);
  });
  EXPECT_EQ(seen, wanted);
  EXPECT_NE(text.find("\"best\":\"a3\""), std::string::npos) << "the only move that does not lose";
}

TEST(server_api, ResignSeatsAndRecords) {
  const RunningServer server;
  auto state = server.post("matches", {{"game", "hex(n=3)"}, {"seats", {"human", "human"}}}).second;
  const std::string id = state["id"];
  server.post("matches/" + id + "/play", {{"move", "b2"}});
  auto asked = server.client();
  const auto sgf = asked.Get(("/api/matches/" + id + "/record?format=sgf").c_str());
  ASSERT_TRUE(sgf);
  const auto read = server.post("records", {{"text", sgf->body}}).second;
  ASSERT_EQ(read["records"].size(), 1u) << read.dump();
  EXPECT_EQ(read["records"][0]["moves"], json::array({"b2"}));
  state = server.post("matches/" + id + "/resign", json::object()).second;
  EXPECT_EQ(state["resigned"], 1);
  const auto record = server.get("matches/" + id + "/record?format=json").second;
  EXPECT_EQ(record["forfeit"]["seat"], 2) << record.dump();
  EXPECT_EQ(record["forfeit"]["reason"], "resigned");
  EXPECT_EQ(record["gain"], json::array({1, -1}));
  EXPECT_EQ(server.post("matches/" + id + "/play", {{"move", "a1"}}).first, 409);
  state = server.post("matches/" + id + "/undo", json::object()).second;
  EXPECT_TRUE(state["resigned"].is_null());
  state = server.post("matches/" + id + "/seats", {{"seats", {"human", "random"}}}).second;
  server.wait_for(id, [](const json& now) { return now["moves"].size() == 2; });
}

// The message of an answer with this status.
std::string complaint(const std::pair<int, json>& answer, int status) {
  EXPECT_EQ(answer.first, status) << answer.second.dump();
  return answer.second.value("error", "");
}

TEST(server_api, UnknownKeysAreNamedWithTheKnownOnes) {
  const RunningServer server;
  const std::string match =
      "matches/" + server.post("matches", {{"game", "tictactoe"}}).second["id"].get<std::string>();
  EXPECT_EQ(complaint(server.post(match + "/analysis", {{"players", {"maxn"}}}), 400),
            "no key 'players' here; there are searches, line");
  EXPECT_EQ(complaint(server.post(match + "/undo", {{"ply", 1}}), 400),
            "no key 'ply' here; none is wanted");
  EXPECT_EQ(complaint(server.post(match + "/goto", json::object()), 400),
            "'ply' is missing: how many moves are played there");
  for (const auto* action : {"play", "undo", "redo", "goto", "seats", "pause", "now", "hint",
                             "resign", "analysis", "review", "pace"})
    EXPECT_NE(complaint(server.post(match + "/" + action, {{"x", 1}}), 400).find("no key 'x'"),
              std::string::npos)
        << action;
  EXPECT_NE(complaint(server.post("matches", {{"game", "hex"}, {"players", 2}}), 400)
                .find("no key 'players' here; there are game, seed, seats"),
            std::string::npos);
  EXPECT_EQ(complaint(server.post("position", {{"game", "hex"}, {"seats", {"human"}}}), 400),
            "no key 'seats' here; there are game, seed, moves");
  EXPECT_EQ(complaint(server.post("records", {{"file", "x"}}), 400),
            "no key 'file' here; there are text, name");
}

// The bodies in the tables of docs/reference/http.md, by the path or the action.
std::map<std::string, std::string> documented_bodies() {
  std::ifstream page(POLYMAX_SOURCE_DIR "/docs/reference/http.md");
  std::map<std::string, std::string> out;
  for (std::string line; std::getline(page, line);) {
    const auto end = line.rfind("}` |"), begin = line.rfind("`{");
    if (line.starts_with("| `") && end != std::string::npos && begin != std::string::npos)
      out[line.substr(3, line.find('`', 3) - 3)] = line.substr(begin + 1, end - begin);
  }
  return out;
}

TEST(server_api, TheBodiesOfTheReferenceAreTaken) {
  const RunningServer server;
  auto bodies = documented_bodies();
  EXPECT_EQ(bodies.size(), 15u) << "three paths and twelve actions";
  for (const auto* path : {"position", "matches", "records"}) {
    const auto [status, answer] = server.post_text(path, bodies[path]);
    EXPECT_LT(status, 300) << path << ": " << answer.dump();
    bodies.erase(path);
  }
  for (const auto& [action, body] : bodies) {
    const json start{{"game", "hex3(side=5)"},
                     {"seats", {"human", "human", "human"}},
                     {"moves", {"a1", "b1", "c1"}}};
    const std::string id = server.post("matches", start).second["id"];
    if (action == "redo") server.post("matches/" + id + "/undo", json::object());
    const auto [status, answer] = server.post_text("matches/" + id + "/" + action, body);
    EXPECT_EQ(status, 200) << action << ": " << answer.dump();
  }
}

TEST(server_api, WhatIsWrongWithAKeyIsSaid) {
  const RunningServer server;
  EXPECT_EQ(complaint(server.post("matches", {{"game", 5}}), 400), "'game' must be a text");
  EXPECT_EQ(complaint(server.post("matches", json::object()), 400),
            "'game' is missing: a text is wanted");
  EXPECT_EQ(complaint(server.post_text("position", R"({"game":"hex","game":"fish"})"), 400),
            "the body: the key 'game' stands twice");
  EXPECT_EQ(complaint(server.post("records", {{"text", "x"}, {"name", "my.sgf"}}), 400),
            "'my.sgf': line 1: a game begins with '('");
}

TEST(server_api, ASavedMatchHasItsPlayersAgain) {
  const RunningServer server;
  const std::vector<std::string> seats{"human", "casual", "mcts(c=0.5)@evals=20,depth=9"};
  const auto state =
      server.post("matches", {{"game", "fish"}, {"seed", 7}, {"seats", seats}, {"paused", true}})
          .second;
  const std::string id = state["id"];
  for (const std::string format : {"json", "sgf"}) {
    auto asked = server.client();
    const auto saved = asked.Get(("/api/matches/" + id + "/record?format=" + format).c_str());
    ASSERT_TRUE(saved);
    const auto read = server.post("records", {{"text", saved->body}}).second["records"][0];
    EXPECT_EQ(read["seats"], json(seats)) << saved->body;
    EXPECT_EQ(read["lost"], json::array()) << read.dump();
    EXPECT_TRUE(read["resigned"].is_null());
  }
  server.post("matches/" + id + "/resign", json::object());
  auto asked = server.client();
  const auto saved = asked.Get(("/api/matches/" + id + "/record").c_str());
  EXPECT_EQ(server.post("records", {{"text", saved->body}}).second["records"][0]["resigned"], 0);
}

TEST(server_api, WhoCannotSitHereBecomesAPerson) {
  const RunningServer server;
  const auto found =
      server
          .post("records",
                {{"text", R"json({"game":"quadrothello(n=6)","seed":7,"moves":[],)json"
                          R"json("players":["engine(cmd=\"rm\")","unbounded_maxn",)json"
                          R"json("mcts(eval=network(file=\"/etc/passwd\"))","mcts"],)json"
                          R"json("budgets":["seconds=1","","seconds=1","soon"]})json"}})
          .second["records"][0];
  EXPECT_EQ(found["seats"], json({"human", "unbounded_maxn@seconds=1", "human", "human"}))
      << found.dump();
  ASSERT_EQ(found["lost"].size(), 3u) << found.dump();
  EXPECT_EQ(found["lost"][0]["seat"], 0);
  EXPECT_EQ(found["lost"][0]["player"], "engine(cmd=\"rm\")");
  EXPECT_NE(found["lost"][0]["why"].get<std::string>().find("no player 'engine'"),
            std::string::npos);
}

TEST(server_api, AnEngineThatIsToldToPlaysAtOnce) {
  auto settings = quick_settings();
  settings.house.limits.search_seconds = 1e6;
  const RunningServer server(settings);
  const std::string id =
      server.post("matches", {{"game", "hex"}, {"seats", {"mcts@seconds=1e6", "human"}}})
          .second["id"];
  server.wait_for(id, [&](const json& now) {  // it may not have begun to think
    EXPECT_EQ(server.post("matches/" + id + "/now", json::object()).first, 200);
    return now["moves"].size() == 1;
  });
}

TEST(server_api, WhetherMovesAreShapesIsSaid) {
  const RunningServer server;
  for (const auto& [game, shapes] : {std::pair{"blokus", true}, {"amazons", false}}) {
    EXPECT_EQ(server.post("matches", {{"game", game}}).second["shapes"], shapes) << game;
    EXPECT_EQ(server.post("position", {{"game", game}}).second["shapes"], shapes) << game;
  }
}

TEST(server_api, EnginesFailAloud) {
  const RunningServer server;
  const auto [status, answer] =
      server.post("matches", {{"game", "tictactoe"}, {"seats", {"human", "mcts(c=-1)"}}});
  EXPECT_EQ(status, 400);
  EXPECT_NE(answer["error"].get<std::string>().find("c takes"), std::string::npos);
}

}  // namespace
}  // namespace polymax::server::api_test
