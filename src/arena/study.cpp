#include "arena/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>

#include "arena/checksum.hpp"
#include "catalog/catalog.hpp"
#include "catalog/computed.hpp"
#include "catalog/not_offered.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "core/lists.hpp"

namespace polymax::arena {

namespace fs = std::filesystem;

namespace {

std::string replaced(std::string text, const std::string& placeholder, const std::string& value) {
  for (auto at = text.find(placeholder); at != std::string::npos;
       at = text.find(placeholder, at + value.size()))
    text.replace(at, placeholder.size(), value);
  return text;
}

bool has_seconds_alone(const Budget& budget) {
  const Budget none;
  return budget.evaluations == none.evaluations && budget.nodes == none.nodes &&
         budget.depth == none.depth;
}

// Every $f in the spec becomes `function`.
Spec substituted(const Spec& spec, const Spec& function) {
  if (spec.name == "$f" && spec.arguments.empty()) return function;
  Spec out = spec;
  for (auto& argument : out.arguments) argument.value = substituted(argument.value, function);
  return out;
}

// Where a network lies that a study names: from the study's folder, or $nets/... among those that
// ship.
fs::path place_of(const fs::path& folder, const std::string& name) {
  constexpr std::string_view kShipped = "$nets/";
  if (!name.starts_with(kShipped)) return folder / name;
  return fs::path(catalog::shipped_networks()) / name.substr(kShipped.size());
}

// Files that match a pattern with * in its last part, by name.
std::vector<std::string> expanded(const fs::path& folder, const std::string& pattern) {
  const fs::path path(pattern), parent = path.parent_path();
  const std::string name = path.filename().string();
  const auto star = name.find('*');
  if (star == std::string::npos) return {pattern};
  const std::string before = name.substr(0, star), after = name.substr(star + 1);
  std::vector<std::string> out;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(place_of(folder, (parent / "").string()), none)) {
    const std::string found = entry.path().filename().string();
    if (found.size() >= before.size() + after.size() && found.starts_with(before) &&
        found.ends_with(after))
      out.push_back((parent / found).string());
  }
  std::ranges::sort(out);
  return out;
}

// Name, size and a checksum of the ends of a file: enough to notice another network under the same
// name.
std::string mark_of(const fs::path& path, const std::string& name) {
  constexpr std::size_t kSample = 1 << 16;
  std::ifstream file(path, std::ios::binary);
  std::string head(kSample, '\0'), tail(kSample, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  file.clear();
  const auto size = fs::file_size(path);
  file.seekg(static_cast<std::streamoff>(size - std::min<std::uintmax_t>(size, kSample)));
  file.read(tail.data(), static_cast<std::streamsize>(tail.size()));
  tail.resize(static_cast<std::size_t>(file.gcount()));
  return fmt::format("{} {} {}", name, size, checksum_text(head + tail));
}

}  // namespace

Study Study::open(const std::string& folder) {
  const std::string path = (fs::path(folder) / "study.json").string();
  if (!fs::is_directory(folder))
    throw Error("no folder '" + folder + "'; a study is a folder with study.json in it");
  if (!fs::exists(path))
    throw Error("'" + folder + "' has no study.json: a study is a folder with study.json in it");
  const std::string text = read_file(path);
  return Study(folder, text, parse_study(path, text));
}

Study::Study(std::string folder, std::string text, StudyFile file)
    : folder_(std::move(folder)), text_(std::move(text)), file_(std::move(file)) {
  read_budgets();
  open_games();
  find_functions();
  std::vector<int> seats;
  for (const auto& game : games_) seats.push_back(game->players());
  std::vector<ScheduledMatch> pairs;
  for (std::size_t g = 0; g < games_.size(); ++g)
    for (std::size_t p = 0; p < file_.players.size(); ++p) {
      const auto& only = file_.players[p].games;
      if (!only.empty() && std::ranges::find(only, file_.games[g].name) == only.end()) continue;
      pairs.push_back({static_cast<int>(g), static_cast<int>(p)});
    }
  schedule_ = Schedule(file_.functions, file_.repetitions, std::move(seats), std::move(pairs));
  constexpr double kMostMatches = 1e9;
  if (const double size = schedule_.size_as_real(); size > kMostMatches)
    fail(
        "repetitions",
        fmt::format("with these functions and players it makes {:.3g} matches; a study has at most "
                    "{:.0e}",
                    size, kMostMatches));
  Json identity{{"study", Json::parse(file_.canonical)}};
  for (std::size_t g = 0; g < games_.size(); ++g) {
    identity["rules"][file_.games[g].name] = games_[g]->about().version;
    if (!file_marks_[g].empty()) identity["networks"][file_.games[g].name] = file_marks_[g];
  }
  identity_ = identity.sorted().dump();
}

void Study::fail(const std::string& path, const std::string& message) const {
  fail_in_study((fs::path(folder_) / "study.json").string(), text_, path, message);
}

void Study::read_budgets() {
  const auto read = [&](const std::string& text, const std::string& path) {
    try {
      budgets_.emplace(text, catalog::parse_budget(text));
    } catch (const Error& error) {
      fail(path, error.what());
    }
  };
  read(file_.budget, "budget");
  for (const auto& player : file_.players)
    if (!player.budget.empty()) read(player.budget, player.path + "/budget");
  if (!file_.benchmark.budget.empty()) read(file_.benchmark.budget, "benchmark/budget");
}

const Budget& Study::budget_of(const StudyFile::Player& player) const {
  return budgets_.at(player.budget.empty() ? file_.budget : player.budget);
}

void Study::open_games() {
  for (const auto& game : file_.games) {
    try {
      games_.push_back(catalog::open_game(game.spec));
    } catch (const Error& error) {
      fail(game.path, error.what());
    }
  }
}

void Study::find_functions() {
  for (const auto& game : file_.games) {
    const auto& functions = file_.functions_of.at(game.name);
    file_marks_.emplace_back();
    evaluators_.emplace_back();
    channels_.emplace_back();
    if (functions.evaluator.empty()) {
      functions_.push_back(network_specs(game, functions));
      continue;
    }
    functions_.emplace_back();
    for (int i = 0; i < file_.functions; ++i) {
      functions_.back().push_back(
          Spec::parse(replaced(functions.evaluator, "$i", std::to_string(i))));
      evaluators_.back().push_back({functions_.back().back().text(), ""});
    }
  }
  if (file_.functions == 0) take_common_functions();
}

// "functions": "all": as many as the game with the fewest has.
void Study::take_common_functions() {
  std::size_t fewest = SIZE_MAX;
  for (const auto& found : functions_) fewest = std::min(fewest, found.size());
  for (std::size_t g = 0; g < functions_.size(); ++g) {
    functions_[g].resize(fewest);
    file_marks_[g].resize(fewest);
    evaluators_[g].resize(fewest);
    channels_[g].resize(fewest);
  }
  file_.functions = static_cast<int>(fewest);
}

std::vector<Spec> Study::network_specs(const StudyFile::Game& game,
                                       const StudyFile::Functions& functions) {
  std::vector<std::string> names;
  for (const auto& file : functions.files)
    for (const auto& name : expanded(folder_, replaced(file, "$game", game.name)))
      names.push_back(name);
  const auto asked = static_cast<std::size_t>(file_.functions);
  if (asked == 0)
    std::erase_if(names, [&](const std::string& name) {
      return !fs::is_regular_file(place_of(folder_, name));
    });
  const std::string where =
      replaced(functions.files[0], "$game", game.name) + (functions.files.size() > 1 ? " ..." : "");
  if (names.size() < std::max<std::size_t>(1, asked))
    fail(
        functions.path,
        fmt::format("the game '{}' needs {} network{}, {} found as '{}' (from the study's folder); "
                    "docs/studies.md says how to train more",
                    game.name, std::max<std::size_t>(1, asked), asked > 1 ? "s" : "", names.size(),
                    where));
  const std::size_t count = asked == 0 ? names.size() : asked;
  std::vector<Spec> out;
  for (std::size_t i = 0; i < count; ++i) {
    const fs::path path = place_of(folder_, names[i]);
    if (!fs::is_regular_file(path))
      fail(functions.path, "there is no network '" + path.string() + "'");
    file_marks_.back().push_back(mark_of(path, names[i]));
    const auto facts = catalog::network_facts(path.string());
    evaluators_.back().push_back({names[i], facts.about});
    channels_.back().push_back(facts.channels);
    Spec spec;
    try {
      spec = Spec::parse("network(" + functions.settings + ")");
    } catch (const Error& error) {
      fail(functions.path, error.what());
    }
    spec.arguments.push_back({"file", 0, word(path.lexically_normal().string())});
    out.push_back(spec);
  }
  return out;
}

std::string Study::computed_by() const {
  std::set<std::string> all;
  for (std::size_t g = 0; g < functions_.size(); ++g)
    for (std::size_t i = 0; i < channels_[g].size(); ++i)
      all.insert(catalog::computed_by(functions_[g][i], channels_[g][i]));
  return joined(all, "; ");
}

bool Study::timed() const {
  return std::ranges::any_of(budgets_,
                             [](const auto& known) { return std::isfinite(known.second.seconds); });
}

std::uint64_t Study::most_evaluations() const {
  std::uint64_t out = 0;
  for (const auto& [text, budget] : budgets_) out = std::max(out, budget.evaluations);
  return out;
}

StudyTable Study::table() const {
  StudyTable out;
  const auto folder = fs::weakly_canonical(folder_).filename();
  out.title = file_.title.empty() ? folder.string() : file_.title;
  out.file = (folder / "study.json").string();
  out.seed = file_.seed;
  out.budget = file_.budget;
  if (const Budget& budget = budgets_.at(file_.budget); has_seconds_alone(budget))
    out.seconds = budget.seconds;
  out.functions = file_.functions;
  out.opening = file_.opening;
  for (std::size_t g = 0; g < games_.size(); ++g)
    out.games.push_back(
        {file_.games[g].name, games_[g]->spec(), games_[g]->players(), evaluators_[g]});
  for (const auto& player : file_.players)
    out.players.push_back({player.name, player.spec, player.budget});
  out.benchmark = {file_.benchmark.name, file_.benchmark.spec, file_.benchmark.budget};
  out.planned = schedule_.size();
  out.timed = timed();
  return out;
}

void Study::check_openings() const {
  for (const auto& game : games_) {
    try {
      check_opening(*game, file_.opening);
    } catch (const Error& error) {
      fail("opening", error.what());
    }
  }
}

Spec Study::player_spec(const ScheduledMatch& match, int seat) const {
  const auto function =
      static_cast<std::size_t>(schedule_.functions(match)[static_cast<std::size_t>(seat)]);
  const auto& player =
      seat == match.seat ? file_.players[static_cast<std::size_t>(match.player)] : file_.benchmark;
  return substituted(Spec::parse(player.spec),
                     functions_[static_cast<std::size_t>(match.game)][function]);
}

std::uint64_t Study::start_of(const ScheduledMatch& match) const {
  return derived_seed(file_.seed, schedule_.start_number(match));
}

MatchSetup Study::setup(std::uint64_t k) const {
  const auto match = schedule_.at(k);
  MatchSetup out;
  out.game = &game(match.game);
  out.start = start_of(match);
  out.seed = derived_seed(~file_.seed, k);
  out.opening = file_.opening;
  for (int seat = 0; seat < out.game->players(); ++seat) {
    out.players.push_back(player_spec(match, seat));
    out.budgets.push_back(budget_of(seat == match.seat
                                        ? file_.players[static_cast<std::size_t>(match.player)]
                                        : file_.benchmark));
  }
  return out;
}

std::vector<Spec> Study::first_players() const {
  std::vector<Spec> out;
  for (std::uint64_t k = 0; k < schedule_.step_size(); ++k) {
    const auto match = schedule_.at(k);
    for (int seat = 0; match.seat == 0 && seat < 2; ++seat) out.push_back(player_spec(match, seat));
  }
  return out;
}

void Study::check_all_players() const {
  check_openings();
  const auto refuse = [&](int game, const std::string& path, const Error& error,
                          const char* advice) {
    fail(path, fmt::format("in the game '{}': {}{}",
                           file_.games[static_cast<std::size_t>(game)].name, error.what(), advice));
  };
  const auto check = [&](int game, const Spec& spec, const Budget& budget,
                         const std::string& path) {
    try {
      check_players(this->game(game), std::vector{spec});
      check_budget(spec, budget);
    } catch (const catalog::NotOffered& error) {
      refuse(game, path, error, " (a player's key 'games' may name the games it plays)");
    } catch (const Error& error) {
      refuse(game, path, error, "");
    }
  };
  for (std::size_t g = 0; g < games_.size(); ++g) {
    const auto& path = file_.functions_of.at(file_.games[g].name).path;
    for (const auto& function : functions_[g])
      check(static_cast<int>(g), substituted(Spec::parse("greedy(eval=$f)"), function), {}, path);
    const ScheduledMatch any{static_cast<int>(g), 0};
    check(any.game, player_spec(any, 1), budget_of(file_.benchmark), file_.benchmark.path);
  }
  for (std::uint64_t k = 0; k < schedule_.step_size(); ++k) {  // has every pair
    const auto match = schedule_.at(k);
    const auto& player = file_.players[static_cast<std::size_t>(match.player)];
    if (match.seat == 0) check(match.game, player_spec(match, 0), budget_of(player), player.path);
  }
}

namespace {

// A place where two values differ; null where there is none on that side.
struct Difference {
  std::string path;
  const Json *before, *now;
};

void collect_differences(const Json& before, const Json& now, const std::string& path,
                         std::vector<Difference>& out) {
  if (before == now) return;
  const auto below = [&](const std::string& step, const Json* a, const Json* b) {
    const std::string place = path.empty() ? step : path + "/" + step;
    if (a && b)
      collect_differences(*a, *b, place, out);
    else
      out.push_back({place, a, b});
  };
  if (before.is_object() && now.is_object()) {
    for (const auto& [key, value] : before.items()) below(key, &value, now.find(key));
    for (const auto& [key, value] : now.items())
      if (!before.contains(key)) below(key, nullptr, &value);
  } else if (before.is_array() && now.is_array()) {
    for (std::size_t i = 0; i < std::max(before.size(), now.size()); ++i)
      below(std::to_string(i), i < before.size() ? &before[i] : nullptr,
            i < now.size() ? &now[i] : nullptr);
  } else {
    out.push_back({path, &before, &now});
  }
}

}  // namespace

std::string differences(const std::string& before, const std::string& now) {
  const Json a = Json::parse(before), b = Json::parse(now);
  constexpr std::size_t kShown = 6, kLongest = 80;
  const auto text = [](const Json& value) {
    std::string out = value.dump();
    return out.size() > kLongest ? out.substr(0, kLongest) + "..." : out;
  };
  std::vector<Difference> changes;
  collect_differences(a, b, "", changes);
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, changes.size()); ++i) {
    const auto& [path, was, is] = changes[i];
    out += (i == 0 ? "" : "; ") + (path.starts_with("study/") ? path.substr(6) : path) + ": ";
    if (!was)
      out += "new " + text(*is);
    else
      out += is ? text(*was) + " is now " + text(*is) : "gone, was " + text(*was);
  }
  if (changes.size() > kShown) out += fmt::format("; and {} more", changes.size() - kShown);
  return out;
}

}  // namespace polymax::arena
