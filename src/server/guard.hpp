// Who may ask: checks of Host, Origin and the token, so that no other page a browser has open (and
// no name that somebody points at 127.0.0.1) can talk to the server.
#pragma once

#include <optional>
#include <string>

namespace polymax::server {

struct Caller {
  std::string method, path, host, origin, site, cookie, authorization, content_type;
  std::string token;  // of the query
};

struct Complaint {
  int status;
  std::string message;
};

struct Guard {
  std::string token;  // empty: loopback only
  int port = 0;

  std::optional<Complaint> complaint(const Caller& caller) const;
  bool knows_token(const Caller& caller) const;
};

}  // namespace polymax::server
