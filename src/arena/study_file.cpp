#include "arena/study_file.hpp"

#include <algorithm>
#include <set>

#include "arena/json_source.hpp"
#include "core/columns.hpp"
#include "core/error.hpp"
#include "core/spec.hpp"

namespace polymax::arena {

namespace {

constexpr std::int64_t kMost = 1'000'000;

// The text of a spec; a bad one is a complaint about this place.
std::string spec_text(const JsonPlace& place) {
  const std::string text = place.text();
  try {
    Spec::parse(text);
  } catch (const Error& error) {
    place.fail(error.what());
  }
  return text;
}

void check_plain(const std::string& text, const JsonPlace& place) {
  if (!is_plain(text))
    place.fail(
        "tables and reports are made of it: no ends of lines, control characters or marks of "
        "direction may be in it");
}

// What tables call something.
void check_name(const std::string& name, const JsonPlace& place) {
  if (name.find_first_not_of(' ') == std::string::npos) place.fail("the name is empty");
  check_plain(name, place);
}

std::string name_text(const JsonPlace& place) {
  const std::string out = place.text();
  check_name(out, place);
  return out;
}

StudyFile::Game read_game(const JsonPlace& place) {
  StudyFile::Game out;
  out.path = place.path();
  if (place.json().is_string()) {
    out.spec = spec_text(place);
    out.name = Spec::parse(out.spec).name;
    return out;
  }
  place.allow({"name", "spec"});
  out.name = name_text(place.at("name"));
  out.spec = spec_text(place.at("spec"));
  return out;
}

StudyFile::Player read_player(const JsonPlace& place) {
  StudyFile::Player out;
  out.path = place.path();
  if (place.json().is_string()) {
    out.name = out.spec = spec_text(place);
    check_name(out.name, place);
    return out;
  }
  place.allow({"name", "spec", "games", "budget"});
  out.spec = spec_text(place.at("spec"));
  out.name = place.has("name") ? name_text(place.at("name")) : out.spec;
  check_name(out.name, place);
  if (place.has("games"))
    for (const auto& game : place.at("games").items()) out.games.push_back(game.text());
  if (place.has("budget")) out.budget = place.at("budget").text();
  return out;
}

StudyFile::Functions read_functions(const JsonPlace& place, int count) {
  StudyFile::Functions out;
  out.path = place.path();
  place.allow({"files", "settings", "evaluator"});
  if (place.has("files") == place.has("evaluator"))
    place.fail(
        "give either 'files' (networks) or 'evaluator' (a spec, with $i for the number of the "
        "function)");
  if (place.has("evaluator")) {
    if (place.has("settings")) place.at("settings").fail("settings are for network files");
    out.evaluator = spec_text(place.at("evaluator"));
    if (count == 0)
      place.at("evaluator").fail("\"functions\": \"all\" counts network files; say how many here");
    if (count > 1 && out.evaluator.find("$i") == std::string::npos)
      place.at("evaluator")
          .fail("without $i all " + std::to_string(count) + " functions would be the same");
    return out;
  }
  const auto files = place.at("files");
  if (files.json().is_string()) {
    out.files.push_back(files.text());
  } else {
    for (const auto& file : files.items()) out.files.push_back(file.text());
  }
  if (place.has("settings")) out.settings = place.at("settings").text();
  return out;
}

template <class List>
void check_unique(const List& list, const JsonPlace& place) {
  std::set<std::string> seen;
  for (const auto& item : list)
    if (!seen.insert(item.name).second) place.fail("two entries have the name '" + item.name + "'");
}

void check_games_of(const JsonPlace& root, const StudyFile& file) {
  for (std::size_t p = 0; p < file.players.size(); ++p)
    for (const auto& wanted : file.players[p].games)
      if (std::ranges::find(file.games, wanted, &StudyFile::Game::name) == file.games.end())
        root.at("players").items()[p].at("games").fail("the study has no game '" + wanted + "'");
}

// networks: one object for all games, or {"by_game": {name: object, ...}}.
void read_networks(const JsonPlace& root, StudyFile& out) {
  const auto place = root.at("networks");
  if (!place.has("by_game")) {
    const auto all = read_functions(place, out.functions);
    for (const auto& game : out.games) out.functions_of[game.name] = all;
    return;
  }
  place.allow({"by_game"});
  const auto by_game = place.at("by_game");
  if (!by_game.json().is_object()) by_game.fail("an object {...} is wanted here");
  for (const auto& [name, value] : by_game.json().items()) {
    if (std::ranges::find(out.games, name, &StudyFile::Game::name) == out.games.end())
      by_game.at(name).fail("the study has no game of this name");
    out.functions_of[name] = read_functions(by_game.at(name), out.functions);
  }
  for (const auto& game : out.games)
    if (!out.functions_of.contains(game.name))
      by_game.fail("no networks for the game '" + game.name + "'");
}

}  // namespace

StudyFile parse_study(const std::string& name, const std::string& text) {
  const JsonSource source(name, text);
  const auto root = source.root();
  root.allow({"title", "games", "players", "benchmark", "networks", "budget", "functions",
              "repetitions", "opening", "seed"});
  StudyFile out;
  if (root.has("title")) out.title = root.at("title").text();
  if (root.has("title")) check_plain(out.title, root.at("title"));
  for (const auto& game : root.at("games").items()) out.games.push_back(read_game(game));
  check_unique(out.games, root.at("games"));
  for (const auto& player : root.at("players").items()) out.players.push_back(read_player(player));
  check_unique(out.players, root.at("players"));
  check_games_of(root, out);
  out.benchmark = read_player(root.at("benchmark"));
  if (!out.benchmark.games.empty())
    root.at("benchmark").at("games").fail("the benchmark plays all games");
  const auto functions = root.at("functions");
  if (functions.json() == "all")
    out.functions = 0;
  else if (functions.json().is_string())
    functions.fail("a number or \"all\" is wanted here");
  else
    out.functions = static_cast<int>(functions.integer(1, kMost));
  read_networks(root, out);
  out.budget = root.at("budget").text();
  if (root.has("repetitions"))
    out.repetitions = static_cast<int>(root.at("repetitions").integer(1, kMost));
  if (root.has("opening")) out.opening = static_cast<int>(root.at("opening").integer(0, 1000));
  out.seed = static_cast<std::uint64_t>(root.at("seed").integer(0, INT64_MAX));
  auto plan = source.json();
  plan.erase("title");
  out.canonical = plan.sorted().dump();
  return out;
}

void fail_in_study(const std::string& name, const std::string& text, const std::string& path,
                   const std::string& message) {
  JsonSource(name, text).fail(path, message);
}

}  // namespace polymax::arena
