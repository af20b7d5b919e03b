// The HTTP side: one socket, checks of who asks, files of the page, the JSON interface and event
// streams. A thread for every connection, up to a limit; a slow or vanished client costs one thread
// until its time is over (listener.hpp) and nobody else anything.
#pragma once

#include <memory>
#include <string>

#include "server/seat.hpp"

namespace polymax::server {

// As addresses of the web have it: "127.0.0.1:8080", "[::1]:8080".
std::string place_of(const std::string& host, int port);

struct ServerSettings {
  std::string host = "127.0.0.1";  // another address needs the token
  int port = 0;                    // 0: any that is free
  std::string token;               // empty: loopback only, nobody is asked for one
  std::string web;                 // folder with the page's files; empty: those compiled in
  House house;
};

class Server {
 public:
  // Binds the address. Throws Error (failed) when that is not possible.
  explicit Server(ServerSettings settings);
  ~Server();

  int port() const;
  void run();   // until stop(), also one before it
  void stop();  // from any thread

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace polymax::server
