#include "server/api.hpp"

#include <exception>

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
    out = Json::parse(request.body);
  } catch (const JsonError& error) {
    throw Error(std::string("the body is no JSON: ") + error.what());
  }
  if (!out.is_object()) throw Error("the body must be a JSON object");
  return out;
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
    return json_reply(read_records_text(body_of(request), house_.limits));
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

Reply Api::act(const std::string& action, Session& session, const Json& body) {
  if (action == "play") {
    session.play(text_at(body, "move"), count_at(body, "ply"));
  } else if (action == "undo") {
    session.undo();
  } else if (action == "redo") {
    session.redo();
  } else if (action == "goto") {
    session.go_to(count_at(body, "ply").value_or(0));
  } else if (action == "seats") {
    session.set_seats(texts_at(body, "seats", kMaxPlayers));
  } else if (action == "pause") {
    session.pause(bool_at(body, "paused"));
  } else if (action == "now") {
    session.play_now();
  } else if (action == "hint") {
    session.hint();
  } else if (action == "resign") {
    session.resign();
  } else if (action == "analysis") {
    session.analyse(texts_at(body, "searches"), texts_at(body, "line", house_.limits.undone_moves));
  } else if (action == "review") {
    session.review(bool_at(body, "wanted"));
  } else if (action == "pace") {
    session.set_pace(number_at(body, "seconds"));
  } else {
    throw Refused(404, "a match does not know '" + action + "'");
  }
  return {200, "application/json", session.state(), ""};
}

}  // namespace polymax::server
