// Who may ask, what is refused, what is bounded.
#include <atomic>
#include <deque>
#include <filesystem>
#include <fstream>
#include <random>

#include "server/guard.hpp"
#include "tests/long_tests.hpp"
#include "tests/server/client.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::server::safety_test {
namespace {

TEST(server_guard, KnowsItsOwnPagesOnly) {
  const Guard guard{"", 8080};
  Caller good;
  good.method = "GET";
  good.path = "/api/games";
  good.host = "127.0.0.1:8080";
  EXPECT_FALSE(guard.complaint(good));
  Caller named = good;
  named.host = "localhost:8080";
  named.origin = "http://localhost:8080";
  EXPECT_FALSE(guard.complaint(named));
  Caller rebound = good;
  rebound.host = "evil.example:8080";
  EXPECT_EQ(guard.complaint(rebound)->status, 403);
  Caller foreign = good;
  foreign.origin = "http://evil.example";
  EXPECT_EQ(guard.complaint(foreign)->status, 403);
  Caller form = good;
  form.method = "POST";
  form.content_type = "text/plain";
  EXPECT_EQ(guard.complaint(form)->status, 415);
  Caller neighbour = good;  // a page of another server of this machine
  neighbour.site = "same-site";
  EXPECT_EQ(guard.complaint(neighbour)->status, 403);
  neighbour.path = "/";  // a link to the page is a link
  EXPECT_FALSE(guard.complaint(neighbour));
  for (const char* own : {"same-origin", "none"}) {
    Caller mine = good;
    mine.site = own;
    EXPECT_FALSE(guard.complaint(mine)) << own;
  }
  Caller other = good;
  other.method = "DELETE";
  EXPECT_EQ(guard.complaint(other)->status, 405);
}

TEST(server_guard, BrowsersDoNotNamePort80) {
  Caller caller;
  caller.method = "GET";
  caller.path = "/api/games";
  for (const std::string host : {"127.0.0.1", "localhost", "[::1]"}) {
    caller.host = host;
    caller.origin = "http://" + host;
    EXPECT_FALSE((Guard{"", 80}.complaint(caller))) << host;
    EXPECT_EQ((Guard{"", 8080}.complaint(caller)->status), 403) << host;
  }
}

// A signal may come before the server listens.
TEST(server_safety, StoppedBeforeItRunsItEndsAtOnce) {
  Server server(quick_settings());
  server.stop();
  std::atomic<bool> ended = false;
  std::thread running([&] {
    server.run();
    ended = true;
  });
  for (int i = 0; i < 1000 && !ended; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(ended);
  server.stop();  // so that a server that did not end ends now
  running.join();
}

TEST(server_guard, WantsItsToken) {
  const Guard guard{"secret", 8080};
  Caller caller;
  caller.method = "GET";
  caller.path = "/";
  caller.host = "10.0.0.7:8080";
  EXPECT_EQ(guard.complaint(caller)->status, 401);
  caller.token = "secre";
  EXPECT_EQ(guard.complaint(caller)->status, 401);
  caller.token = "secret";
  EXPECT_FALSE(guard.complaint(caller));
  caller.token = "";
  caller.cookie = "a=b; polymax=secret";
  EXPECT_FALSE(guard.complaint(caller));
  caller.cookie = "";
  caller.authorization = "Bearer secret";
  EXPECT_FALSE(guard.complaint(caller));
}

TEST(server_safety, ATokenOpensThePageOnceAndTheCookieTheRest) {
  auto settings = quick_settings();
  settings.token = "secret";
  const RunningServer server(settings);
  const auto status = [&](const char* path, const httplib::Headers& headers = {}) {
    auto asked = server.client();
    const auto reply = asked.Get(path, headers);
    return reply ? reply->status : 0;
  };
  for (const char* path : {"/", "/api/about", "/api/about?token=secre"})
    EXPECT_EQ(status(path), 401) << path;
  auto asked = server.client();
  const auto page = asked.Get("/?token=secret");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  const std::string cookie = page->get_header_value("Set-Cookie");
  EXPECT_TRUE(cookie.starts_with("polymax=secret; ")) << cookie;
  EXPECT_NE(cookie.find("HttpOnly"), std::string::npos);
  EXPECT_NE(cookie.find("SameSite=Strict"), std::string::npos);
  EXPECT_EQ(status("/api/about", {{"Cookie", cookie.substr(0, cookie.find(';'))}}), 200);
  EXPECT_EQ(status("/api/about", {{"Cookie", "polymax=secre"}}), 401);
  EXPECT_EQ(status("/api/about", {{"Authorization", "Bearer secret"}}), 200);
}

TEST(server_safety, AddressesOfIpv6StandInBrackets) {
  EXPECT_EQ(place_of("127.0.0.1", 8080), "127.0.0.1:8080");
  EXPECT_EQ(place_of("::1", 80), "[::1]:80");
}

TEST(server_safety, ServesThePageAndNothingElse) {
  const RunningServer server;
  auto asked = server.client();
  const auto page = asked.Get("/");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  EXPECT_NE(page->body.find("<title>polymax</title>"), std::string::npos);
  EXPECT_NE(page->get_header_value("Content-Security-Policy").find("default-src 'none'"),
            std::string::npos);
  for (const auto* path : {"/../CMakeLists.txt", "/%2e%2e/CMakeLists.txt", "/etc/passwd",
                           "/nothing", "/rules/../index.html", "//etc/passwd", "//api/about"}) {
    const auto reply = asked.Get(path);
    ASSERT_TRUE(reply) << path;
    EXPECT_EQ(reply->status, 404) << path;
    EXPECT_TRUE(json::parse(reply->body, nullptr, false).contains("error")) << path;
  }
}

TEST(server_safety, FilesStayBelowTheServedFolder) {
  const TemporaryFolder folder;
  auto settings = quick_settings();
  settings.house.root = std::filesystem::canonical(folder / ".").string();
  const RunningServer server(settings);
  for (const std::string file : {"/etc/passwd", "../../etc/passwd", "none.safetensors"}) {
    const auto [status, answer] = server.post(
        "matches",
        {{"game", "othello"}, {"seats", {"human", "greedy(eval=network(file=\"" + file + "\"))"}}});
    EXPECT_EQ(status, 404) << answer.dump();
  }
  const auto ships =
      server.post("matches", {{"game", "triinversion"},
                              {"paused", true},
                              {"seats", {"human", "human", "greedy(eval=network(file=moves))"}}});
  EXPECT_EQ(ships.first, 201) << ships.second.dump();
  EXPECT_EQ(server.get("studies/progress?folder=../..").first, 404);
  EXPECT_EQ(server.get("runs/progress?folder=/etc").first, 404);
  EXPECT_EQ(server.get("studies").second["studies"].size(), 0u);
}

TEST(server_safety, LimitsHold) {
  auto settings = quick_settings();
  settings.house.limits.sessions = 3;
  settings.house.limits.body_bytes = 2000;
  const RunningServer server(settings);
  const json small{{"game", "tictactoe"}, {"seats", {"human", "human"}}};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(server.post("matches", small).first, 201);
  EXPECT_EQ(server.post("matches", small).first, 503);
  const json unknown{{"game", "tictactoe"}, {"seats", {"human", "nobody"}}};
  EXPECT_EQ(server.post("matches", unknown).first, 503) << "nothing is made for it";
  EXPECT_EQ(server.post_text("matches", std::string(5000, ' ')).first, 413);
  EXPECT_EQ(server.post("matches", {{"game", std::string(600, 'x')}}).first, 400);
}

TEST(server_safety, IdleSessionsEnd) {
  auto settings = quick_settings();
  settings.house.limits.sessions = 1;
  settings.house.limits.idle_seconds = 0.01;
  settings.house.limits.crowded_seconds = 3600;  // so that it ends for nobody else
  const RunningServer server(settings);
  const json small{{"game", "tictactoe"}, {"seats", {"human", "human"}}};
  const auto first = server.post("matches", small);
  ASSERT_EQ(first.first, 201);
  int status = 503;
  for (int i = 0; i < 1000 && status == 503; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    status = server.post("matches", small).first;
  }
  EXPECT_EQ(status, 201);
  EXPECT_EQ(server.get("matches/" + first.second["id"].get<std::string>()).first, 404);
}

// Who has a link loses nothing, so a place goes to somebody who is there.
TEST(server_safety, AMatchThatNobodyLooksAtMakesRoom) {
  auto settings = quick_settings();
  settings.house.limits.sessions = 2;
  settings.house.limits.crowded_seconds = 0;
  const RunningServer server(settings);
  const json small{{"game", "tictactoe"}, {"seats", {"human", "human"}}};
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i) {
    const auto [status, state] = server.post("matches", small);
    ASSERT_EQ(status, 201);
    ids.push_back("matches/" + state["id"].get<std::string>());
  }
  EXPECT_EQ(server.get(ids[0]).first, 404) << "left first";
  EXPECT_EQ(server.get(ids[1]).first, 200);
  EXPECT_EQ(server.get(ids[2]).first, 200);
}

TEST(server_safety, TreesOfMatchesThatNobodyLooksAtAreForgotten) {
  auto settings = quick_settings();
  settings.house.limits.unwatched_seconds = 0.01;
  const RunningServer server(settings);
  const auto state =
      server.post("matches", {{"game", "hex(n=5)"}, {"seats", {"mcts@evals=50", "human"}}}).second;
  server.wait_for(state["id"], [](const json& now) { return now["moves"].size() == 1; });
  std::size_t kept = 1;
  for (int i = 0; i < 3000 && kept > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    server.post("matches", {{"game", "nothing"}});  // whoever opens a match sweeps
    kept = server.get("about").second["kept_bytes"].get<std::size_t>();
  }
  EXPECT_EQ(kept, 0u);
}

// How many threads there are is for whoever runs the server.
TEST(server_safety, SeatsDoNotAskForThreads) {
  const RunningServer server;
  for (const std::string seat : {"unbounded_maxn(threads=1024)", "mcts(threads=2)@evals=10",
                                 "unbounded_maxn(eval=network(engine=torch,threads=64))"}) {
    const auto [status, answer] =
        server.post("matches", {{"game", "tictactoe"}, {"seats", {"human", seat}}});
    EXPECT_EQ(status, 400) << seat;
    EXPECT_NE(answer["error"].get<std::string>().find("threads"), std::string::npos) << answer;
  }
}

TEST(server_safety, WrongBodiesGetAnError) {
  const RunningServer server;
  const auto state = server.post("matches", {{"game", "tictactoe"}}).second;
  const std::string match = "matches/" + state["id"].get<std::string>();
  for (const std::string body :
       {"", "{", "[]", "null", "7", "\"x\"", "{\"game\":7}", "{\"game\":\"chess\"}",
        "{\"game\":\"hex(n=99)\"}", "{\"game\":\"hex\",\"seed\":-1}",
        "{\"game\":\"hex\",\"seats\":[1,2]}", "{\"game\":\"hex\",\"seats\":[\"human\"]}",
        "{\"game\":\"hex\",\"seats\":[\"human\",\"nobody\"]}",
        "{\"game\":\"hex\",\"seats\":[\"human\",\"mcts@weeks=3\"]}",
        "{\"game\":\"hex\",\"moves\":[\"zz\"]}", "{\"game\":\"hex\",\"resigned\":9}",
        "{\"game\":\"hex\",\"paused\":1}"}) {
    const auto [status, answer] = server.post_text("matches", body);
    EXPECT_EQ(status, 400) << body;
    EXPECT_TRUE(answer.contains("error")) << body;
  }
  for (const std::string action : {"play", "seats", "pause", "analysis/x", "review", "fly", "pace"})
    EXPECT_EQ(server.post(match + "/" + action, json::object()).first / 100, 4) << action;
  EXPECT_EQ(server.get(match + "/record?format=exe").first, 400);
  EXPECT_EQ(server.get("matches/unknown/events").first, 404);
  EXPECT_EQ(server.get("matches/" + state["id"].get<std::string>()).first, 200);
}

// Bytes as they come, on a raw socket, and no more; returns what was answered, nothing where the
// server hung up.
std::string raw(int port, const std::string& bytes) {
  const RawSocket socket(port, 600'000);
  socket.send(bytes);
  socket.end();
  return socket.receive();
}

TEST(server_safety, MalformedRequestsHurtNobody) {
  const RunningServer server;
  const std::string good =
      "POST /api/matches HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) +
      "\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n"
      "{\"game\":\"tictactoe\"}";
  std::mt19937_64 random(1);
  const int count = long_tests() ? 10'000 : 150;
  EXPECT_TRUE(raw(server.port(), good).starts_with("HTTP/1.1 201")) << "so it is heard";
  int answered = 0;
  for (int i = 0; i < count; ++i) {
    std::string bytes = good;
    for (std::uint64_t hits = 1 + random() % 6; hits > 0; --hits) {
      const auto at = random() % bytes.size();
      switch (random() % 4) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes.erase(at, 1 + random() % 20);
          break;
        case 2:
          bytes.insert(at, std::string(1 + random() % 300, static_cast<char>(random())));
          break;
        default:
          bytes.resize(at);
      }
      if (bytes.empty()) bytes = good;
    }
    const std::string answer = raw(server.port(), bytes);
    if (answer.empty()) continue;  // it waited for more
    ++answered;
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 4") || answer.starts_with("HTTP/1.1 201"))
        << answer.substr(0, 60) << "\nto\n"
        << bytes;
  }
  EXPECT_GT(answered, count / 3);
  const auto [status, answer] = server.post("matches", {{"game", "tictactoe"}});
  EXPECT_EQ(status, 201) << "still there";
}

// Many matches with engines on two threads: every request is answered and every match goes on.
TEST(server_safety, ManySessionsAreServedFairly) {
  auto settings = quick_settings();
  settings.house.limits.engines_bytes = std::size_t{2} << 20;  // of fewer than there are
  const RunningServer server(settings);
  const auto kept = [&] { return server.get("about").second["kept_bytes"].get<std::size_t>(); };
  const std::size_t count = long_tests() ? 200 : 40;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < count; ++i) {
    const auto [status, state] = server.post(
        "matches", {{"game", "hex(n=5)"}, {"seats", {"mcts@evals=100", "mcts@evals=100"}}});
    ASSERT_EQ(status, 201);
    ids.push_back(state["id"]);
    server.post("matches/" + ids.back() + "/pace", {{"seconds", 0}});
  }
  for (const auto& id : ids) {
    const auto state =
        server.wait_for(id, [](const json& now) { return now["position"]["over"] == true; });
    EXPECT_EQ(state["error"], "");
    EXPECT_LE(kept(), settings.house.limits.engines_bytes);
  }
  for (const auto& id : ids) server.get("matches/" + id);
  EXPECT_EQ(kept(), 0u) << "who has played to the end remembers nothing";
}

// A client that opens a stream and never reads, and one that never finishes its request.
TEST(server_safety, SlowClientsBlockNobody) {
  const RunningServer server;
  const auto state =
      server.post("matches", {{"game", "hex"}, {"seats", {"human", "human"}}}).second;
  const std::string id = state["id"];
  std::deque<RawSocket> open;
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(open.emplace_back(server.port(), 60'000).connected());
    const std::string start =
        i % 2 == 0 ? "GET /api/matches/" + id +
                         "/events HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) +
                         "\r\n\r\n"
                   : "POST /api/mat";
    open.back().send(start);
  }
  for (int i = 0; i < 5; ++i) EXPECT_EQ(server.get("matches/" + id).first, 200);
}

}  // namespace
}  // namespace polymax::server::safety_test
