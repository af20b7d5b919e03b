// A server on a free port of this machine, and somebody who asks it over a real socket.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "server/http.hpp"

namespace polymax::server {

using nlohmann::json;

inline ServerSettings quick_settings() {
  ServerSettings out;
  out.house.limits.threads = 2;
  return out;
}

// A socket to a port of this machine, for bytes as they come.
class RawSocket {
 public:
  RawSocket(int port, int patience_ms) : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
    const timeval patience{patience_ms / 1000, patience_ms % 1000 * 1000};
    for (const int way : {SO_RCVTIMEO, SO_SNDTIMEO})
      setsockopt(fd_, SOL_SOCKET, way, &patience, sizeof patience);
    connected_ = connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  ~RawSocket() { close(fd_); }
  RawSocket(const RawSocket&) = delete;
  RawSocket& operator=(const RawSocket&) = delete;

  bool connected() const { return connected_; }
  bool send(const std::string& bytes) const {
    return ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }
  // That nothing more is sent.
  void end() const { ::shutdown(fd_, SHUT_WR); }
  // The next bytes; none when the other side has closed or patience is over.
  std::string receive() const {
    std::array<char, 512> buffer;
    const auto got = recv(fd_, buffer.data(), buffer.size(), 0);
    return {buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
  }

 private:
  int fd_;
  bool connected_ = false;
};

class RunningServer {
 public:
  explicit RunningServer(ServerSettings settings = quick_settings())
      : server_(std::move(settings)), thread_([this] { server_.run(); }) {
    while (!client().Get("/api/about")) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ~RunningServer() {
    server_.stop();
    thread_.join();
  }

  int port() const { return server_.port(); }
  httplib::Client client() const {
    httplib::Client out("127.0.0.1", port());
    out.set_read_timeout(600);
    return out;
  }

  // The status and the JSON of an answer.
  std::pair<int, json> get(const std::string& path) const {
    auto asked = client();
    const auto reply = asked.Get(("/api/" + path).c_str());
    if (!reply) return {0, nullptr};
    return {reply->status, json::parse(reply->body, nullptr, false)};
  }
  std::pair<int, json> post(const std::string& path, const json& body) const {
    return post_text(path, body.dump());
  }
  std::pair<int, json> post_text(const std::string& path, const std::string& body) const {
    auto asked = client();
    const auto reply = asked.Post(("/api/" + path).c_str(), body, "application/json");
    if (!reply) return {0, nullptr};
    return {reply->status, json::parse(reply->body, nullptr, false)};
  }

  // The match's state once it is as wanted; fails the test when that takes ten minutes.
  json wait_for(const std::string& id, const std::function<bool(const json&)>& wanted) const {
    json state;
    for (int i = 0; i < 30000; ++i) {
      state = get("matches/" + id).second;
      if (wanted(state)) return state;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ADD_FAILURE() << "the match never came to what was wanted: " << state.dump().substr(0, 400);
    return state;
  }

 private:
  Server server_;
  std::thread thread_;
};

}  // namespace polymax::server
