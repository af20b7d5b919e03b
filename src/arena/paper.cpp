// See paper.hpp.
#include "arena/paper.hpp"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <filesystem>

#include "arena/study.hpp"
#include "catalog/computed.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/json.hpp"

namespace polymax::arena {

namespace {

std::string plain(const std::string& name) {
  std::string out;
  for (char c : name) {
    if (c == '+') out += "plus";
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

std::string text_at(const Json& from, const char* key) {
  return from.at(key).get<std::string>();
}

Paper::Experiment read_experiment(const Json& from) {
  Paper::Experiment out;
  from.at("name").get_to(out.name);
  from.at("seconds").get_to(out.seconds);
  for (const Json& row : from.at("scores"))
    for (const auto& [game, score] : row.at("scores").items())
      out.scores[text_at(row, "player")][game] = {score.at(0).get<double>() / 100,
                                                  score.at(1).get<double>() / 100};
  for (const Json& row : from.at("means"))
    out.means[text_at(row, "player")] = {row.at("mean").get<double>() / 100,
                                         row.at("low").get<double>() / 100,
                                         row.at("high").get<double>() / 100, true};
  return out;
}

Comparison::Agreement agreement(const std::vector<double>& own, const std::vector<double>& paper) {
  return {static_cast<int>(own.size()), spearman(own, paper), kendall(own, paper)};
}

// Fills cells and by_game.
void compare_games(Comparison& out, const StudyTable& table, const Analysis& analysis,
                   const Paper& paper) {
  for (std::size_t g = 0; g < table.games.size(); ++g) {
    const auto* game = paper.find_game(table.games[g].spec);
    if (!game) continue;
    std::vector<double> own, theirs;
    for (std::size_t p = 0; p < table.players.size(); ++p) {
      const auto* player = paper.find_player(table.players[p].name);
      if (!player || analysis.cells[p][g].all.matches() == 0) continue;
      const auto scores = out.experiment->scores.find(player->name);
      if (scores == out.experiment->scores.end() || !scores->second.count(game->name)) continue;
      const Paper::Score score = scores->second.at(game->name);
      out.cells.push_back(
          {static_cast<int>(p), static_cast<int>(g), analysis.cells[p][g].matches, score});
      own.push_back(analysis.cells[p][g].matches.mean);
      theirs.push_back(score.mean);
    }
    if (own.empty()) continue;
    out.games.push_back(static_cast<int>(g));
    out.by_game.push_back(agreement(own, theirs));
    out.other_boards = out.other_boards || table.games[g].spec != game->spec;
  }
  std::stable_sort(out.cells.begin(), out.cells.end(),
                   [](const auto& a, const auto& b) { return a.player < b.player; });
}

// Fills rows and pooled from cells.
void compare_pools(Comparison& out, const StudyTable& table, const Analysis& analysis,
                   const Paper& paper) {
  std::vector<double> own, theirs;
  for (std::size_t k = 0; k < out.cells.size();) {
    Comparison::Row row;
    row.player = out.cells[k].player;
    double matches = 0, paper_matches = 0;
    for (; k < out.cells.size() && out.cells[k].player == row.player; ++k, ++row.games) {
      const auto& cell = out.cells[k];
      const auto g = static_cast<std::size_t>(cell.game);
      const double n = analysis.cells[static_cast<std::size_t>(cell.player)][g].all.matches();
      const double paper_n = paper.find_game(table.games[g].spec)->matches;
      row.own += cell.own.mean * n;
      row.paper += cell.paper.mean * paper_n;
      matches += n;
      paper_matches += paper_n;
    }
    row.own /= matches;
    row.paper /= paper_matches;
    const auto* player =
        paper.find_player(table.players[static_cast<std::size_t>(row.player)].name);
    const auto printed = out.experiment->means.find(player->name);
    if (static_cast<std::size_t>(row.games) == paper.games.size() &&
        printed != out.experiment->means.end())
      row.printed = printed->second;
    out.rows.push_back(row);
    if (static_cast<std::size_t>(row.games) < out.games.size()) continue;
    own.push_back(row.own);
    theirs.push_back(row.paper);
  }
  out.pooled = agreement(own, theirs);
}

}  // namespace

const Paper::Game* Paper::find_game(const std::string& spec) const {
  const std::string name = plain(spec.substr(0, spec.find('(')));
  for (const Game& game : games)
    if (plain(game.name) == name || plain(game.title) == name) return &game;
  return nullptr;
}

const Paper::Player* Paper::find_player(const std::string& name) const {
  for (const Player& player : players)
    if (plain(player.name) == plain(name) || plain(player.title) == plain(name)) return &player;
  return nullptr;
}

Paper read_paper(const std::string& path) {
  const std::string text = read_file(path);
  try {
    const Json from = Json::parse(text);
    Paper out;
    from.at("title").get_to(out.title);
    from.at("source").get_to(out.source);
    from.at("corrections").get_to(out.corrections);
    from.at("protocol").at("functions").get_to(out.functions);
    for (const Json& game : from.at("games"))
      out.games.push_back({text_at(game, "name"), text_at(game, "title"),
                           game.at("matches").get<double>(), game.at("brs").get<bool>(),
                           game.value("spec", text_at(game, "name")), game.value("channels", 0)});
    for (const Json& player : from.at("players"))
      out.players.push_back({text_at(player, "name"), text_at(player, "title"),
                             text_at(player, "latex"), player.at("batching").get<bool>()});
    for (const Json& experiment : from.at("experiments"))
      out.experiments.push_back(read_experiment(experiment));
    return out;
  } catch (const JsonError&) {
    throw Error(path + ": not the paper's numbers: no JSON, or a key of it is missing or wrong",
                Error::Kind::failed);
  }
}

std::string paper_file(const Study& study) {
  namespace fs = std::filesystem;
  const auto beside = fs::weakly_canonical(study.folder()).parent_path() / "paper.json";
  const auto shipped =
      fs::path(catalog::shipped_networks()).parent_path() / "studies" / "paper.json";
  for (const auto& file : {beside, shipped})
    if (fs::exists(file)) return file.string();
  return "";
}

std::vector<Comparison> compare(const StudyTable& table, const Analysis& analysis,
                                const Paper& paper) {
  std::vector<Comparison> out;
  for (const auto& experiment : paper.experiments) {
    Comparison comparison;
    comparison.experiment = &experiment;
    compare_games(comparison, table, analysis, paper);
    if (comparison.cells.empty()) continue;
    compare_pools(comparison, table, analysis, paper);
    out.push_back(std::move(comparison));
  }
  return out;
}

const Comparison& closest(const std::vector<Comparison>& comparisons, const StudyTable& table) {
  assert(!comparisons.empty());
  const auto same = std::ranges::find(
      comparisons, table.seconds, [](const Comparison& one) { return one.experiment->seconds; });
  return same == comparisons.end() ? comparisons.front() : *same;
}

}  // namespace polymax::arena
