#include "server/api.hpp"

#include <algorithm>
#include <exception>
#include <string_view>

#include "core/columns.hpp"
#include "core/commit.hpp"
#include "server/error.hpp"

namespace polymax::server {

namespace {

Reply json_reply(const Json& json, int status = 200) {
  return {status, "application/json", text_of(json), ""};
}

Reply error_reply(int status, const std::string& message) {
  return json_reply({{"error", message}}, status);
}

Json body_of(const Request& request) {
  if (request.body.empty()) return Json::object();
  Json out;
  try {
    out = Json::parse(request.body, Json::Comments::refused, Json::Twice::refused);
  } catch (const JsonError& error) {
    throw Error(std::string(error.at > 0 ? "the body is no JSON: " : "the body: ") + error.what());
  }
  if (!out.is_object()) throw Error("the body must be a JSON object");
  return out;
}

// What people do with a match: docs/reference/http.md has an example of each.
struct Action {
  std::string_view name;
  std::vector<std::string_view> keys;
  void (*act)(Session& session, const Json& body, const Limits& limits);
};

const std::vector<Action>& actions() {
  static const std::vector<Action> all{
      {"play",
       {"move", "ply"},
       [](Session& session, const Json& body, const Limits&) {
         session.play(text_at(body, "move"), count_at(body, "ply"));
       }},
      {"undo", {}, [](Session& session, const Json&, const Limits&) { session.undo(); }},
      {"redo", {}, [](Session& session, const Json&, const Limits&) { session.redo(); }},
      {"goto",
       {"ply"},
       [](Session& session, const Json& body, const Limits&) {
         const auto ply = count_at(body, "ply");
         if (!ply) throw Error("'ply' is missing: how many moves are played there");
         session.go_to(*ply);
       }},
      {"seats",
       {"seats"},
       [](Session& session, const Json& body, const Limits&) {
         session.set_seats(texts_at(body, "seats", kMaxPlayers));
       }},
      {"pause",
       {"paused"},
       [](Session& session, const Json& body, const Limits&) {
         session.pause(bool_at(body, "paused"));
       }},
      {"now", {}, [](Session& session, const Json&, const Limits&) { session.play_now(); }},
      {"hint", {}, [](Session& session, const Json&, const Limits&) { session.hint(); }},
      {"resign", {}, [](Session& session, const Json&, const Limits&) { session.resign(); }},
      {"analysis",
       {"searches", "line"},
       [](Session& session, const Json& body, const Limits& limits) {
         session.analyse(texts_at(body, "searches"), texts_at(body, "line", limits.undone_moves));
       }},
      {"review",
       {"wanted"},
       [](Session& session, const Json& body, const Limits&) {
         session.review(bool_at(body, "wanted"));
       }},
      {"pace", {"seconds"}, [](Session& session, const Json& body, const Limits&) {
         session.set_pace(number_at(body, "seconds"));
       }}};
  return all;
}

}  // namespace

Reply Api::answer(const Request& request) {
  try {
    return route(request);
  } catch (const Refused& refused) {
    return error_reply(refused.status(), refused.what());
  } catch (const Error& error) {
    return error_reply(error.kind() == Error::Kind::usage ? 400 : 500, error.what());
  } catch (const std::exception& error) {
    return error_reply(500, first_line(error.what()));
  }
}

Reply Api::route(const Request& request) {
  const auto& path = request.path;
  const bool get = request.method == "GET";
  const std::string first = path.empty() ? "" : path[0];
  if (get && path.size() == 1 && first == "about")
    return json_reply({{"program", "polymax"},
                       {"commit", commit()},
                       {"levels", levels_json()},
                       {"sessions", sessions_.count()},
                       {"waiting", sessions_.thinkers().waiting()},
                       {"kept_bytes", sessions_.thinkers().kept_bytes()},
                       {"files", !house_.root.empty()}});
  if (get && path.size() == 1 && first == "games") return json_reply(games_list());
  if (get && path.size() == 2 && first == "games") return json_reply(game_details(path[1]));
  if (!get && path.size() == 1 && first == "position")
    return json_reply(position_of(body_of(request), house_.limits));
  if (!get && path.size() == 1 && first == "records")
    return json_reply(read_records_text(body_of(request), house_));
  if (first == "matches") return match(request);
  if (get && first == "studies")
    return path.size() == 1 ? json_reply(studies_list(house_)) : study_part(request, house_);
  if (get && first == "runs")
    return path.size() == 1 ? json_reply(runs_list(house_)) : run_part(request, house_);
  throw Refused(404, "nothing is known under this path");
}

Reply Api::match(const Request& request) {
  const auto& path = request.path;
  const bool get = request.method == "GET";
  if (!get && path.size() == 1) {
    const auto session = sessions_.open(Truth::read(body_of(request), house_.limits));
    return {201, "application/json", session->state(), ""};
  }
  if (path.size() < 2) throw Refused(404, "which match? /api/matches/ID");
  const auto session = sessions_.find(path[1]);
  sessions_.wake(session);
  if (get && path.size() == 2) return {200, "application/json", session->state(), ""};
  if (get && path.size() == 3 && path[2] == "record") {
    const auto asked = request.query.find("format");
    const std::string format = asked == request.query.end() ? "json" : asked->second;
    return {200, format == "sgf" ? "application/x-go-sgf" : "application/x-ndjson",
            session->record(format), "match." + (format == "sgf" ? format : "jsonl")};
  }
  if (get || path.size() != 3) throw Refused(404, "nothing is known under this path");
  Reply out = act(path[2], *session, body_of(request));
  sessions_.wake(session);
  return out;
}

Reply Api::act(const std::string& name, Session& session, const Json& body) {
  const auto& all = actions();
  const auto action = std::ranges::find(all, name, &Action::name);
  if (action == all.end()) throw Refused(404, "a match does not know '" + name + "'");
  check_keys(body, action->keys);
  action->act(session, body, house_.limits);
  return {200, "application/json", session.state(), ""};
}

}  // namespace polymax::server
