// The JSON interface without HTTP: a request as method, path and body in, a status and a text out.
// docs/reference/http.md lists the paths.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "server/sessions.hpp"

namespace polymax::server {

struct Request {
  std::string method;             // GET | POST
  std::vector<std::string> path;  // below /api, split at '/'
  std::map<std::string, std::string> query;
  std::string body;
};

struct Reply {
  int status = 200;
  std::string type = "application/json", body;
  std::string file_name;  // offered for saving under this name
};

class Api {
 public:
  explicit Api(const House& house) : house_(house), sessions_(house) {}

  // Never throws: what goes wrong is a JSON object {"error": "..."} with its status.
  Reply answer(const Request& request);

  Sessions& sessions() { return sessions_; }

 private:
  Reply route(const Request& request);
  Reply match(const Request& request);
  Reply act(const std::string& name, Session& session, const Json& body);

  const House& house_;
  Sessions sessions_;
};

// The parts of the interface that need no session; each throws Error or Refused.
Json levels_json();
Json games_list();  // the first call makes pictures, which takes some seconds
Json game_details(const std::string& name);
Json position_of(const Json& body, const Limits& limits);
Json read_records_text(const Json& body, const House& house);
Json studies_list(const House& house);
Reply study_part(const Request& request, const House& house);
Json runs_list(const House& house);
Reply run_part(const Request& request, const House& house);

}  // namespace polymax::server
