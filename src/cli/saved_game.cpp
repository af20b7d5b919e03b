#include "cli/saved_game.hpp"

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/file.hpp"

namespace polymax::cli {

namespace {

std::vector<float> seats(const Scores& scores, int players) {
  return {scores.seats.begin(), scores.seats.begin() + players};
}

}  // namespace

std::string saved_line(SavedGame saved, const AnyGame& game, const AnyMatch& match) {
  nlohmann::ordered_json out{
      {"game", saved.game}, {"seed", saved.seed}, {"players", saved.players}, {"moves", match.history()}};
  if (match.over()) {
    out["score"] = seats(match.score(), game.players());
    out["gain"] = seats(match.gain(), game.players());
  }
  return out.dump() + '\n';
}

SavedGame load_game(const std::string& path) {
  try {
    const auto json = nlohmann::json::parse(read_file(path));
    return {json.at("game"), json.at("seed"), json.at("players"), json.at("moves")};
  } catch (const nlohmann::json::exception& error) {
    throw Error("'" + path + "' is no saved game: " + error.what());
  }
}

}  // namespace polymax::cli
