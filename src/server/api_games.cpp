// Games, positions and records: what needs no session.
#include <algorithm>
#include <map>
#include <mutex>

#include "arena/levels.hpp"
#include "arena/record.hpp"
#include "arena/sgf.hpp"
#include "catalog/catalog.hpp"
#include "core/columns.hpp"
#include "core/json.hpp"
#include "server/api.hpp"
#include "server/error.hpp"
#include "server/page_files.hpp"

namespace polymax::server {

namespace {

constexpr std::uint64_t kPictureSeed = 7;

// The game after some moves of a quick player: a board with something on it.
Json picture_of(const AnyGame& game) {
  const auto match = game.start(kPictureSeed);
  const auto player = game.player(Spec::parse("greedy"), kPictureSeed);
  const int plies = std::min(40, game.max_length() * 2 / 5);
  Budget budget;
  budget.seconds = 0.2;
  for (int i = 0; i < plies && !match->over(); ++i) {
    match->play(player->think(*match, budget).best);
    if (match->over()) {
      match->undo();
      break;
    }
  }
  return drawing_json(match->draw());
}

std::string rules_of(const std::string& name) {
  const auto* file = page_file("rules/" + name + ".md");
  return file == nullptr ? "" : std::string(file->content);
}

// The line of the rules that says what everybody wants; empty where they do not say it.
std::string aim_in(const std::string& rules) {
  constexpr std::string_view kBegins = "\n**Aim:** ";
  const auto at = rules.find(kBegins);
  if (at == std::string::npos) return "";
  const auto begin = at + kBegins.size();
  return rules.substr(begin, rules.find('\n', begin) - begin);
}

Json game_head(const GameEntry& entry) {
  const auto game = catalog::open_game(entry.entry.name);
  return {{"name", entry.entry.name},
          {"title", entry.entry.about.title},
          {"players", game->players()},
          {"settings", settings_json(entry.entry.settings)},
          {"picture", picture_of(*game)},
          {"shapes", lays_shapes(*game)},
          {"aim", aim_in(rules_of(entry.entry.name))}};
}

const GameEntry& entry_named(const std::string& name) {
  const auto& games = catalog::games();
  const auto found =
      std::ranges::find_if(games, [&](const GameEntry& entry) { return entry.entry.name == name; });
  if (found == games.end()) throw Refused(404, "no game '" + name + "'");
  return *found;
}

Json entries_json(const std::vector<Entry>& entries) {
  Json out = Json::array();
  for (const auto& entry : entries)
    out.push_back({{"name", entry.name},
                   {"title", entry.about.title},
                   {"settings", settings_json(entry.settings)}});
  return out;
}

// A record for the page: who sits where as texts of seats, and who cannot sit here.
Json record_json(const arena::MatchRecord& record, const House& house) {
  const auto game = catalog::open_game(record.game);
  Json moves = Json::array(), seats = Json::array(), lost = Json::array();
  for (const auto& move : record.moves) moves.push_back(move.move);
  for (std::size_t seat = 0; seat < record.players.size(); ++seat) try {
      const std::string budget = record.budgets.empty() ? "" : record.budgets[seat];
      seats.push_back(seat_text({record.players[seat], budget}, *game, house));
    } catch (const Error& error) {
      seats.push_back("human");
      lost.push_back(
          {{"seat", seat}, {"player", record.players[seat]}, {"why", first_line(error.what())}});
    }
  return {{"game", record.game},
          {"seed", exact_number(record.start)},
          {"players", record.players},
          {"seats", std::move(seats)},
          {"lost", std::move(lost)},
          {"moves", std::move(moves)},
          {"resigned", record.forfeit < 0 ? Json(nullptr) : Json(record.forfeit)}};
}

}  // namespace

Json levels_json() {
  Json out = Json::array();
  for (const auto& level : arena::level_names())
    out.push_back({{"name", level.name}, {"title", level.title}, {"help", level.help}});
  return out;
}

Json games_list() {
  static std::mutex mutex;
  static std::optional<Json> made;  // games do not change while the program runs
  std::lock_guard lock(mutex);
  if (!made) {
    Json games = Json::array();
    for (const auto& entry : catalog::games()) games.push_back(game_head(entry));
    made = Json{{"games", std::move(games)}};
  }
  return *made;
}

Json game_details(const std::string& name) {
  const GameEntry& entry = entry_named(name);
  const std::string rules = rules_of(name);
  return {{"name", name},
          {"title", entry.entry.about.title},
          {"source", entry.entry.about.source},
          {"settings", settings_json(entry.entry.settings)},
          {"searches", entries_json(entry.searches)},
          {"evaluators", entries_json(entry.evaluators)},
          {"aim", aim_in(rules)},
          {"rules", rules}};
}

Json position_of(const Json& body, const Limits& limits) {
  check_keys(body, {"game", "seed", "moves"});
  const Truth truth = Truth::read(body, limits);
  const auto game = catalog::open_game(truth.game);
  const auto match = game->start(truth.seed);
  std::vector<int> movers;
  for (const auto& move : truth.moves) {
    if (match->over()) throw Error("the game is over before the move '" + move + "'");
    movers.push_back(match->to_move());
    match->play(move);
  }
  Json out = position_json(*game, *match);
  out["game"] = game->spec();
  out["name"] = game->name();
  out["title"] = game->about().title;
  out["players"] = game->players();
  out["shapes"] = lays_shapes(*game);
  out["movers"] = movers;
  out["moves"] = match->history();
  return out;
}

Json read_records_text(const Json& body, const House& house) {
  check_keys(body, {"text", "name"});
  const std::string text = text_at(body, "text");
  const std::string name = body.contains("name") ? text_at(body, "name") : "record";
  if (name.size() > house.limits.spec_length) throw Error("the name is too long");
  constexpr std::size_t kMost = 100;
  Json out = Json::array();
  for (const auto& record : arena::records_of_text(text, name)) {
    if (out.size() == kMost) break;
    if (record.game.size() > house.limits.spec_length)
      throw Error("the text of the game is too long");
    arena::replay(record);
    out.push_back(record_json(record, house));
  }
  return {{"records", std::move(out)}};
}

}  // namespace polymax::server
