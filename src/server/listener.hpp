// The listening socket and what happens on a connection below HTTP. cpp-httplib parses and answers;
// how long anybody waits for whom is said here: a request must be whole some seconds after its
// first byte, however it drips, an answer must be taken, and a silent connection costs no processor
// time.
#pragma once

#include <httplib.h>

#include <cstddef>

#include "server/limits.hpp"

namespace polymax::server {

class Listener final : public httplib::Server {
 public:
  explicit Listener(const Limits& limits);
  ~Listener() override;

  // Lets many connections wait to be accepted. After binding.
  void widen() const;
  void interrupt() const;  // ends connections on which nobody asks; from any thread, once

 private:
  bool process_and_close_socket(socket_t socket) override;

  const Limits& limits_;
  socket_t listening_ = INVALID_SOCKET;
  int interrupted_;  // an event that stays
};

}  // namespace polymax::server
