#include "protocol/query.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/seats_text.hpp"
#include "protocol/words.hpp"

namespace polymax::protocol {

namespace {

constexpr std::size_t kMostMoves = 100'000;

[[noreturn]] void fail(const std::string& key, const std::string& wanted) {
  throw Error("'" + shown(key) + "' wants " + wanted);
}

std::string id_text(const Json& json, const std::string& key) {
  if (!json.is_string() && !json.is_integer()) fail(key, "a text or a whole number");
  return json.dump();
}

std::string text_of(const Json& json, const std::string& key) {
  if (!json.is_string()) fail(key, "a text");
  return json.get<std::string>();
}

std::uint64_t count_of(const Json& json, const std::string& key) {
  if (!json.is_count()) fail(key, "a whole number from 0");
  return json.get<std::uint64_t>();
}

std::vector<std::string> moves_of(const Json& json) {
  if (!json.is_array() || json.size() > kMostMoves) fail("moves", "a list of moves");
  std::vector<std::string> out;
  for (const auto& move : json) out.push_back(text_of(move, "moves"));
  return out;
}

double seconds_of(const Json& json) {
  const double out = json.is_number() ? json.get<double>() : -1;
  if (!(out >= 0) || out > 1e6) fail("report_every", "seconds from 0");
  return out;
}

void read_member(const std::string& key, const Json& value, Query& out) {
  if (key == "id")
    out.id = id_text(value, key);
  else if (key == "game")
    out.game = text_of(value, key);
  else if (key == "player")
    out.player = text_of(value, key);
  else if (key == "budget")
    out.budget = text_of(value, key);
  else if (key == "moves")
    out.moves = moves_of(value);
  else if (key == "seed")
    out.seed = read_exact(value, key);
  else if (key == "top")
    out.top = count_of(value, key);
  else if (key == "report_every")
    out.report_every = seconds_of(value);
  else
    throw Error("no key '" + shown(key) +
                "'; there are id, game, moves, player, budget, seed, report_every, top, cancel");
}

Json parsed(std::string_view line) {
  if (line.size() > kLongestLine) throw Error("a line of more than 1 MiB");
  Json out;
  try {
    out = Json::parse(line);
  } catch (const JsonError& error) {
    throw Error(std::string("this is no JSON: ") + error.what());
  }
  if (!out.is_object()) throw Error("an object is wanted: {\"id\":...}");
  return out;
}

Json with_id(const std::string& id) {
  return {{"id", Json::parse(id)}};
}

std::string dumped(const Json& json) {
  return json.dump();
}

}  // namespace

Request read_request(std::string_view line, const Query& presets) {
  const Json json = parsed(line);
  if (json.contains("cancel")) {
    if (json.size() != 1) throw Error("'cancel' stands alone: {\"cancel\":ID}");
    return Cancel{id_text(json.at("cancel"), "cancel")};
  }
  Query out = presets;
  for (const auto& [key, value] : json.items()) read_member(key, value, out);
  if (out.id.empty()) throw Error("'id' is wanted: a text or a whole number");
  if (out.game.empty()) throw Error("'game' is wanted: the spec of a game");
  return out;
}

std::string id_of(std::string_view line) {
  if (line.size() > kLongestLine) return "null";
  const Json json = Json::parse_or_null(line);
  if (!json.is_object() || !json.contains("id")) return "null";
  const auto& id = json.at("id");
  return id.is_string() || id.is_integer() ? id_text(id, "id") : "null";
}

void sort_children(AnyVerdict& verdict, int mover) {
  const auto key = [&](const AnyVerdict::Child& child) {
    return std::tuple{child.visits, child.value[mover], child.move == verdict.best};
  };
  std::ranges::stable_sort(verdict.children, std::greater<>{}, key);
}

Json verdict_json(const AnyGame& game, const AnyVerdict& verdict, std::size_t top) {
  const auto players = static_cast<std::size_t>(game.players());
  Json children = Json::array();
  for (const auto& child : verdict.children) {
    if (top > 0 && children.size() == top) break;
    children.push_back({{"move", child.move},
                        {"visits", child.visits},
                        {"value", seats_json(child.value, players)},
                        {"resolved", child.resolved},
                        {"bound", child.bound}});
  }
  return {{"best", verdict.best},
          {"value", seats_json(verdict.value, players)},
          {"proven", kProofNames[static_cast<std::size_t>(verdict.proof)]},
          {"proof", proof_text(verdict)},
          {"moves", verdict.children.size()},
          {"children", children},
          {"pv", verdict.pv},
          {"evaluations", verdict.cost.evaluations},
          {"nodes", verdict.cost.nodes},
          {"depth", verdict.cost.depth},
          {"seconds", verdict.cost.seconds}};
}

std::string answer_line(const Query& query, const AnyGame& game, const AnyPlayer& player,
                        const AnyMatch& match, AnyVerdict verdict, Answer which) {
  sort_children(verdict, match.to_move());
  Json out = with_id(query.id);
  out["final"] = which == Answer::last;
  out["game"] = game.spec();
  out["player"] = player.spec();
  out["turn"] = match.to_move() + 1;
  out.update(verdict_json(game, verdict, query.top));
  return dumped(out);
}

std::string error_line(const std::string& id, const std::string& message) {
  Json out = with_id(id);
  out["error"] = shown(message, 2000);
  return dumped(out);
}

std::string cancelled_line(const std::string& id) {
  Json out = with_id(id);
  out["cancelled"] = true;
  return dumped(out);
}

}  // namespace polymax::protocol
