#include "server/guard.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace polymax::server {

namespace {

// Takes as long for a wrong text as for a right one of its length.
bool same_secret(std::string_view a, std::string_view b) {
  unsigned different = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    different |= static_cast<unsigned>(a[i] ^ b[i]);
  return different == 0;
}

std::string cookie_value(const std::string& cookies, const std::string& name) {
  for (std::size_t at = 0; at < cookies.size();) {
    const auto end = std::min(cookies.find(';', at), cookies.size());
    const auto begin = std::min(cookies.find_first_not_of(' ', at), end);
    if (cookies.compare(begin, name.size() + 1, name + "=") == 0)
      return cookies.substr(begin + name.size() + 1, end - begin - name.size() - 1);
    at = end + 1;
  }
  return "";
}

constexpr int kHttpPort = 80;  // browsers do not name it

bool is_loopback(const std::string& host, int port) {
  const std::string at = ":" + std::to_string(port);
  return std::ranges::any_of(std::array{"127.0.0.1", "localhost", "[::1]"}, [&](const char* name) {
    return host == name + at || (port == kHttpPort && host == name);
  });
}

}  // namespace

bool Guard::knows_token(const Caller& caller) const {
  constexpr std::string_view kBearer = "Bearer ";
  if (same_secret(caller.token, token)) return true;
  if (same_secret(cookie_value(caller.cookie, "polymax"), token)) return true;
  return caller.authorization.starts_with(kBearer) &&
         same_secret(std::string_view(caller.authorization).substr(kBearer.size()), token);
}

std::optional<Complaint> Guard::complaint(const Caller& caller) const {
  if (caller.host.empty()) return Complaint{400, "the request names no host"};
  if (token.empty() && !is_loopback(caller.host, port))
    return Complaint{403, "this server answers to 127.0.0.1 and localhost alone"};
  if (!caller.origin.empty() && caller.origin != "http://" + caller.host)
    return Complaint{403, "requests from other pages are refused"};
  // "same-site" are other servers of this machine, whatever their port
  if (!caller.site.empty() && caller.site != "same-origin" && caller.site != "none" &&
      caller.path.starts_with("/api"))
    return Complaint{403, "requests from other pages are refused"};
  if (!token.empty() && !knows_token(caller))
    return Complaint{401, "this server wants its access token: open the address it printed"};
  if (caller.method != "GET" && caller.method != "HEAD" && caller.method != "POST")
    return Complaint{405, "only GET and POST are known here"};
  if (caller.method == "POST" && !caller.content_type.starts_with("application/json"))
    return Complaint{415, "the body must be application/json"};
  return std::nullopt;
}

}  // namespace polymax::server
