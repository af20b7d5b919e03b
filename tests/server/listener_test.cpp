// Below HTTP: who may wait, for how long, and what still arrives.
#include <deque>

#include "tests/server/client.hpp"

namespace polymax::server::listener_test {
namespace {

constexpr int kLong = 60'000;  // milliseconds; nobody waits so long when all is well

TEST(server_listener, ManyConnectionsMayWait) {
  const Server server(quick_settings());  // nobody accepts
  std::deque<RawSocket> waiting;
  for (int i = 0; i < 300; ++i)
    ASSERT_TRUE(waiting.emplace_back(server.port(), 5000).connected()) << i;
}

TEST(server_listener, TwoServersDoNotShareAPort) {
  const Server first(quick_settings());
  auto settings = quick_settings();
  settings.port = first.port();
  EXPECT_THROW(Server{settings}, Error);
}

// One byte after the other, each in time, the whole never.
TEST(server_listener, ARequestThatDripsIsCutOff) {
  auto settings = quick_settings();
  settings.house.limits.request_seconds = 0.3;
  const RunningServer server(settings);
  const RawSocket drip(server.port(), kLong);
  ASSERT_TRUE(drip.send("GET /api/about HTTP/1.1\r\nX: "));
  int sent = 0;
  for (; sent < 6000 && drip.send("x"); ++sent)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_LT(sent, 6000);
}

TEST(server_listener, ASilentConnectionEnds) {
  auto settings = quick_settings();
  settings.house.limits.silence_seconds = 0.05;
  const RunningServer server(settings);
  const RawSocket silent(server.port(), kLong);
  ASSERT_TRUE(silent.connected());
  EXPECT_EQ(silent.receive(), "") << "it is closed";
}

TEST(server_listener, SilentConnectionsDoNotHoldUpTheEnd) {
  auto settings = quick_settings();
  settings.house.limits.silence_seconds = 3600;
  std::deque<RawSocket> silent;
  {
    const RunningServer server(settings);
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(silent.emplace_back(server.port(), kLong).connected());
  }
  for (const auto& socket : silent) EXPECT_EQ(socket.receive(), "");
}

// Closing while bytes are unread takes back what was sent: the answer would be lost.
TEST(server_listener, ABodyThatIsTooLargeIsAnswered) {
  const RunningServer server;
  for (int i = 0; i < 10; ++i) {
    const auto [status, answer] = server.post_text("matches", std::string(6u << 20, ' '));
    ASSERT_EQ(status, 413);
    EXPECT_TRUE(answer.contains("error"));
  }
}

TEST(server_listener, OneConnectionServesManyRequests) {
  const RunningServer server;
  const RawSocket socket(server.port(), kLong);
  const std::string request =
      "GET /api/nothing HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) + "\r\n\r\n";
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(socket.send(request));
    std::string answer;
    for (std::string part = "more"; !part.empty() && !answer.ends_with('}'); answer += part)
      part = socket.receive();
    ASSERT_TRUE(answer.starts_with("HTTP/1.1 404")) << i << ' ' << answer;
  }
}

}  // namespace
}  // namespace polymax::server::listener_test
