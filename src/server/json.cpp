#include "server/json.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

#include "core/lists.hpp"

namespace polymax::server {

namespace {

constexpr std::size_t kChildren = 24, kVariation = 40, kSeatsOfLine = 8;

// Three decimals are enough to look at; no number that JSON does not know.
Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  const double rounded = std::round(value * 1000) / 1000;
  if (rounded == std::floor(rounded) && std::abs(rounded) < 1e15)
    return static_cast<std::int64_t>(rounded);
  return rounded;
}

// Who would play the first moves of the expected line.
Json seats_of_line(const AnyMatch& match, const std::vector<std::string>& line) {
  Json out = Json::array();
  const auto ahead = match.clone();
  for (std::size_t i = 0; i < std::min(kSeatsOfLine, line.size()) && !ahead->over(); ++i) {
    out.push_back(ahead->to_move());
    ahead->play(line[i]);
  }
  return out;
}

const Json& wanted_at(const Json& body, const char* key, const char* what) {
  if (const Json* found = body.find(key)) return *found;
  throw Error(std::string("'") + key + "' is missing: " + what + " is wanted");
}

}  // namespace

std::string text_of(const Json& json) {
  return json.dump();
}

void check_keys(const Json& body, const std::vector<std::string_view>& known) {
  for (const auto& [key, value] : body.items())
    if (std::ranges::find(known, key) == known.end())
      throw Error("no key '" + key + "' here; " +
                  (known.empty() ? "none is wanted" : "there are " + joined(known, ", ")));
}

std::string text_at(const Json& body, const char* key) {
  const Json& found = wanted_at(body, key, "a text");
  if (!found.is_string()) throw Error(std::string("'") + key + "' must be a text");
  return found.get<std::string>();
}

std::vector<std::string> texts_at(const Json& body, const char* key, std::size_t most) {
  const Json* found = body.find(key);
  if (!found) return {};
  if (!found->is_array() ||
      !std::ranges::all_of(*found, [](const Json& one) { return one.is_string(); }))
    throw Error(std::string("'") + key + "' must be a list of texts");
  if (found->size() > most)
    throw Error(std::string("'") + key + "' has more than " + std::to_string(most) + " entries");
  return found->get<std::vector<std::string>>();
}

bool bool_at(const Json& body, const char* key) {
  const Json& found = wanted_at(body, key, "true or false");
  if (!found.is_bool()) throw Error(std::string("'") + key + "' must be true or false");
  return found.get<bool>();
}

double number_at(const Json& body, const char* key) {
  const Json& found = wanted_at(body, key, "a number");
  if (!found.is_number()) throw Error(std::string("'") + key + "' must be a number");
  return found.get<double>();
}

std::optional<std::size_t> count_at(const Json& body, const char* key) {
  const Json* found = body.find(key);
  if (!found) return std::nullopt;
  if (!found->is_count())
    throw Error(std::string("'") + key + "' must be a whole number, 0 or more");
  return found->get<std::size_t>();
}

Json seats_json(const Scores& scores, int players) {
  Json out = Json::array();
  for (int p = 0; p < players; ++p) out.push_back(number(scores[p]));
  return out;
}

Json drawing_json(const Drawing& drawing) {
  Json cells = Json::array(), sides = Json::array(), so_far = Json::array();
  for (const auto& cell : drawing.cells)
    cells.push_back(
        Json::array({cell.name, number(cell.x), number(cell.y), cell.owner, cell.under,
                     cell.mark == 0 ? std::string() : std::string(1, cell.mark), cell.tint}));
  for (const auto& side : drawing.sides)
    sides.push_back(Json::array(
        {side.seat, number(side.x1), number(side.y1), number(side.x2), number(side.y2)}));
  for (const float points : drawing.so_far) so_far.push_back(number(points));
  return {{"shape", drawing.shape == CellShape::square ? "square" : "hexagon"},
          {"cells", std::move(cells)},
          {"sides", std::move(sides)},
          {"so_far", std::move(so_far)},
          {"out", drawing.out},
          {"notes", drawing.notes}};
}

Json position_json(const AnyGame& game, const AnyMatch& match) {
  Json out{{"ply", match.history().size()},
           {"drawing", drawing_json(match.draw())},
           {"over", match.over()}};
  if (match.over()) {
    out["score"] = seats_json(match.score(), game.players());
    out["gain"] = seats_json(match.gain(), game.players());
    out["points"] = seats_json(match.points(), game.players());
    out["legal"] = Json::array();
  } else {
    out["to_move"] = match.to_move();
    out["legal"] = match.legal();
  }
  return out;
}

Json verdict_json(const AnyGame& game, const AnyMatch& match, const AnyVerdict& verdict) {
  const int mover = match.to_move();
  std::vector<const AnyVerdict::Child*> order;
  for (const auto& child : verdict.children) order.push_back(&child);
  std::ranges::stable_sort(order, std::greater<>{}, [&](const AnyVerdict::Child* child) {
    return std::tuple{child->move == verdict.best, child->visits, child->value[mover]};
  });
  Json children = Json::array();
  for (std::size_t i = 0; i < std::min(kChildren, order.size()); ++i)
    children.push_back({{"move", order[i]->move},
                        {"visits", order[i]->visits},
                        {"value", seats_json(order[i]->value, game.players())},
                        {"resolved", order[i]->resolved},
                        {"bound", order[i]->bound}});
  Json seats = seats_of_line(match, verdict.pv);
  std::vector<std::string> variation = verdict.pv;
  variation.resize(std::min(variation.size(), kVariation));
  const Cost& cost = verdict.cost;
  return {{"ply", match.history().size()},
          {"mover", mover},
          {"best", verdict.best},
          {"value", seats_json(verdict.value, game.players())},
          {"moves", verdict.children.size()},
          {"children", std::move(children)},
          {"pv", std::move(variation)},
          {"pv_seats", std::move(seats)},
          {"evaluations", cost.evaluations},
          {"nodes", cost.nodes},
          {"bytes", cost.bytes},
          {"depth", cost.depth},
          {"seconds", number(cost.seconds)},
          {"proven", kProofNames[static_cast<std::size_t>(verdict.proof)]},
          {"proof", proof_text(verdict)}};
}

std::string unit_of(const std::string& player, const AnyGame& game) {
  const Spec spec = Spec::parse(player);
  const auto value_of = [&](const char* key) {
    const auto found = std::ranges::find(spec.arguments, key, &SpecArgument::key);
    return found == spec.arguments.end() ? std::string() : found->value.name;
  };
  if (value_of("aim") == "win") return std::string(kGain);
  if (spec.name == "mcts" && (value_of("eval").empty() || value_of("eval") == "playouts"))
    return std::string(kGain);
  return std::string(kPointsNames[static_cast<std::size_t>(game.points())]);
}

bool lays_shapes(const AnyGame& game) {
  constexpr std::uint64_t kAnyStart = 7;
  return std::ranges::any_of(game.start(kAnyStart)->legal(), [](const std::string& move) {
    return std::ranges::count(move, '-') > 1;
  });
}

Json settings_json(const std::vector<SettingInfo>& settings) {
  Json out = Json::array();
  for (const auto& setting : settings)
    out.push_back({{"key", setting.key},
                   {"help", setting.help},
                   {"allowed", setting.allowed},
                   {"preset", setting.preset}});
  return out;
}

}  // namespace polymax::server
